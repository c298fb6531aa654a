import { describe, expect, it } from 'vitest';
import type { OpenTransaction } from '../../../../src/platform/db/open_transaction.ts';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import {
  addSystemNotes,
  createNote,
  deleteNote,
  listNotes,
  notesByIds,
  updateNote,
} from '../../../../src/platform/notes/notes.ts';
import { actorOf, insertArea, owners } from '../../../support/records.ts';
import { newWorld, type World } from '../../../support/world.ts';

const now = new Date('2026-03-02T10:00:00Z');
const later = new Date('2026-03-02T11:00:00Z');
const firstPage = { page: 1, items: 20, outset: 0, sort: [], filter: {} };

const writing = <T>({ db, accountId }: World, work: (tx: OpenTransaction) => Promise<T>): Promise<T> =>
  forAccount(db, accountId, work);

describe.each(owners)('notes of %s', (_what, makeOwner) => {
  it('have their author and their role at that time', async () => {
    const world = await newWorld();
    const [owner, employee, admin] = [
      await makeOwner(world),
      await actorOf(world, world.employee),
      await actorOf(world, world.admin),
    ];
    expect(await writing(world, (tx) => createNote(tx, employee, owner, 'Late.', now))).toMatchObject({
      type: 'UserNote',
      author: 'employee',
      author_role: 'employee',
    });
    expect(await writing(world, (tx) => createNote(tx, admin, owner, 'Fine.', now))).toMatchObject({
      author: 'admin',
      author_role: 'admin',
    });
    await addSystemNotes(world.db, world.accountId, [{ owner, content: 'Created.' }], now);
    const { rows, paging } = await listNotes(world.db, employee, owner, firstPage);
    expect(rows.map(({ content, author }) => [content, author])).toEqual([
      ['Late.', 'employee'],
      ['Fine.', 'admin'],
      ['Created.', null],
    ]);
    expect(paging.total_count).toBe(3);
    expect(
      (await listNotes(world.db, employee, owner, { ...firstPage, filter: { type: 'eq:SystemNote' } })).rows,
    ).toHaveLength(1);
  });

  it('are changed only by their author', async () => {
    const world = await newWorld();
    const [owner, employee, admin] = [
      await makeOwner(world),
      await actorOf(world, world.employee),
      await actorOf(world, world.admin),
    ];
    const { id } = await writing(world, (tx) => createNote(tx, employee, owner, 'Late.', now));
    await expect(writing(world, (tx) => updateNote(tx, admin, owner, id, 'No.', later))).rejects.toMatchObject({
      status: 403,
    });
    expect(await writing(world, (tx) => updateNote(tx, employee, owner, String(id), 'At nine.', later))).toMatchObject({
      content: 'At nine.',
      created_at: now,
      updated_at: later,
    });
  });

  it('are deleted by their author and by admins of the record, not by others who may read it', async () => {
    const world = await newWorld();
    const [inside, outside] = [await world.addMember('areaAdmin'), await world.addMember('areaAdmin')];
    await insertArea(world, 'Bar', [inside.id, world.employee.id]);
    await insertArea(world, 'Kitchen', [outside.id]);
    const [owner, employee] = [await makeOwner(world), await actorOf(world, world.employee)];
    for (const [person, status] of [
      [world.employee, 200],
      [inside, 200],
      [world.admin, 200],
      [outside, 403],
    ] as const) {
      const { id } = await writing(world, (tx) => createNote(tx, employee, owner, 'Late.', now));
      const actor = await actorOf(world, person);
      const deletion = writing(world, (tx) => deleteNote(tx, actor, owner, id, later));
      if (status === 200) expect(await deletion).toMatchObject({ id, content: 'Late.' });
      else await expect(deletion).rejects.toMatchObject({ status });
      expect(await notesByIds(world.db, employee, [id])).toHaveLength(status === 200 ? 0 : 1);
    }
  });

  it('of the service, of other records and of other accounts cannot be addressed', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const [owner, another, admin] = [await makeOwner(world), await makeOwner(world), await actorOf(world, world.admin)];
    await addSystemNotes(world.db, world.accountId, [{ owner, content: 'Created.' }], now);
    const [system] = (await listNotes(world.db, admin, owner, firstPage)).rows;
    const { id } = await writing(world, (tx) => createNote(tx, admin, owner, 'Fine.', now));
    for (const [where, ref] of [
      [owner, system!.id],
      [another, id],
      [owner, 'abc'],
      [owner, '99999999999999999999'],
    ] as const) {
      await expect(writing(world, (tx) => updateNote(tx, admin, where, ref, 'No.', later))).rejects.toMatchObject({
        status: 404,
      });
      await expect(writing(world, (tx) => deleteNote(tx, admin, where, ref, later))).rejects.toMatchObject({
        status: 404,
      });
    }
    const stranger = await actorOf(other, other.admin);
    await expect(writing(other, (tx) => deleteNote(tx, stranger, owner, id, later))).rejects.toMatchObject({
      status: 404,
    });
    expect(await notesByIds(other.db, stranger, [id])).toEqual([]);
  });
});
