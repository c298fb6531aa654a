import { describe, expect, it } from 'vitest';
import { at, daysOf } from '../../../support/absences.ts';
import { newEnterpriseWithAbsences, type EnterpriseWithAbsences } from '../../../support/enterprise_absences.ts';
import { bodyOf } from '../../../support/world.ts';

/** From the first zone to the last it is never the same date everywhere. Two of them have a day on which midnight occurs twice. */
const zones = ['Pago Pago', 'Havana', 'St Johns', 'Azores', 'Berlin', 'Kiritimati'];
/** Over the change of clocks of the Azores, Berlin and Havana. */
const dates = { starts_at: '2026-10-25', ends_at: '2026-11-01' };

const moveUser = ({ admin, userId }: EnterpriseWithAbsences, time_zone: string) =>
  admin.call('updateUser', { params: { user_id: userId }, body: bodyOf('user', { time_zone }) });

const shown = async ({ enterprise }: EnterpriseWithAbsences, id: number) =>
  (await enterprise('findPublicAbsences', { query: { id } })).body;

const put = async ({ enterprise }: EnterpriseWithAbsences, absence: object) => {
  const { status, body } = await enterprise('updatePublicAbsence', { body: { absence } });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
};

const withoutChange = ({ updated_at: _, ...rest }: Record<string, unknown>) => rest;

describe('updatePublicAbsence', () => {
  it('200 and changes nothing where it gets back what is shown of full days, in every pair of zones', async () => {
    const world = await newEnterpriseWithAbsences();
    for (const zoneOfUser of zones) {
      await moveUser(world, zoneOfUser);
      for (const time_zone of zones) {
        const { id } = await world.newAbsence({ ...dates, time_zone });
        const [before, days] = [await shown(world, id), await daysOf(world, String(id))];
        const pair = `${zoneOfUser} and ${time_zone}`;
        expect([pair, before.starts_at.slice(0, 10), before.ends_at.slice(0, 10)]).toEqual([
          pair,
          ...Object.values(dates),
        ]);
        const inUtc = await put(world, before);
        await put(world, inUtc);
        expect([pair, withoutChange(await shown(world, id))]).toEqual([pair, withoutChange(before)]);
        expect([pair, await daysOf(world, String(id))]).toEqual([pair, days]);
      }
    }
  });

  it('200 and one day longer where the end that is shown moves by a day', async () => {
    const world = await newEnterpriseWithAbsences();
    const { id } = await world.newAbsence({ starts_at: '2026-03-02', ends_at: '2026-03-04', time_zone: 'Auckland' });
    const before = await shown(world, id);
    expect(before).toMatchObject({ starts_at: '2026-03-02T00:00:00+13:00', ends_at: '2026-03-04T23:59:59+13:00' });
    await put(world, { ...before, ends_at: '2026-03-05T23:59:59+13:00' });
    expect(await shown(world, id)).toMatchObject({ vacation_days: 4, ends_at: '2026-03-05T23:59:59+13:00' });
    const inUtc = await put(world, { id, starts_at: before.starts_at, ends_at: '2026-03-03T23:59:59+13:00' });
    expect(inUtc).toMatchObject({ vacation_days: 2, ends_at: '2026-03-03T10:59:59Z' });
    await put(world, { ...inUtc, ends_at: '2026-03-04T10:59:59Z' });
    expect(await shown(world, id)).toMatchObject({ vacation_days: 3 });
  });

  it('200 and keeps the amount of a confirmed absence, although target hours have changed since', async () => {
    const world = await newEnterpriseWithAbsences();
    const { id } = await world.newAbsence();
    const custom = await world.newAbsence({ force_calc_custom_hours: true, paid_hours: 9, vacation_days: 2 });
    for (const absence of [{ id }, { id: custom.id }])
      await world.enterprise('confirmPublicAbsence', { body: { absence } });
    const params = { user_id: world.userId };
    const monday = bodyOf('target_hour', { start_date: '2026-03-02', is_mon: true, mon: 4 });
    expect((await world.admin.call('createTargetHour', { params, body: monday })).status).toBe(201);
    for (const one of [id, custom.id]) {
      const [before, days] = [await shown(world, one), await daysOf(world, String(one))];
      await put(world, before);
      expect(withoutChange(await shown(world, one))).toEqual(withoutChange(before));
      expect(await daysOf(world, String(one))).toEqual(days);
    }
  });

  it('200 with another zone: the times are dates there, and an empty text means the zone of the user', async () => {
    const world = await newEnterpriseWithAbsences();
    const { id } = await world.newAbsence({ time_zone: 'Auckland' });
    const times = { starts_at: '2026-03-02T20:00:00Z', ends_at: '2026-03-04T20:00:00Z' };
    expect(await put(world, { id, ...times, time_zone: 'Auckland' })).toMatchObject({
      starts_at: '2026-03-02T11:00:00Z',
    });
    expect(await put(world, { id, ...times, time_zone: '' })).toMatchObject({
      starts_at: '2026-03-01T23:00:00Z',
      time_zone: 'Berlin',
      vacation_days: 3,
    });
  });
});

describe('updateAbsence', () => {
  it('200 and changes nothing with the times that are shown, before the new zone of the workspace has arrived', async () => {
    const world = await newEnterpriseWithAbsences();
    const { id } = await world.newAbsence();
    const days = await daysOf(world, String(id));
    const { attributes } = (await world.admin.call('getAbsence', at(id))).body.data;
    await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: 'New York' }) });
    const { starts_at, ends_at, full_day } = attributes;
    const sent = at(id, { body: bodyOf('absence', { starts_at, ends_at, full_day }) });
    const { body } = await world.admin.call('updateAbsence', sent);
    expect(body.data.attributes).toMatchObject({ starts_at, ends_at, days: 5, system_notes_count: 1 });
    expect(await daysOf(world, String(id))).toEqual(days);
  });
});
