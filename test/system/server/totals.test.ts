import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { databaseUrl } from '../../../scripts/databases.ts';
import { serverUrl } from '../../support/database/server_databases.ts';
import { wrongTotals } from '../../support/database/totals.ts';
import { newWorld } from '../../support/world.ts';

/** Pseudo-random numbers, the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield Math.floor(state / 65_536);
  }
}

const start = `timestamptz '2026-01-01' + ($4::integer % 3000) * interval '1 hour'`;

const statements = [
  `insert into time_trackings (account_id, workspace_id, user_id, starts_at, ends_at, actual_starts_at, breaks_s, confirmed, created_by, created_at, updated_at)
   values ($1::bigint, $2::bigint, $3::bigint, ${start}, ${start} + ($4::integer % 50000 + 1) * interval '1 second', ${start}, $4::integer % 4000,
     $4::integer % 3 = 0, 'admin', now(), now())`,
  `update time_trackings set confirmed = not confirmed where account_id = $1::bigint and workspace_id = $2::bigint and $3::bigint > 0 and id % 97 = $4::integer % 97`,
  `update time_trackings set starts_at = (starts_at at time zone 'UTC' - ($4::integer % 90000) * interval '1 second') at time zone 'UTC' where account_id = $1::bigint and workspace_id = $2::bigint and $3::bigint > 0 and id % 101 = $4::integer % 101`,
  `update time_trackings set breaks_s = $4::integer % 9000 where account_id = $1::bigint and workspace_id = $2::bigint and $3::bigint > 0 and id % 89 = $4::integer % 89`,
  `update time_trackings set user_id = $3::bigint where account_id = $1::bigint and workspace_id = $2::bigint and ends_at is not null and id % 83 = $4::integer % 83`,
  `delete from time_trackings where account_id = $1::bigint and workspace_id = $2::bigint and $3::bigint > 0 and id % 103 = $4::integer % 103`,
];

describe('the kept totals of time trackings', () => {
  it(
    'are those of a recount after 10,000 operations on 8 connections, some of which are undone or die',
    { timeout: 120_000 },
    async () => {
      const world = await newWorld();
      const { db, accountId, workspaceId } = world;
      const users = [world.employee.id, world.admin.id, (await world.addMember('employee', 'third')).id];
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
      const url = databaseUrl(serverUrl!, rows[0]!.name);
      let done = 0;
      const work = async (seed: number): Promise<void> => {
        const random = numbers(seed);
        let client: pg.Client | undefined;
        for (let index = 0; index < 1250;) {
          if (!client) {
            client = new pg.Client({ connectionString: url });
            client.on('error', () => {});
            await client.connect();
          }
          const [kind, count, end] = [random.next().value, 1 + (random.next().value % 3), random.next().value % 100];
          try {
            await client.query('begin');
            for (let step = 0; step < count; step++, index++) {
              const number = random.next().value;
              // Half of everything adds a row, so that there is something to change.
              const statement = (kind + step) % 2 === 0 ? statements[0]! : statements[number % statements.length]!;
              await client.query(statement, [accountId, workspaceId, users[number % 3], number]);
              done++;
            }
            if (end < 2) {
              await client.query('select pg_terminate_backend(pg_backend_pid())');
            } else await client.query(end < 10 ? 'rollback' : 'commit');
          } catch (error) {
            const { code } = error as { code?: string };
            if (code === '40P01') await client.query('rollback');
            else if (code === '57P01' || code === undefined) client = undefined;
            else throw error;
          }
        }
        await client?.end();
      };
      await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(work));
      expect(done).toBeGreaterThan(9_500);
      expect(await wrongTotals(db, accountId)).toEqual([]);
      const { trackings } = await db
        .selectFrom('time_tracking_totals')
        .select((eb) => eb.fn.sum<number>('trackings').as('trackings'))
        .where('account_id', '=', accountId)
        .where('user_id', '=', 0)
        .where('day', '=', '-infinity')
        .executeTakeFirstOrThrow();
      expect(trackings).toBeGreaterThan(500);
    },
  );
});
