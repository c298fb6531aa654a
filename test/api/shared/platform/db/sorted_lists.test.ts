import { sql, type SelectQueryBuilder } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { DB } from '../../../../../generated/db.ts';
import { listFilters } from '../../../../../generated/list_filters.ts';
import { boundOfSort } from '../../../../../src/platform/db/list/bounds.ts';
import { number } from '../../../../../src/platform/db/list/filters.ts';
import { list } from '../../../../../src/platform/db/list/list.ts';
import { timeTrackingCollection } from '../../../../../src/working_time/time_trackings/list/list.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { at, punch } from '../../../../support/punches.ts';
import { insertTimeTracking } from '../../../../support/records.ts';
import { newWorld, type Person, type World } from '../../../../support/world.ts';

/*
 * A list of any length can be sorted by what an index has. For any other order all its rows are read, so it must not be long.
 */

const ask = (person: Person, operationId: 'listTimeTrackings' | 'listActions', query: string) =>
  person.call(operationId, { query: `items=2&${query}` });

/** The actions' attributes by which a list that is too long for any other order can be sorted. */
async function sortableActions(person: Person): Promise<string[]> {
  const sortable: string[] = [];
  for (const name of listFilters.listActions.filter((filter) => filter !== 'user_id'))
    if ((await ask(person, 'listActions', `sort=-${name}`)).status === 200) sortable.push(name);
  return sortable;
}

/** Copies an action until there are so many. */
const multiplyActions = ({ db, accountId }: World, count: number) =>
  sql`
    insert into actions (account_id, id, workspace_id, user_id, action_type, action_time, created_at, updated_at)
    select account_id, gen_random_uuid(), workspace_id, user_id, action_type, action_time, created_at, updated_at
    from (select * from actions where account_id = ${accountId} limit 1) one, generate_series(1, ${count}::integer)`.execute(
    db,
  );

describe('listTimeTrackings', () => {
  it('200 for 50,000 in any order, and 400 for more unless an index has it or a filter shortens the list', async () => {
    const world = await newWorld();
    const { db, admin, employee, accountId } = world;
    const id = await insertTimeTracking(world, employee.id);
    await sql`
      insert into time_trackings (account_id, workspace_id, user_id, starts_at, ends_at, actual_starts_at, actual_ends_at, created_by, created_at, updated_at)
      select account_id, workspace_id, user_id, starts_at, ends_at, actual_starts_at, actual_ends_at, created_by, created_at, updated_at
      from time_trackings, generate_series(2, 50000) where account_id = ${accountId} and id = ${id}`.execute(db);
    const most = await ask(admin, 'listTimeTrackings', 'sort=-net_time,starts_at');
    expect([most.status, most.body.meta.total_count]).toEqual([200, 50_000]);

    const longest = await insertTimeTracking(world, admin.id);
    const refused = await ask(admin, 'listTimeTrackings', 'sort=-net_time,starts_at');
    expect([refused.status, pointersIn(refused), titlesIn(refused)]).toEqual([
      400,
      ['sort'],
      [
        'A list of 50001 records cannot be sorted or filtered by net_time. It must have at most 50000: add a filter, for example by user or by time.',
      ],
    ]);
    for (const sort of ['-id', 'starts_at,net_time', '-created_at', '-updated_at'])
      expect([sort, (await ask(admin, 'listTimeTrackings', `sort=${sort}`)).status]).toEqual([sort, 200]);
    const shorter = await ask(admin, 'listTimeTrackings', `sort=-net_time&filter[user_id]=${admin.id}`);
    expect(shorter.body.data.map((record: { id: string }) => record.id)).toEqual([String(longest)]);
  }, 120_000);
});

describe('listActions', () => {
  it('400 for a list by working_session_id of more than 10,000, and 200 for the filters that an index answers', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await punch(employee, 'start', { action_time: at('08:00:00') });
    await punch(employee, 'end', { action_time: at('09:00:00') });
    const [{ attributes }] = (await ask(employee, 'listActions', '')).body.data;
    const session = attributes.working_session_id as string;
    await punch(admin, 'start');
    const counts = async (filter: string) =>
      (await ask(admin, 'listActions', `filter[working_session_id]=${filter}`)).body.meta?.total_count as number;
    const answers = async () => [
      await counts(`eq:${session}`),
      await counts(`in:${session},17`),
      await counts('present:true'),
      await counts('eq:17'),
    ];
    expect(await answers()).toEqual([2, 2, 2, 0]);
    expect([await counts('present:false'), await counts(`ct:${session}`), await counts(`!eq:${session}`)]).toEqual([
      1, 2, 1,
    ]);

    await multiplyActions(world, 9_998);
    expect([await counts('present:false'), await counts(`ct:${session}`)]).toEqual([9_999, undefined]);
    expect(await answers()).toEqual([2, 2, 2, 0]);
    const [sorted, filtered] = [
      await ask(admin, 'listActions', 'sort=-working_session_id'),
      await ask(admin, 'listActions', 'filter[working_session_id]=ct:1'),
    ];
    expect([sorted.status, pointersIn(sorted)]).toEqual([400, ['sort']]);
    expect([filtered.status, pointersIn(filtered)]).toEqual([400, ['filter[working_session_id]']]);
    expect((await ask(admin, 'listActions', 'sort=-updated_at')).status).toBe(200);

    await multiplyActions(world, 40_000);
    expect(await sortableActions(admin)).toEqual(['id', 'action_time', 'created_at']);
  }, 120_000);
});

describe('the index of an order', () => {
  it.each([
    ['time_trackings', 'starts_at', 'time_trackings_by_start'],
    ['time_trackings', 'created_at', 'time_trackings_by_creation'],
    ['time_trackings', 'updated_at', 'time_trackings_by_change'],
    ['actions', 'action_time', 'actions_by_time'],
    ['actions', 'created_at', 'actions_by_creation'],
    ['absences', 'starts_at', 'absences_by_range'],
  ])('exists for %s by %s', async (table, column, index) => {
    const { db } = await newWorld();
    const { rows } = await sql<{ definition: string }>`
      select pg_get_indexdef(indexrelid) as definition from pg_index where indexrelid = ${index}::regclass`.execute(db);
    expect(rows[0]!.definition).toContain(`${table} USING btree (account_id, workspace_id, ${column}, `);
  });
});

describe('the bound of an order', () => {
  it('is found out before any row is sorted', async () => {
    const { db } = await newWorld();
    const ask = (count: number) => {
      const numbers = sql<{ id: number }>`(select number as id from generate_series(1, ${count}::integer) number)`;
      const rows = db.selectFrom(numbers.as('numbers'));
      const columns = { id: number('numbers.id'), fault: number(sql`1 / (numbers.id - numbers.id)`) };
      const visible = rows as unknown as SelectQueryBuilder<DB, 'users', object>;
      const collection = { visible, rows: rows.selectAll(), id: 'numbers.id', columns, timeZone: 'UTC' };
      return list(db, collection, { page: 1, items: 1, outset: 0, sort: ['fault'], filter: {} });
    };
    await expect(ask(50_000)).rejects.toThrow('division by zero');
    await expect(ask(50_001)).rejects.toMatchObject({ status: 400 });
  });

  it('is there for each attribute of time trackings that no index has', async () => {
    const { db } = await newWorld();
    const shape = { rank: 4, timeZone: 'UTC', hasPermissions: false } as const;
    const values = { accountId: 1, userId: 1, areaIds: [], workspaceId: 1, now: new Date() };
    const collection = timeTrackingCollection(db, shape, values);
    const boundOf = (name: string) => boundOfSort(collection, [`-${name}`])?.maxRows;
    const names = Object.keys(collection.columns);
    expect(names.filter((name) => boundOf(name) === undefined)).toEqual([
      'id',
      'status',
      'starts_at',
      'created_at',
      'updated_at',
    ]);
    expect(names.filter((name) => boundOf(name) === 10_000)).toEqual([
      'system_notes_count',
      'user_notes_count',
      'signatures_count',
      'attachments_count',
    ]);
    expect([boundOfSort(collection, []), boundOfSort(collection, ['unknown'])]).toEqual([null, null]);
  });
});
