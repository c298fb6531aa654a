import pg from 'pg';
import { accountId, apiToken, firstAreaOf } from '../data_set.ts';
import type { Options } from '../options.ts';
import type { Server } from '../processes.ts';

/** How a roster that asks for many shifts at the same moment is answered. */
export interface AssignmentFigures {
  readonly shifts: number;
  /** How many requests got no answer or an error, in all rounds. */
  readonly failed: number;
  /** Seconds until the last request of a round is answered. */
  readonly seconds: number[];
}

/** How many shifts a roster asks for, and how many users each of them has. */
const shifts = 500;
const usersPerShift = 3;

/** Asks for the assignments of 500 shifts at the same moment, each with a request and a connection of its own, as a web page does. */
export async function measureAssignments(
  { url }: Pick<Server, 'url'>,
  databaseUrl: string,
  { dataSet, rounds }: Pick<Options, 'dataSet' | 'rounds'>,
  say: (text: string) => void,
): Promise<AssignmentFigures> {
  const ids = await planShifts(databaseUrl, dataSet);
  const figures = { shifts, failed: 0, seconds: [] as number[] };
  for (let round = 1; round <= rounds; round++) {
    const begin = performance.now();
    const answers = await Promise.all(ids.map((id) => usersOf(url, id)));
    const seconds = (performance.now() - begin) / 1000;
    const failed = answers.filter((users) => users !== usersPerShift).length;
    figures.failed += failed;
    figures.seconds.push(seconds);
    say(`Assignments ${round} of ${rounds}: ${seconds.toFixed(2)} s for ${shifts} shifts, ${failed} failed.`);
  }
  return figures;
}

/** Shifts of the first workspace with their users. */
async function planShifts(databaseUrl: string, { workspaces: [workspace] }: Options['dataSet']): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `with shift as (
         insert into shifts (account_id, uuid, workspace_id, area_id, starts_at, ends_at, visible, created_at, updated_at)
         select $1, gen_random_uuid(), $2, $3, '2026-06-08T06:00Z', '2026-06-08T14:00Z', true, now(), now() from generate_series(1, $4::int)
         returning account_id, id, starts_at, ends_at
       ), assignment as (
         insert into assignments (account_id, shift_id, user_id, application, starts_at, ends_at, created_at)
         select shift.account_id, shift.id, member.user_id, false, shift.starts_at, shift.ends_at, now()
         from shift, (select user_id from memberships where account_id = $1 and workspace_id = $2 order by user_id limit $5) member
       )
       select id from shift`,
      [accountId, workspace!.id, firstAreaOf(workspace!), shifts, usersPerShift],
    );
    await client.query('vacuum (analyze) shifts, assignments');
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

/** How many users an answer names; -1 where there is none. */
async function usersOf(url: string, shiftId: string): Promise<number> {
  try {
    const response = await fetch(`${url}/public_api/v1/assignments?api_token=${apiToken}&shift_id=${shiftId}`, {
      signal: AbortSignal.timeout(30_000),
    });
    const { users } = (await response.json()) as { users?: { assigned: readonly unknown[] } };
    return users?.assigned.length ?? -1;
  } catch {
    return -1;
  }
}
