import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../support/client.ts';
import { insertAbsence, insertTimeTracking } from '../../support/records.ts';
import { newWorld, type Person, type World } from '../../support/world.ts';

/*
 * Numbers of notes and files are counted for each row of a list, so such a list must not be long.
 */

const most = 10_000;

/** Copies a record of a table until there are so many. */
async function multiply({ db, accountId }: World, table: Table, id: number, count: number): Promise<void> {
  const columns = sql.join(copied[table].map((name) => sql.ref(name)));
  await db.transaction().execute(async (tx) => {
    // Plans that the connection has kept from smaller tables would read a table for each row.
    await sql`discard plans`.execute(tx);
    await sql`
      insert into ${sql.table(table)} (${columns})
      select ${columns} from ${sql.table(table)}, generate_series(2, ${count}::integer) where id = ${id}`.execute(tx);
    // Otherwise the database adds the days of each absence by itself, one after the other.
    if (table === 'absences')
      await sql`
        insert into absence_days (account_id, absence_id, user_id, date, seconds, parts)
        select account_id, id, user_id, '2026-03-02', 28800, 10000 from absences
        where account_id = ${accountId} and id > ${id}`.execute(tx);
  });
}

type Table = 'time_trackings' | 'absences';

const stored = ['account_id', 'workspace_id', 'user_id', 'starts_at', 'ends_at', 'created_at', 'updated_at'];
const copied = {
  time_trackings: [...stored, 'actual_starts_at', 'actual_ends_at', 'created_by'],
  absences: [...stored, 'uuid', 'secure_id', 'absence_type_id', 'title', 'full_day', 'hours', 'days'],
};

type Insert = (world: World, userId: number) => Promise<number>;
const noteCounts = ['system_notes_count', 'user_notes_count'];
const lists: [string, Table, Insert, string[]][] = [
  ['listTimeTrackings', 'time_trackings', insertTimeTracking, [...noteCounts, 'signatures_count', 'attachments_count']],
  ['listAbsences', 'absences', insertAbsence, [...noteCounts, 'attachments_count']],
];

describe.each(lists)('%s by numbers of other records', (operationId, table, insert, columns) => {
  const ask = (person: Person, query: string) => person.call(operationId, { query: `items=1&${query}` });

  it('200 for a list of 10,000, and 400 for a longer one unless a filter shortens it', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await multiply(world, table, await insert(world, admin.id), most);
    expect((await ask(admin, 'sort=-user_notes_count')).status).toBe(200);
    expect((await ask(admin, 'filter[user_notes_count]=eq:0')).body.meta.total_count).toBe(most);

    await insert(world, employee.id);
    const title = (column: string): string =>
      `A list of 10001 records cannot be sorted or filtered by ${column}. It must have at most 10000: add a filter, for example by user or by time.`;
    for (const column of columns) {
      const sorted = await ask(admin, `sort=starts_at,-${column}`);
      expect([sorted.status, pointersIn(sorted), titlesIn(sorted)]).toEqual([400, ['sort'], [title(column)]]);
      const filtered = await ask(admin, `filter[${column}]=gt:0`);
      expect([filtered.status, pointersIn(filtered)]).toEqual([400, [`filter[${column}]`]]);
      expect(titlesIn(filtered)).toEqual([title(column)]);
    }
    const shorter = await ask(admin, `sort=user_notes_count&filter[user_id]=${employee.id}`);
    expect([shorter.status, shorter.body.meta.total_count]).toEqual([200, 1]);
    // An employee sees only their own.
    expect((await ask(employee, 'sort=user_notes_count')).body.meta.total_count).toBe(1);
    expect((await ask(admin, 'sort=-starts_at')).body.meta.total_count).toBe(most + 1);
  });
});
