import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { inboxOf } from '../../../../support/notifications.ts';
import { insertAbsence, insertArea } from '../../../../support/records.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const drain = async () => (await service()).jobs.drain();

const batch = (person: Person, attributes: object) =>
  person.call('batchAbsences', { body: bodyOf('batch_action', attributes) });

/** Runs a batch to its end, and returns its progress. */
async function run(person: Person, attributes: object) {
  const { status, body } = await batch(person, attributes);
  expect([status, body]).toEqual([200, body]);
  await drain();
  const { batch_id } = body.meta;
  return (await person.call('getBatchAction', { params: { batch_id } })).body.data.attributes;
}

const shown = async (person: Person, absence_id: number) =>
  (await person.call('getAbsence', { params: { absence_id } })).body.data.attributes;

const states = async (world: World): Promise<Record<string, string>> => {
  const rows = await world.db
    .selectFrom('absences')
    .select(['id', 'confirmation_status'])
    .where('account_id', '=', world.accountId)
    .orderBy('id')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.id, row.confirmation_status]));
};

const setState = (world: World, id: number, confirmation_status: string) =>
  world.db
    .updateTable('absences')
    .set({ confirmation_status })
    .where('account_id', '=', world.accountId)
    .where('id', '=', id)
    .execute();

describe('batchAbsences with a decision', () => {
  it.each([
    ['confirm', 'confirmed', true],
    ['reject', 'rejected', false],
    ['reset', 'pending', null],
  ])('200 and %s makes absences %s, with a note and a notification each', async (action, status, confirmed) => {
    const world = await newWorld();
    const { admin, employee } = world;
    const ids = [await insertAbsence(world, employee.id), await insertAbsence(world, employee.id)];
    for (const id of ids) await setState(world, id, action === 'reset' ? 'confirmed' : 'pending');
    const progress = await run(admin, { action, ids: { 0: ids[0], 1: String(ids[1]) } });
    expect(progress).toMatchObject({ action, state: 'finished', total: 2, done: 2, failed: 0, failures: [] });
    for (const id of ids)
      expect(await shown(admin, id)).toMatchObject({ confirmation_status: status, confirmed, system_notes_count: 1 });
    expect(await inboxOf(employee)).toHaveLength(2);
  });

  it('200 and leaves an absence alone that is in that state already', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [confirmed, rejected] = [await insertAbsence(world, employee.id), await insertAbsence(world, employee.id)];
    await run(admin, { action: 'confirm', ids: [confirmed] });
    await setState(world, rejected, 'rejected');
    const before = await shown(admin, confirmed);
    expect(await run(admin, { action: 'confirm', ids: [confirmed, rejected] })).toMatchObject({ done: 2, failed: 0 });
    expect(await shown(admin, confirmed)).toEqual(before);
    expect(await shown(admin, rejected)).toMatchObject({ confirmation_status: 'confirmed', system_notes_count: 1 });
  });

  it('200 with all decides about what is pending, of the users in the areas of an area admin', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [areaAdmin, outsider] = [await world.addMember('areaAdmin'), await world.addMember('employee', 'outsider')];
    await insertArea(world, 'Bar', [areaAdmin.id, employee.id]);
    const [pending, rejected, foreign] = [
      await insertAbsence(world, employee.id),
      await insertAbsence(world, employee.id),
      await insertAbsence(world, outsider.id),
    ];
    await setState(world, rejected, 'rejected');
    expect(await run(areaAdmin, { action: 'confirm', all: true })).toMatchObject({ total: 1, done: 1 });
    expect(await states(world)).toEqual({ [pending]: 'confirmed', [rejected]: 'rejected', [foreign]: 'pending' });
    expect(await run(admin, { action: 'reset', all: true })).toMatchObject({ total: 2, done: 2 });
    expect(new Set(Object.values(await states(world)))).toEqual(new Set(['pending']));
  });

  it('200 with all and a filter decides about what matches', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const colleague = await world.addMember('employee', 'colleague');
    const [own, other] = [await insertAbsence(world, employee.id), await insertAbsence(world, colleague.id)];
    const none = { overlapping_with_range: '2020-01-01_2020-01-31' };
    expect(await run(admin, { action: 'reject', all: true, filter: none })).toMatchObject({ total: 0, done: 0 });
    const filter = { user_id: String(employee.id) };
    expect(await run(admin, { action: 'reject', all: true, filter })).toMatchObject({ total: 1, done: 1 });
    expect(await states(world)).toEqual({ [own]: 'rejected', [other]: 'pending' });
  });

  it('200 and reports an absence that is deleted before the batch runs', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [gone, left] = [await insertAbsence(world, employee.id), await insertAbsence(world, employee.id)];
    const { body } = await batch(admin, { action: 'confirm', ids: [gone, left] });
    await admin.call('deleteAbsence', { params: { absence_id: gone } });
    await drain();
    const { batch_id } = body.meta;
    const { attributes } = (await admin.call('getBatchAction', { params: { batch_id } })).body.data;
    expect(attributes).toMatchObject({
      done: 1,
      failed: 1,
      failures: [{ id: String(gone), type: 'absence', reason: 'The absence is no longer there.' }],
    });
  });

  it('400 for ids that are unknown or not administered, missing ids, an unknown filter and one that does not fit', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const areaAdmin = await world.addMember('areaAdmin');
    await insertArea(world, 'Bar', [areaAdmin.id]);
    const foreign = await insertAbsence(world, employee.id);
    const refusals: [Person, object, string][] = [
      [admin, { action: 'confirm', ids: [foreign, 4711] }, 'ids'],
      [admin, { action: 'confirm', ids: ['x'] }, 'ids'],
      [areaAdmin, { action: 'confirm', ids: [foreign] }, 'ids'],
      [admin, { action: 'reset' }, 'ids'],
      [admin, { action: 'reject', all: false }, 'ids'],
      [admin, { action: 'approve', ids: [foreign] }, 'action'],
      [admin, { action: 'confirm', all: true, filter: { naem: 'x' } }, 'filter/naem'],
      [admin, { action: 'confirm', all: true, filter: { user_id: null } }, 'filter/user_id'],
      [admin, { action: 'confirm', all: true, filter: null }, 'filter'],
      [admin, { action: 'confirm', all: true, filter: { user_id: 'x' } }, 'filter[user_id]'],
      [
        admin,
        { action: 'confirm', all: true, filter: { overlapping_with_range: 'May' } },
        'filter[overlapping_with_range]',
      ],
    ];
    for (const [person, attributes, pointer] of refusals) {
      const response = await batch(person, attributes);
      expect([attributes, response.status, pointersIn(response)]).toEqual([attributes, 400, [pointer]]);
    }
    expect(await states(world)).toEqual({ [foreign]: 'pending' });
  });

  it('403 for an employee', async () => {
    const { employee } = await newWorld();
    expect((await batch(employee, { action: 'confirm', ids: [] })).status).toBe(403);
  });
});
