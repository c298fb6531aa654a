import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newRoster, newShift, shiftsSeenBy } from '../../../support/shifts/shifts.ts';
import { bodyOf, type Person } from '../../../support/world.ts';

const publish = (person: Person, attributes: object, headers: Record<string, string> = {}) =>
  person.call('createShiftPublication', { body: bodyOf('publication', attributes), headers });
const published = async (person: Person, attributes: object): Promise<number> => {
  const { status, body } = await publish(person, attributes);
  expect(status).toBe(200);
  return body.meta.published_count;
};
const on = (day: string) => ({ starts_at: `2026-06-${day}T08:00:00+02:00`, ends_at: `2026-06-${day}T16:00:00+02:00` });
const week = { from: '2026-06-08', to: '2026-06-14' };

describe('createShiftPublication', () => {
  it('200 publishes the drafts that overlap the days, and counts them', async () => {
    const { admin, employee, bar, kitchen } = await newRoster();
    const inBar = await newShift(admin, { working_area_id: bar, ...on('08') });
    const inKitchen = await newShift(admin, { working_area_id: kitchen, ...on('14') });
    await newShift(admin, { working_area_id: bar, ...on('15') });
    const already = await newShift(admin, { working_area_id: bar, ...on('09'), visible: true });
    expect(await published(admin, { ...week, working_area_ids: [bar] })).toBe(1);
    expect(await shiftsSeenBy(employee)).toEqual([inBar.id, already.id]);
    expect(await published(admin, week)).toBe(1);
    expect(await shiftsSeenBy(employee)).toEqual([inBar.id, already.id, inKitchen.id]);
    expect(await published(admin, week)).toBe(0);
  });

  it('200 publishes the drafts of an area admin alone', async () => {
    const { admin, employee, barAdmin, bar, kitchen } = await newRoster();
    const own = await newShift(admin, { working_area_id: bar, ...on('08') });
    const foreign = await newShift(admin, { working_area_id: kitchen, ...on('08') });
    expect(await published(barAdmin, week)).toBe(1);
    expect(await shiftsSeenBy(employee)).toEqual([own.id]);
    const response = await publish(barAdmin, { ids: [own.id, foreign.id] });
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual([`ids names ${foreign.id}, which is no shift of this workspace that you plan.`]);
  });

  it('200 notifies each user on the shifts once, but not who publishes them', async () => {
    const { admin, employee, bar } = await newRoster();
    for (const day of ['08', '10']) {
      const { id } = await newShift(admin, { working_area_id: bar, ...on(day) });
      const body = bodyOf('event', { user_ids: [employee.id, admin.id] });
      await admin.call('updateShiftUsers', { params: { shift_id: id }, body });
    }
    expect(await published(admin, week)).toBe(2);
    const inbox = async (person: Person) =>
      (await person.call('listNotifications', { query: 'filter[type]=eq:notification' })).body.data;
    const [first, ...others] = await inbox(employee);
    expect(others).toEqual([]);
    expect(first.attributes).toMatchObject({
      title: 'Shifts published',
      message: 'You are on 2 shifts that were published. The first one starts at 2026-06-08T08:00:00+02:00.',
    });
    expect(await inbox(admin)).toEqual([]);
  });

  it('200 publishes shifts by their ids, once for a repeated key', async () => {
    const { admin, bar } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    const headers = { 'Idempotency-Key': `publish-${id}` };
    const counts = [];
    for (let time = 0; time < 2; time++)
      counts.push((await publish(admin, { ids: [id] }, headers)).body.meta.published_count);
    expect(counts).toEqual([1, 1]);
    expect(await published(admin, { ids: [id] })).toBe(0);
  });

  it('400 for neither ids nor days, days in the wrong order, and what is unknown', async () => {
    const { admin } = await newRoster();
    expect(pointersIn(await publish(admin, { from: '2026-06-08' }))).toEqual(['to']);
    const reversed = await publish(admin, { from: '2026-06-08', to: '2026-06-07' });
    expect(titlesIn(reversed)).toEqual(['to must not lie before from, which is 2026-06-08, but was 2026-06-07.']);
    const unknown = await publish(admin, { ids: ['4711'], working_area_ids: ['abc'] });
    expect(pointersIn(unknown)).toEqual(['ids', 'working_area_ids']);
  });

  it('403 for an employee', async () => {
    const { employee } = await newRoster();
    expect((await publish(employee, week)).status).toBe(403);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newRoster();
    expect((await publish(stranger, week)).status).toBe(404);
  });
});
