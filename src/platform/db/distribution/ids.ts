import { sql, type Kysely } from 'kysely';
import type { DB } from '../../../../generated/db.ts';

/*
 * Ids where rows are distributed. Each server draws them by itself, in the order of time: the microseconds since 2026, moved forward
 * by less than a hundredth of a second to the next number of a series of its own. So they stay below 10^15 until 2057, and are exact
 * as JSON numbers. A series has every fifth number, counted by a sequence: two draws of one server differ as long as it draws fewer
 * than 200,000 a second, and those of the coordinator and of a worker always differ. Ids are unique within an account.
 */

/** The tables whose ids the coordinator draws one by one: its directories have them too. */
const numberedByCoordinator = ['accounts', 'users', 'workspaces'];

/** Creates the function that draws an id, and the sequence of its series. */
export async function setUpIds(db: Kysely<DB>): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('id_counter') is not null as found`.execute(db);
  if (rows[0]!.found) return;
  await db.transaction().execute(async (tx) => {
    await sql`create sequence id_counter`.execute(tx);
    await sql`
      create or replace function next_id(counter regclass) returns bigint language sql volatile as $$
        select moment + (nextval(counter) * 5 + case groupid when 0 then 0 else 1 + groupid % 4 end + 10000000000000000 - moment) % 10000
        from (select (extract(epoch from clock_timestamp() - timestamptz '2026-01-01 00:00Z') * 1000000)::bigint as moment) clock,
          pg_dist_local_group
      $$`.execute(tx);
  });
}

/** Has the ids of a table drawn by the server that inserts. Citus takes the sequence to the workers with the table. */
export async function drawIdsByTime(db: Kysely<DB>, table: string): Promise<void> {
  const { rows } = await sql`
    select from pg_attribute where attrelid = ${table}::regclass and attname = 'id' and attidentity = 'd'`.execute(db);
  if (rows.length === 0 || numberedByCoordinator.includes(table)) return;
  await sql`
    alter table ${sql.table(table)} alter column id drop identity, alter column id set default next_id('id_counter')`.execute(
    db,
  );
}
