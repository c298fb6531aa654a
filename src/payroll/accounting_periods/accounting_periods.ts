import { sql } from 'kysely';
import { invalid, notFound } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { idsIn, namedFilter, text } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { readableBy } from '../../platform/db/visibility.ts';
import { lockMonths } from './lock_months.ts';
import { isOfWorkspace, monthName, periodEvents, periodRows, statusName, type AccountingPeriodRow } from './rows.ts';

const columns = listColumns('listAccountingPeriods', 'accounting_periods', {
  month: text(monthName),
  status: text(statusName),
});

/** The accounting periods of the workspace's users that the actor may read. */
export const listAccountingPeriods = (db: Db, actor: WorkspaceActor, selection: Selection) =>
  list(
    db,
    {
      visible: db
        .selectFrom('accounting_periods')
        .where('accounting_periods.account_id', '=', actor.accountId)
        .where(isOfWorkspace(actor))
        .where(readableBy(actor, 'accounting_period')),
      rows: periodRows(db, actor),
      id: 'accounting_periods.id',
      columns,
      named: {
        user_id: namedFilter(idsIn, (ids) => sql`accounting_periods.user_id = any(${ids}::bigint[])`),
      },
      timeZone: actor.workspace.time_zone,
      defaultSort: ['month'],
    },
    selection,
  );

/** One accounting period that the actor may read. */
export async function showAccountingPeriod(db: Db, actor: WorkspaceActor, ref: Id): Promise<AccountingPeriodRow> {
  const row = await findAccountingPeriod(db, actor, ref);
  authorize(actor, 'read', 'accounting_period', row);
  return row;
}

/** Reopens the latest closed month of a user. The period stays, with the reason. */
export async function reopenMonth(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  reason: string,
  now: Date,
): Promise<AccountingPeriodRow> {
  const { accountId } = actor;
  const { id, user_id } = await findAccountingPeriod(tx, actor, ref);
  await lockUsers(tx, { accountId, ids: [user_id] });
  await lockMonths(tx, { accountId, userIds: [user_id] });
  const row = await findAccountingPeriod(tx, actor, id);
  authorize(actor, 'destroy', 'accounting_period', row);
  if (row.status === 'reopened')
    throw invalid('wrong_state', 'base', `The month ${row.month} of ${row.username} is open already.`);
  const latest = await latestMonth(tx, accountId, user_id);
  if (latest !== row.month)
    throw invalid(
      'wrong_state',
      'base',
      `Only the latest closed month of ${row.username}, ${latest}, can be reopened.`,
    );
  await tx
    .updateTable('accounting_periods')
    .set({ reopened_at: now, reopened_by_user_id: actor.userId, reopening_reason: reason })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
  // Open months beside it too: where the zone has changed, work moves between them.
  await sql`select forget_months(${accountId}, ${user_id}, '-infinity')`.execute(tx);
  const after = await findAccountingPeriod(tx, actor, id);
  periodEvents(actor).record(tx, actor, 'reopened', { before: row, after }, now);
  return after;
}

async function latestMonth(db: Db, accountId: number, userId: number): Promise<string> {
  const { month } = await db
    .selectFrom('accounting_periods')
    .select(monthName.as('month'))
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('reopened_at', 'is', null)
    .orderBy('accounting_periods.month', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return month;
}

/** One accounting period of the workspace's users; a miss is 404. */
async function findAccountingPeriod(db: Db, actor: WorkspaceActor, ref: Id): Promise<AccountingPeriodRow> {
  const id = numericId(ref);
  const row =
    id === undefined
      ? undefined
      : await periodRows(db, actor)
          .where('accounting_periods.id', '=', id)
          .where(isOfWorkspace(actor))
          .executeTakeFirst();
  if (!row) throw notFound('accounting period');
  return row;
}
