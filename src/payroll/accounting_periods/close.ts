import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { addMonths, type LocalDate } from '../../days/calendar/dates.ts';
import { invalid, refuse } from '../../platform/core/errors.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { startOfLocalDay } from '../../platform/core/time.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { rehearsed } from '../../platform/db/rehearsal.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { recordEvents } from '../../platform/events/record.ts';
import type { AccountedUsers } from '../../days/balance/closed_months.ts';
import { accountedUsers } from '../../days/balance/time_accounts.ts';
import { namedUsers, openUsers } from './closable_users.ts';
import { lockMonths } from './lock_months.ts';
import { obstacles, type MonthToClose } from './obstacles.ts';
import { periodEvents, periodRows, type AccountingPeriodRow } from './rows.ts';
import { monthOf, snapshotsOf, type Snapshot } from './snapshots.ts';

type Closing = components['schemas']['AccountingPeriodCreation']['data']['attributes'];

/** How many users are read at a time. */
const chunkSize = 50;

/**
 * Closes a month for some users, or for everybody whose month is open. If one of them cannot be closed, none is. A dry run finds out
 * the same and closes none.
 */
export async function closeMonth(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  { month: name, user_ids = [], all = false, dry_run = false }: Closing,
  now: Date,
): Promise<AccountingPeriodRow[]> {
  const { accountId } = actor;
  const month = `${name}-01`;
  const userIds = all ? await openUsers(tx, actor, monthOf(month)) : await namedUsers(tx, actor, user_ids);
  if (userIds.length === 0) throw invalid('wrong_state', 'all', `${name} is open for no user of this workspace.`);
  await lockUsers(tx, { accountId, ids: userIds });
  await lockMonths(tx, { accountId, userIds });
  const months = monthsToClose(await accountedUsers(tx, accountId, userIds), userIds, month);
  refuse(await obstacles(tx, accountId, months, all ? 'all' : 'user_ids', now));
  if (dry_run) return rehearsed(tx, () => storeAll(tx, actor, months, now));
  const rows = await storeAll(tx, actor, months, now);
  const events = rows.map((row) => periodEvents(actor).eventOf('closed', null, row)!);
  recordEvents(tx, actor, events, now);
  return rows;
}

/** Stores the figures of the users, some at a time. */
async function storeAll(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  months: readonly MonthToClose[],
  now: Date,
): Promise<AccountingPeriodRow[]> {
  const ids: number[] = [];
  for (let done = 0; done < months.length; done += chunkSize) {
    const chunk = months.slice(done, done + chunkSize);
    const snapshots = await snapshotsOf(tx, actor, accountedIn(chunk), chunk[0]!.month);
    ids.push(...(await store(tx, actor, chunk, snapshots, now)));
  }
  return rowsByIds(periodRows(tx, actor), 'accounting_periods.id', ids);
}

const monthsToClose = (
  { users, closed }: AccountedUsers,
  userIds: readonly number[],
  month: LocalDate,
): MonthToClose[] =>
  userIds.map((id) => {
    const days = users.get(id)!;
    return {
      days,
      month,
      closed: closed.get(id),
      begins_at: closed.get(id)?.ends_at ?? startOfLocalDay(month, days.zone),
      ends_at: startOfLocalDay(addMonths(month, 1), days.zone),
    };
  });

const accountedIn = (months: readonly MonthToClose[]): AccountedUsers => ({
  users: new Map(months.map(({ days }) => [days.userId, days])),
  closed: new Map(months.flatMap(({ days, closed }) => (closed ? [[days.userId, closed]] : []))),
});

/** Stores accounting periods and returns their ids. */
async function store(
  tx: OpenTransaction,
  { accountId, userId, workspace }: WorkspaceActor,
  months: readonly MonthToClose[],
  snapshots: ReadonlyMap<number, Snapshot>,
  now: Date,
): Promise<number[]> {
  const figures = months.map(({ days }) => snapshots.get(days.userId)!);
  const balances = figures.map(({ days }) => days.at(-1)!.balance);
  const { rows } = await sql<{ id: number }>`
    insert into accounting_periods (account_id, workspace_id, user_id, month, begins_at, ends_at, all_s, confirmed_s, salary, sums, days,
      closed_at, closed_by_user_id)
    select ${accountId}, ${workspace.id}, period.user_id, ${months[0]!.month}::date, period.begins_at, period.ends_at, period.all_s,
      period.confirmed_s, users.salary, period.sums, period.days, ${now}, ${userId}
    from unnest(${months.map(({ days }) => days.userId)}::bigint[], ${months.map(({ begins_at }) => begins_at)}::timestamptz[],
      ${months.map(({ ends_at }) => ends_at)}::timestamptz[], ${balances.map(({ all }) => all)}::bigint[],
      ${balances.map(({ confirmed }) => confirmed)}::bigint[], ${figures.map(({ sums }) => JSON.stringify(sums))}::jsonb[],
      ${figures.map(({ days }) => JSON.stringify(days))}::jsonb[])
      period (user_id, begins_at, ends_at, all_s, confirmed_s, sums, days)
    join users on users.account_id = ${accountId} and users.id = period.user_id
    order by period.user_id
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}
