import { openDatabase } from '../../../src/db/connection.ts';
import { keepMonthsOf } from '../../../src/time_account/keep_months.ts';
import { accountId, adminId, tokenOf, type DataSet, type Workspace } from '../data_set.ts';
import type { LoadGenerator, Sent } from '../loading.ts';
import type { Options } from '../options.ts';
import type { Server } from '../processes.ts';
import { measureReads, type Figures } from '../rounds.ts';
import type { ReadRow } from '../rows.ts';

/* Time accounts. No other contender has them, so their times are compared with each other. */

/** The ledger of a user and year, and summaries of one user and of many, in workspaces with much and with little history. */
export function timeAccountRows({ workspaces }: DataSet): ReadRow[] {
  const [large, , small] = workspaces as [Workspace, Workspace, Workspace];
  const get = (path: string): Sent => ({
    method: 'GET',
    path: `/api/v3/workspaces/${path}`,
    headers: { authorization: `Bearer ${tokenOf(adminId)}` },
  });
  const usersOf = ({ firstUser, users }: Workspace): number[] =>
    Array.from({ length: Math.min(50, users) }, (_, index) => firstUser + index);
  const month = 'from=2026-05-01&to=2026-05-31';
  const summary = (workspace: Workspace) =>
    usersOf(workspace).map((user) => get(`${workspace.id}/summaries/users?${month}&filter%5Buser_id%5D=${user}`));
  return [
    {
      name: 'ledger_year',
      about: 'days of one user and a year',
      requests: usersOf(large).map((user) => get(`${large.id}/users/${user}/days?from=2025-07-01&to=2026-06-30`)),
    },
    {
      name: 'summary_small',
      about: 'summary of one user and a month, little history',
      requests: summary(small),
    },
    {
      name: 'summary_large',
      about: 'summary of one user and a month, much history',
      requests: summary(large),
    },
    {
      name: 'summary_many',
      about: `summaries of ${Math.min(500, large.users)} users and a month, much history`,
      requests: [get(`${large.id}/summaries/users?${month}&items=500`)],
    },
  ];
}

/** Stores the months of the measured users, as the job does, and measures the rows. */
export async function measureTimeAccounts(
  generator: LoadGenerator,
  ours: Server,
  databaseUrl: string,
  rows: readonly ReadRow[],
  options: Options,
  say: (text: string) => void,
): Promise<Figures> {
  say('Keeping months.');
  const { db, close } = await openDatabase({ url: databaseUrl, poolSize: 1 });
  const [large, , small] = options.dataSet.workspaces as [Workspace, Workspace, Workspace];
  for (const { firstUser, users } of [large, small])
    for (let first = 0; first < users; first += 50) {
      const ids = Array.from({ length: Math.min(50, users - first) }, (_, index) => firstUser + first + index);
      await keepMonthsOf(db, accountId, ids, '2026-07-01');
    }
  await close();
  return measureReads(generator, { ours: [ours] }, rows, options, say);
}
