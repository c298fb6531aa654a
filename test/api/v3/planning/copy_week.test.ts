import { describe, expect, it } from 'vitest';
import { absenceOf } from '../../../support/absences.ts';
import { titlesIn } from '../../../support/client.ts';
import { service } from '../../../support/service.ts';
import { newRoster, newShift, type ShownShift } from '../../../support/shifts/shifts.ts';
import { bodyOf, type Person } from '../../../support/world.ts';

const send = (person: Person, attributes: object, headers: Record<string, string> = {}) =>
  person.call('batchShifts', { body: bodyOf('batch_action', { action: 'copy_week', ...attributes }), headers });

/** Copies a week, waits, and returns the batch. */
async function copy(person: Person, attributes: object, headers: Record<string, string> = {}) {
  const { status, body } = await send(person, attributes, headers);
  expect([status, body.errors]).toEqual([200, undefined]);
  await (await service()).jobs.drain();
  const batch = await person.call('getBatchAction', { params: { batch_id: body.meta.batch_id } });
  return batch.body.data.attributes;
}

const inDays = async (person: Person, range: string): Promise<ShownShift[]> =>
  (await person.call('listShifts', { query: `filter[overlapping_with_range]=${range}&items=100` })).body.data;

const assign = (person: Person, { id }: ShownShift, user_ids: readonly number[]) =>
  person.call('updateShiftUsers', { params: { shift_id: id }, body: bodyOf('event', { user_ids }) });

describe('batchShifts', () => {
  it('200 copies the shifts of a week as drafts, with everything but the users', async () => {
    const { admin, employee, bar, kitchen } = await newRoster();
    const tag = (await admin.call('createTag', { body: bodyOf('tag', { title: 'Terrace' }) })).body.data.id;
    const details = { number_of_employees: 2, note: 'Keys', tag_ids: [tag], visible: true };
    const monday = await newShift(admin, { working_area_id: bar, ...details });
    await assign(admin, monday, [employee.id]);
    // It starts in the next week.
    await newShift(admin, {
      working_area_id: kitchen,
      starts_at: '2026-06-15T00:00:00+02:00',
      ends_at: '2026-06-15T06:00:00+02:00',
    });
    const sunday = { starts_at: '2026-06-14T22:00:00+02:00', ends_at: '2026-06-15T06:00:00+02:00' };
    await newShift(admin, { working_area_id: kitchen, ...sunday });
    const batch = await copy(admin, { from_week: '2026-W24', to_week: '2026-W26' });
    expect(batch).toMatchObject({ action: 'copy_week', state: 'finished', total: 2, done: 2, failed: 0 });
    const copies = await inDays(admin, '2026-06-22_2026-06-28');
    expect(copies.map(({ attributes }) => attributes['starts_at'])).toEqual([
      '2026-06-22T06:00:00Z',
      '2026-06-28T20:00:00Z',
    ]);
    expect(copies[0]!.attributes).toMatchObject({
      number_of_employees: 2,
      note: 'Keys',
      visible: false,
      edited: false,
    });
    expect(copies[0]!.relationships).toMatchObject({
      working_area: { data: { id: String(bar) } },
      tags: { data: [{ id: tag }] },
      users: { data: [] },
    });
  });

  it('200 keeps the local times when the clocks change', async () => {
    const { admin, bar } = await newRoster();
    // In Berlin, summer time begins on 29 March 2026.
    const night = { starts_at: '2026-03-21T22:00:00+01:00', ends_at: '2026-03-22T06:00:00+01:00' };
    await newShift(admin, { working_area_id: bar, ...night });
    await copy(admin, { from_week: '2026-W12', to_week: '2026-W13' });
    const [copied] = await inDays(admin, '2026-03-28_2026-03-28');
    expect(copied!.attributes).toMatchObject({ starts_at: '2026-03-28T21:00:00Z', ends_at: '2026-03-29T04:00:00Z' });
  });

  it('200 with users, without those who cannot come', async () => {
    const roster = await newRoster();
    const { admin, employee, barAdmin, bar } = roster;
    const shift = await newShift(admin, { working_area_id: bar });
    await assign(admin, shift, [employee.id, barAdmin.id]);
    await absenceOf(roster, admin, {
      user_id: employee.id,
      starts_at: '2026-06-15T00:00:00+02:00',
      ends_at: '2026-06-15T23:59:59+02:00',
      full_day: true,
    });
    const batch = await copy(admin, { from_week: '2026-W24', to_week: '2026-W25', with_users: true });
    const [copied] = await inDays(admin, '2026-06-15_2026-06-21');
    expect(copied!.relationships['users']!.data).toEqual([{ type: 'user', id: String(barAdmin.id) }]);
    expect(batch).toMatchObject({ done: 0, failed: 1 });
    expect(batch.failures).toEqual([
      {
        id: shift.id,
        type: 'event',
        reason: `The shift was copied as ${copied!.id}, without the users ${employee.id}: they left the workspace, are absent, on another shift, or would rest too little.`,
      },
    ]);
  });

  it('200 twice with one Idempotency-Key copies once', async () => {
    const { admin, bar } = await newRoster();
    const shift = await newShift(admin, { working_area_id: bar });
    const headers = { 'Idempotency-Key': `copy-${shift.id}` };
    const weeks = { from_week: '2026-W24', to_week: '2026-W25' };
    const batches = [await copy(admin, weeks, headers), await copy(admin, weeks, headers)];
    expect(batches[1]).toEqual(batches[0]);
    expect(await inDays(admin, '2026-06-15_2026-06-21')).toHaveLength(1);
  });

  it('200 copies what an area admin plans, in the areas that are named', async () => {
    const { admin, barAdmin, bar, kitchen } = await newRoster();
    for (const working_area_id of [bar, kitchen]) await newShift(admin, { working_area_id, visible: true });
    expect(await copy(barAdmin, { from_week: '2026-W24', to_week: '2026-W25' })).toMatchObject({ total: 1, done: 1 });
    const [copied] = await inDays(admin, '2026-06-15_2026-06-21');
    expect(copied!.relationships['working_area']!.data).toEqual({ type: 'area', id: String(bar) });
    const named = { from_week: '2026-W24', to_week: '2026-W27', working_area_ids: [kitchen] };
    expect(await copy(admin, named)).toMatchObject({ total: 1, done: 1 });
  });

  it('400 for weeks that do not exist, the same week, and unknown areas', async () => {
    const { admin } = await newRoster();
    // 2025 has 52 weeks.
    const missing = await send(admin, { from_week: '2025-W53', to_week: '2026-W53', working_area_ids: [4711] });
    expect(titlesIn(missing)).toEqual([
      'from_week must be a week that exists, like 2026-W24, but was "2025-W53".',
      'working_area_ids names 4711, which is no active area of this workspace.',
    ]);
    const same = await send(admin, { from_week: '2026-W24', to_week: '2026-W24' });
    expect(titlesIn(same)).toEqual(['to_week must be another week than from_week, but was "2026-W24".']);
    expect(titlesIn(await send(admin, { from_week: 'June', to_week: 'July' })).sort()).toEqual([
      'from_week must be a week that exists, like 2026-W24, but was "June".',
      'to_week must be a week that exists, like 2026-W24, but was "July".',
    ]);
  });

  it('403 for an employee', async () => {
    const { employee } = await newRoster();
    expect((await send(employee, { from_week: '2026-W24', to_week: '2026-W25' })).status).toBe(403);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newRoster();
    expect((await send(stranger, { from_week: '2026-W24', to_week: '2026-W25' })).status).toBe(404);
  });
});
