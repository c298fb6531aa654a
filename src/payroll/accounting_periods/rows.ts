import { sql } from 'kysely';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { userRank } from '../../platform/db/visibility.ts';
import { eventsOf } from '../../platform/events/record.ts';
import type { ClosedSums } from '../../days/balance/closed_months.ts';

/** The accounting periods of an account, as far as they are shown: without their days. */
export const periodRows = (db: Db, { accountId, workspace }: WorkspaceActor) =>
  db
    .selectFrom('accounting_periods')
    .where('accounting_periods.account_id', '=', accountId)
    .select([
      'accounting_periods.id',
      'accounting_periods.user_id',
      monthName.as('month'),
      statusName.as('status'),
      sql<ClosedSums>`accounting_periods.sums`.as('sums'),
      'accounting_periods.closed_at',
      'accounting_periods.closed_by_user_id',
      'accounting_periods.reopened_at',
      'accounting_periods.reopened_by_user_id',
      'accounting_periods.reopening_reason',
      nameOf(accountId, 'user_id').as('username'),
      nameOf(accountId, 'closed_by_user_id').as('closed_by'),
      sql<string | null>`${nameOf(accountId, 'reopened_by_user_id')}`.as('reopened_by'),
      userRank(accountId, sql.ref('accounting_periods.user_id'), workspace.id).as('user_rank'),
      sql<number[]>`array(
        select area.id from area_members member
        join areas area on area.account_id = ${accountId} and area.id = member.area_id
        where member.account_id = ${accountId} and member.user_id = accounting_periods.user_id
          and area.workspace_id = ${workspace.id} and area.status = 'active')`.as('area_ids'),
    ]);

export type AccountingPeriodRow = Awaited<ReturnType<ReturnType<typeof periodRows>['executeTakeFirstOrThrow']>>;

const attributes = ['user_id', 'month', 'status', 'closed_at', 'reopened_at', 'reopening_reason'] as const;

/** The events of the accounting periods that an actor closes or reopens in their workspace. */
export const periodEvents = ({ workspace }: WorkspaceActor) =>
  eventsOf<AccountingPeriodRow>()('accounting_period', attributes, {
    recorded: ({ id, user_id }) => ({ id, user_id, workspace_id: workspace.id }),
  });

/** The month of a period, such as 2026-05. */
export const monthName = sql<string>`to_char(accounting_periods.month, 'YYYY-MM')`;

export const statusName = sql<'closed' | 'reopened'>`(
  case when accounting_periods.reopened_at is null then 'closed' else 'reopened' end)`;

const nameOf = (accountId: number, column: string) => sql<string>`(
  select named.username from users named
  where named.account_id = ${accountId} and named.id = ${sql.ref(`accounting_periods.${column}`)})`;

/** Periods of members of the workspace, and those that were closed in it. */
export const isOfWorkspace = ({ accountId, workspace }: WorkspaceActor) => sql<boolean>`(
  accounting_periods.workspace_id = ${workspace.id} or accounting_periods.user_id = any(array(
    select member.user_id from memberships member
    where member.account_id = ${accountId} and member.workspace_id = ${workspace.id})))`;
