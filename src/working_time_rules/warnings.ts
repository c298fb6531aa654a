import { sql, type CompiledQuery } from 'kysely';
import type { Span } from '../calendar/worked_time.ts';
import { lockUsers } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { pipeline } from '../db/pipeline.ts';
import { statement } from '../db/statement.ts';
import { setWarnings } from '../notifications/notifications.ts';
import { nearbyRows, nearbyTables, type NearbyTracking } from './nearby_trackings.ts';
import { minRestSeconds, warningsFor } from './rules.ts';

/** The workspace whose rules apply. Every actor in a workspace is one. */
export interface WarningScope {
  readonly accountId: number;
  readonly workspace: { readonly id: number; readonly time_zone: string };
}

/** A range of time in which the work of a user changed. */
export interface ChangedRange extends Span {
  readonly user_id: number;
}

/**
 * Brings the warnings up to date after changes in these ranges of time: those about time trackings that overlap a range, and
 * about those that it now precedes. A time tracking that moved changes two ranges, the one it left and the one it entered.
 */
export async function refreshWarnings(
  tx: OpenTransaction,
  scope: WarningScope,
  changed: readonly ChangedRange[],
  now: Date,
): Promise<void> {
  if (changed.length === 0) return;
  const userIds = changed.map(({ user_id }) => user_id);
  const [, nearby] = await pipeline(tx, [
    lockUsers.query(tx, { accountId: scope.accountId, ids: userIds }),
    nearbyTrackings(tx, scope, changed, now),
  ]);
  await storeWarnings(tx, scope, nearby, now);
}

/** Stores the warnings about the affected time trackings. The caller has locked their users. */
export async function storeWarnings(
  tx: OpenTransaction,
  { accountId, workspace }: WarningScope,
  nearby: readonly NearbyTracking[],
  now: Date,
): Promise<void> {
  const byRange = new Map<number, NearbyTracking[]>();
  for (const tracking of nearby) {
    const sameRange = byRange.get(tracking.range_number);
    if (sameRange) sameRange.push(tracking);
    else byRange.set(tracking.range_number, [tracking]);
  }
  const checks = nearby
    .filter(({ is_affected }) => is_affected)
    .map((tracking) => ({
      timeTracking: { id: tracking.id, user_id: tracking.user_id },
      warnings: warningsFor(tracking, byRange.get(tracking.range_number)!, workspace.time_zone, now),
      standing: tracking.standing,
    }));
  // Two ranges of a user can affect the same time tracking; both lead to the same warnings.
  const unique = new Map(checks.map((check) => [check.timeTracking.id, check]));
  await setWarnings(tx, accountId, workspace.id, [...unique.values()], now);
}

/** The query for the time trackings to check after changes in these ranges of time. */
export const nearbyTrackings = (
  tx: OpenTransaction,
  { accountId, workspace }: WarningScope,
  changed: readonly ChangedRange[],
  now: Date,
): CompiledQuery<NearbyTracking> => {
  const ranges = merged(changed);
  return nearbyQuery.query(tx, {
    accountId,
    workspaceId: workspace.id,
    userIds: ranges.map(({ user_id }) => user_id),
    from: ranges.map(({ starts_at }) => starts_at),
    to: ranges.map((range) => new Date(endOf(range, now).getTime() + minRestSeconds * 1000)),
    until: now,
  });
};

/** Merges ranges of a user that touch: most changes leave a time tracking near where it was. */
function merged(ranges: readonly ChangedRange[]): ChangedRange[] {
  const sorted = [...ranges].sort(
    (one, other) => one.user_id - other.user_id || one.starts_at.getTime() - other.starts_at.getTime(),
  );
  const result: ChangedRange[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last?.user_id === range.user_id && (last.ends_at === null || last.ends_at >= range.starts_at)) {
      const ends_at =
        last.ends_at === null || range.ends_at === null
          ? null
          : new Date(Math.max(last.ends_at.getTime(), range.ends_at.getTime()));
      result[result.length - 1] = { user_id: last.user_id, starts_at: last.starts_at, ends_at };
    } else result.push(range);
  }
  return result;
}

const endOf = ({ starts_at, ends_at }: Span, now: Date): Date => ends_at ?? (now > starts_at ? now : starts_at);

interface Ranges {
  accountId: number;
  workspaceId: number;
  userIds: readonly number[];
  from: readonly Date[];
  to: readonly Date[];
  until: Date;
}

const nearbyQuery = statement<Ranges, NearbyTracking>(
  (_db, values) => sql<NearbyTracking>`
    with range as materialized (
      select range.*, ${values.workspaceId}::bigint as workspace_id, ${values.until}::timestamptz as until
      from unnest(${values.userIds}::bigint[], ${values.from}::timestamptz[], ${values.to}::timestamptz[])
        with ordinality as range (user_id, starts_at, ends_at, number)
    ), ${nearbyTables(values.accountId)} ${nearbyRows(values.accountId)}`,
);
