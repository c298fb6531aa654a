import { refuse, type Problem } from '../core/errors.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { list, number, type Selection } from '../db/list.ts';
import type { UserRow } from '../users/rows.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';

export interface EntitlementInput {
  readonly title: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly planned_days: number;
  readonly expires?: boolean;
  readonly transfer_remaining?: boolean;
  readonly end_of_transfer_period?: string;
}

const entitlementRows = (db: Db, accountId: number) =>
  db.selectFrom('vacation_entitlements').where('vacation_entitlements.account_id', '=', accountId).selectAll('vacation_entitlements');

export type EntitlementRow = Awaited<ReturnType<ReturnType<typeof entitlementRows>['executeTakeFirstOrThrow']>>;

/** Gives a user days of vacation for a period, both ends of which belong to it. */
export function createEntitlement(db: Db, { accountId }: Actor, userId: number, input: EntitlementInput, now: Date): Promise<EntitlementRow> {
  refuse(problemsWith(input));
  return db
    .insertInto('vacation_entitlements')
    .values({ ...input, account_id: accountId, user_id: userId, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function problemsWith({ starts_at, ends_at, end_of_transfer_period }: EntitlementInput): Problem[] {
  const problems: Problem[] = [];
  if (ends_at < starts_at) problems.push({ pointer: 'ends_at', title: `ends_at must not lie before starts_at, which is ${starts_at}, but was ${ends_at}.` });
  if (end_of_transfer_period !== undefined && end_of_transfer_period <= ends_at) {
    const title = `end_of_transfer_period must lie after ends_at, which is ${ends_at}, but was ${end_of_transfer_period}.`;
    problems.push({ pointer: 'end_of_transfer_period', title });
  }
  return problems;
}

/** The entitlements of a user that overlap the days from `from` to `to`, both included; either may be left out. */
export function listEntitlements(db: Db, { accountId }: Actor, userId: number, days: { from?: string; to?: string }, selection: Selection) {
  let visible = db
    .selectFrom('vacation_entitlements')
    .where('vacation_entitlements.account_id', '=', accountId)
    .where('vacation_entitlements.user_id', '=', userId);
  if (days.from !== undefined) visible = visible.where('vacation_entitlements.ends_at', '>=', days.from);
  if (days.to !== undefined) visible = visible.where('vacation_entitlements.starts_at', '<=', days.to);
  return list(
    {
      visible,
      rows: ({ condition, order }) => entitlementRows(db, accountId).where(condition).orderBy(order).execute(),
      id: 'vacation_entitlements.id',
      columns: { id: number('vacation_entitlements.id') },
    },
    selection,
  );
}

/** The zone that a user's days are counted in: that of his first workspace, otherwise his own. */
export async function zoneOfUser(db: Db, user: Pick<UserRow, 'account_id' | 'workspace_ids' | 'time_zone'>): Promise<string> {
  const [workspace] = await workspacesByIds(db, { accountId: user.account_id }, user.workspace_ids);
  return workspace?.time_zone ?? user.time_zone ?? 'UTC';
}
