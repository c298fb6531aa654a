import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterpriseWithAbsences } from '../../../support/enterprise_absences.ts';
import { bodyOf } from '../../../support/world.ts';

const utc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe('updatePublicAbsence', () => {
  it('200 by id and by external id, the times in UTC, days and hours computed anew', async () => {
    const { enterprise, newAbsence } = await newEnterpriseWithAbsences();
    const { id } = await newAbsence({ external_id: 'leave-7' });
    for (const [name, ends_at, days] of [
      [{ id }, '2026-03-04', 3],
      [{ external_id: 'leave-7' }, '2026-03-03', 2],
    ] as const) {
      // prettier-ignore
      const { status, body } = await enterprise('updatePublicAbsence', { body: { absence: { ...name, starts_at: '2026-03-02', ends_at } } });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        id,
        starts_at: '2026-03-01T23:00:00Z',
        ends_at: `${ends_at}T22:59:59Z`,
        vacation_days: days,
        paid_hours: days * 8,
      });
    }
  });

  it('200 with given numbers, which stay until they are removed', async () => {
    const { enterprise, newAbsence } = await newEnterpriseWithAbsences();
    const { id } = await newAbsence();
    const update = async (more: object) =>
      (
        await enterprise('updatePublicAbsence', {
          body: { absence: { id, starts_at: '2026-03-02', ends_at: '2026-03-06', ...more } },
        })
      ).body;
    expect(await update({ force_calc_custom_hours: true, paid_hours: 30, vacation_days: 4 })).toMatchObject({
      paid_hours: 30,
      vacation_days: 4,
    });
    expect(await update({ ends_at: '2026-03-05' })).toMatchObject({
      force_calc_custom_hours: true,
      paid_hours: 30,
      vacation_days: 4,
    });
    expect(await update({ force_calc_custom_hours: false })).toMatchObject({
      force_calc_custom_hours: false,
      paid_hours: 40,
      vacation_days: 5,
    });
    expect(await update({ time_zone: 'Lisbon' })).toMatchObject({ time_zone: 'Lisbon' });
    expect(await update({ time_zone: '' })).toMatchObject({ time_zone: 'Berlin' });
    expect(
      await update({ full_day: false, starts_at: '2026-03-02T08:00:00Z', ends_at: '2026-03-02T10:00:00Z' }),
    ).toMatchObject({
      paid_hours: 2,
      full_day: false,
    });
  });

  it('400 without times, name, or the numbers that force_calc_custom_hours needs, all at once', async () => {
    const { enterprise } = await newEnterpriseWithAbsences();
    const response = await enterprise('updatePublicAbsence', { body: { absence: { force_calc_custom_hours: true } } });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['ends_at', 'id', 'paid_hours', 'starts_at', 'vacation_days']);
  });

  it('400 for times in the wrong order, 404 for an unknown absence', async () => {
    const { enterprise, newAbsence } = await newEnterpriseWithAbsences();
    const { id } = await newAbsence();
    const times = { starts_at: '2026-03-02', ends_at: '2026-03-01' };
    expect(pointersIn(await enterprise('updatePublicAbsence', { body: { absence: { id, ...times } } }))).toEqual([
      'ends_at',
    ]);
    for (const name of [{ id: 999999999 }, { external_id: 'nothing' }]) {
      expect((await enterprise('updatePublicAbsence', { body: { absence: { ...name, ...times } } })).status).toBe(404);
    }
  });
});

describe('confirmPublicAbsence, rejectPublicAbsence and resetPublicAbsence', () => {
  const states = [
    ['confirmPublicAbsence', true],
    ['rejectPublicAbsence', false],
    ['resetPublicAbsence', null],
  ] as const;

  it('200 from any state to the requested one, with times in local form', async () => {
    const { enterprise, newAbsence } = await newEnterpriseWithAbsences();
    const { id } = await newAbsence({ external_id: 'leave-7' });
    for (const [before] of states) {
      for (const [operation, confirmed] of states) {
        await enterprise(before, { body: { absence: { id } } });
        for (const absence of [{ id }, { external_id: 'leave-7' }]) {
          const { status, body } = await enterprise(operation, { body: { absence } });
          expect([status, body.confirmed, body.confirmed_by, body.starts_at]).toEqual([
            200,
            confirmed,
            null,
            '2026-03-02T00:00:00+01:00',
          ]);
          expect(body.confirmed_at).toEqual(confirmed ? utc : null);
          expect(body.absence_type_external_id).toBe('leave');
        }
      }
    }
  });

  it('400 without a name, 404 for an unknown absence', async () => {
    const { enterprise } = await newEnterpriseWithAbsences();
    for (const [operation] of states) {
      expect(pointersIn(await enterprise(operation, { body: { absence: {} } }))).toEqual(['id']);
      expect((await enterprise(operation, { body: {} })).status).toBe(400);
      expect((await enterprise(operation, { body: { absence: { id: 999999999 } } })).status).toBe(404);
      expect((await enterprise(operation, { body: { absence: { external_id: 'nothing' } } })).status).toBe(404);
    }
  });
});

describe('deletePublicAbsence', () => {
  it('200 without a body, named in the body or in the query, and its external id is free', async () => {
    const { enterprise, newAbsence } = await newEnterpriseWithAbsences();
    const requests = [
      (id: number) => ({ body: { absence: { id } } }),
      () => ({ body: { absence: { external_id: 'leave-7' } } }),
      (id: number) => ({ query: { id } }),
      () => ({ query: { external_id: 'leave-7' } }),
    ];
    for (const request of requests) {
      const { id } = await newAbsence({ external_id: 'leave-7' });
      const response = await enterprise('deletePublicAbsence', request(id));
      expect([response.status, response.text]).toEqual([200, '']);
      expect((await enterprise('findPublicAbsences', { query: { id } })).status).toBe(404);
      expect((await enterprise('deletePublicAbsence', { query: { id } })).status).toBe(404);
    }
  });

  it('400 without a name', async () => {
    const { enterprise } = await newEnterpriseWithAbsences();
    const response = await enterprise('deletePublicAbsence', { body: {} });
    expect([response.status, titlesIn(response)]).toEqual([400, ['id or external_id is required.']]);
  });
});

describe('one absence', () => {
  it('is the same in both APIs from its creation to its end', async () => {
    const { enterprise, admin, employee, newAbsence, db, accountId } = await newEnterpriseWithAbsences();
    await db
      .updateTable('users')
      .set({ external_id: 'employee' })
      .where('account_id', '=', accountId)
      .where('id', '=', employee.id)
      .execute();
    const { id } = await newAbsence({ user_id: undefined, user_external_id: 'employee', external_id: 'leave-7' });
    const params = { absence_id: id };
    const inV3 = async (person = admin) => (await person.call('getAbsence', { params })).body.data;
    const inV1 = async () => (await enterprise('findPublicAbsences', { query: { external_id: 'leave-7' } })).body;

    const seen = await inV3(employee);
    expect(seen.attributes).toMatchObject({
      title: 'Urlaub',
      external_id: 'leave-7',
      starts_at: '2026-03-01T23:00:00Z',
      ends_at: '2026-03-06T22:59:59Z',
      days: 5,
      hours: 40,
      confirmation_status: 'pending',
      created_by: null,
    });
    expect(seen.relationships.user.data.id).toBe(String(employee.id));

    await enterprise('confirmPublicAbsence', { body: { absence: { external_id: 'leave-7' } } });
    expect((await inV3()).attributes).toMatchObject({ confirmation_status: 'confirmed', confirmed: true });
    expect((await inV3()).relationships.confirmed_by_user.data).toBeNull();

    // The words mean different states in the two APIs, but there is only one state.
    await admin.call('resetAbsence', { params });
    expect(await inV1()).toMatchObject({ confirmed: false, confirmed_at: null });
    await admin.call('rejectAbsence', { params });
    expect(await inV1()).toMatchObject({ confirmed: null });
    await enterprise('rejectPublicAbsence', { body: { absence: { id } } });
    expect((await inV3()).attributes.confirmation_status).toBe('rejected');
    await enterprise('resetPublicAbsence', { body: { absence: { id } } });
    expect((await inV3()).attributes.confirmation_status).toBe('pending');
    await admin.call('confirmAbsence', { params });
    expect(await inV1()).toMatchObject({ confirmed: true, confirmed_by: admin.id });

    await admin.call('updateAbsence', {
      params,
      body: bodyOf('absence', { force_calc_custom_hours: true, hours: 30, days: 4 }),
    });
    expect(await inV1()).toMatchObject({
      force_calc_custom_hours: true,
      paid_hours: 30,
      vacation_days: 4,
      confirmed: true,
    });
    await enterprise('updatePublicAbsence', {
      body: { absence: { id, starts_at: '2026-03-03', ends_at: '2026-03-04', force_calc_custom_hours: false } },
    });
    expect((await inV3()).attributes).toMatchObject({
      starts_at: '2026-03-02T23:00:00Z',
      days: 2,
      hours: 16,
      use_custom_values: false,
    });

    const notes = (await admin.call('listAbsenceNotes', { params })).body.data;
    expect(notes.every((note: { attributes: { type: string } }) => note.attributes.type === 'SystemNote')).toBe(true);
    expect(notes[0].attributes.content).toContain('API created the absence');
    await enterprise('deletePublicAbsence', { query: { external_id: 'leave-7' } });
    expect((await admin.call('getAbsence', { params })).status).toBe(404);
  });

  it('made by a user shows their id in the public API', async () => {
    const { enterprise, employee, typeId } = await newEnterpriseWithAbsences();
    const attributes = { absence_type_id: typeId, starts_at: '2026-03-02T08:00:00Z', ends_at: '2026-03-02T12:00:00Z' };
    const { body } = await employee.call('createAbsence', { body: bodyOf('absence', attributes) });
    expect((await enterprise('findPublicAbsences', { query: { id: body.data.id } })).body).toMatchObject({
      created_by: employee.id,
      user_id: employee.id,
    });
  });
});
