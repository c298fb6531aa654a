import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../support/client.ts';
import { newEnterpriseWithAbsences } from '../../../support/enterprise_absences.ts';

const utc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe('createPublicAbsence', () => {
  it('200 with type and user by id, the times in UTC', async () => {
    const { enterprise, userId, typeId } = await newEnterpriseWithAbsences();
    const times = { starts_at: '2026-03-02T08:00:00+01:00', ends_at: '2026-03-06T17:00:00+01:00' };
    const absence = {
      absence_type_id: typeId,
      user_id: userId,
      ...times,
      time_zone: 'Europe/Berlin',
      full_day: true,
      external_id: 'leave-7',
    };
    const { status, body } = await enterprise('createPublicAbsence', { body: { absence } });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      absence_type_id: typeId,
      user_id: userId,
      title: 'Urlaub',
      starts_at: '2026-03-01T23:00:00Z',
      ends_at: '2026-03-06T22:59:59Z',
      time_zone: 'Berlin',
      full_day: true,
      external_id: 'leave-7',
      force_calc_custom_hours: false,
      paid_hours: 40,
      vacation_days: 5,
      confirm: null,
      confirmed_at: null,
      confirmed_by: null,
      confirm_message: null,
      created_at: utc,
      updated_at: utc,
      created_by: null,
      note: null,
      charge_days_job_status: 'success',
      import_id: null,
      outlook_id: null,
      secure_id: expect.any(String),
    });
  });

  it('200 with type and user by external id, in part of a day', async () => {
    const { enterprise, userId, typeId } = await newEnterpriseWithAbsences();
    const times = { starts_at: '2026-03-02T08:00:00Z', ends_at: '2026-03-02T12:00:00Z' };
    const { body } = await enterprise('createPublicAbsence', {
      body: { absence: { absence_type_external_id: 'leave', user_external_id: 'erika', ...times } },
    });
    expect(body).toMatchObject({
      absence_type_id: typeId,
      user_id: userId,
      ...times,
      full_day: false,
      paid_hours: 4,
      vacation_days: 0.5,
      external_id: null,
    });
  });

  it('200 with plain days, across a change of clocks', async () => {
    const { newAbsence } = await newEnterpriseWithAbsences();
    expect(await newAbsence({ starts_at: '2026-03-27', ends_at: '2026-03-30', full_day: false })).toMatchObject({
      starts_at: '2026-03-26T23:00:00Z',
      ends_at: '2026-03-30T21:59:59Z',
    });
  });

  it('200 with hours and days as given, where force_calc_custom_hours says so, and only then', async () => {
    const { newAbsence } = await newEnterpriseWithAbsences();
    const numbers = { paid_hours: '30', vacation_days: 3.5 };
    expect(await newAbsence({ force_calc_custom_hours: true, ...numbers })).toMatchObject({
      force_calc_custom_hours: true,
      paid_hours: 30,
      vacation_days: 3.5,
    });
    expect(await newAbsence({ force_calc_custom_hours: false, ...numbers })).toMatchObject({
      force_calc_custom_hours: false,
      paid_hours: 40,
      vacation_days: 5,
    });
  });

  it('200 with hours and days rounded by the digits that were sent', async () => {
    const { newAbsence } = await newEnterpriseWithAbsences();
    const numbers = { force_calc_custom_hours: true, paid_hours: 8.165, vacation_days: '1.005' };
    expect(await newAbsence(numbers)).toMatchObject({ paid_hours: 8.17, vacation_days: 1.01 });
  });

  it('400 where force_calc_custom_hours is true and one of its numbers is missing', async () => {
    const { enterprise, userId, typeId } = await newEnterpriseWithAbsences();
    const absence = {
      absence_type_id: typeId,
      user_id: userId,
      starts_at: '2026-03-02',
      ends_at: '2026-03-06',
      force_calc_custom_hours: true,
    };
    const missing = async (more: object) =>
      pointersIn(await enterprise('createPublicAbsence', { body: { absence: { ...absence, ...more } } })).sort();
    expect(await missing({})).toEqual(['paid_hours', 'vacation_days']);
    expect(await missing({ paid_hours: 5 })).toEqual(['vacation_days']);
    expect(await missing({ vacation_days: 5, paid_hours: '' })).toEqual(['paid_hours']);
    expect(await missing({ force_calc_custom_hours: 'true', vacation_days: 5 })).toEqual(['paid_hours']);
  });

  it('400 without type, user and times, all at once', async () => {
    const { enterprise } = await newEnterpriseWithAbsences();
    for (const names of [
      {},
      { user_external_id: '', absence_type_external_id: '' },
      { user_id: null, absence_type_id: '' },
    ]) {
      const response = await enterprise('createPublicAbsence', { body: { absence: names } });
      expect(response.status).toBe(400);
      expect(pointersIn(response).sort()).toEqual(['absence_type_id', 'ends_at', 'starts_at', 'user_id']);
    }
  });

  it('400 for an unknown type and user, an invalid zone and a used external id, all at once', async () => {
    const { enterprise, newAbsence } = await newEnterpriseWithAbsences();
    await newAbsence({ external_id: 'leave-7' });
    const absence = {
      absence_type_external_id: 'nothing',
      user_external_id: 'nobody',
      starts_at: '2026-03-02',
      ends_at: '2026-03-06',
    };
    const response = await enterprise('createPublicAbsence', {
      body: { absence: { ...absence, time_zone: 'Atlantis', external_id: 'leave-7' } },
    });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual([
      'absence_type_external_id',
      'external_id',
      'time_zone',
      'user_external_id',
    ]);
  });

  it('400 for a type the user may not use, of another location too', async () => {
    const { enterprise, newLocation, absenceType, userId } = await newEnterpriseWithAbsences();
    const hotel = await newLocation('Hotel');
    const absence = {
      absence_type_id: await absenceType('vacation', hotel.id),
      user_id: userId,
      starts_at: '2026-03-02',
      ends_at: '2026-03-06',
    };
    expect((await enterprise('createPublicAbsence', { body: { absence } })).status).toBe(400);
  });

  it('400 for names that differ, and times that are invalid or in the wrong order', async () => {
    const { enterprise, userId, typeId, employee } = await newEnterpriseWithAbsences();
    const attempt = async (more: object) => {
      const absence = {
        absence_type_id: typeId,
        user_id: userId,
        starts_at: '2026-03-02',
        ends_at: '2026-03-06',
        ...more,
      };
      const response = await enterprise('createPublicAbsence', { body: { absence } });
      return [response.status, pointersIn(response)];
    };
    expect(await attempt({ user_id: employee.id, user_external_id: 'erika' })).toEqual([400, ['user_id']]);
    expect(await attempt({ ends_at: '2026-03-01' })).toEqual([400, ['ends_at']]);
    expect(await attempt({ ends_at: '2027-03-06' })).toEqual([400, ['ends_at']]);
    for (const starts_at of ['2026-02-30', '2026-03-02T08:00:00', 'tomorrow', 5])
      expect(await attempt({ starts_at })).toEqual([400, ['starts_at']]);
  });
});
