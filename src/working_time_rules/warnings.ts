import { groupBy } from '../core/group_by.ts';
import { sql, type Compilable } from 'kysely';
import type { Db } from '../db/connection.ts';
import { lockUsers } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { pipeline } from '../db/pipeline.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import {
  nearbyTrackings,
  type ChangedRange,
  type NearbyTracking,
  type StoredWarning,
  type WarningScope,
} from './nearby_trackings.ts';
import { warningsFor, type Warning } from './rules.ts';

/*
 * The warnings about the work of users are notifications to their admins. They are brought up to date in the transaction that
 * changes the work.
 */

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

/**
 * Writes a time tracking in a range of time and brings the warnings up to date, with one message to the database less than
 * one after the other. The caller has locked the user.
 */
export async function writeWithWarnings(
  tx: OpenTransaction,
  scope: WarningScope,
  write: Compilable<{ id: number }>,
  changed: ChangedRange,
  now: Date,
): Promise<number> {
  const [[written], nearby] = await pipeline(tx, [write, nearbyTrackings(tx, scope, [changed], now)]);
  await storeWarnings(tx, scope, nearby, now);
  return written!.id;
}

/** Stores the warnings about the affected time trackings. The caller has locked their users. */
export async function storeWarnings(
  tx: OpenTransaction,
  { accountId, workspace }: WarningScope,
  nearby: readonly NearbyTracking[],
  now: Date,
): Promise<void> {
  const byRange = groupBy(nearby, ({ range_number }) => range_number);
  const checks = nearby
    .filter(({ is_affected }) => is_affected)
    .map((tracking) => ({
      timeTracking: { id: tracking.id, user_id: tracking.user_id },
      warnings: warningsFor(tracking, byRange.get(tracking.range_number)!, workspace.time_zone, now),
      stored: tracking.stored_warnings,
    }));
  // Two ranges of a user can affect the same time tracking; both lead to the same warnings.
  const unique = new Map(checks.map((check) => [check.timeTracking.id, check]));
  await setWarnings(tx, accountId, workspace.id, [...unique.values()], now);
}

/** The warnings that a time tracking should have, and those that are stored. */
export interface CheckedWarnings {
  readonly timeTracking: { readonly id: number; readonly user_id: number };
  readonly warnings: readonly Warning[];
  readonly stored: readonly StoredWarning[];
}

/** Stores the warnings that each time tracking should have, and deletes the others. */
export async function setWarnings(
  db: Db,
  accountId: number,
  workspaceId: number,
  checks: readonly CheckedWarnings[],
  now: Date,
): Promise<void> {
  const outdated = checks.flatMap(({ warnings, stored }) =>
    stored.filter(({ rule }) => warnings.every((warning) => warning.rule !== rule)),
  );
  if (outdated.length > 0) await warningDeletion(db, { accountId, ids: outdated.map(({ id }) => id) });
  const changed = checks.flatMap(({ timeTracking: { id, user_id }, warnings, stored }) =>
    warnings
      .filter((warning) => !stored.some((other) => other.user_id === user_id && isSame(warning, other)))
      .map((warning) => ({ user_id, time_tracking_id: id, ...warning })),
  );
  if (changed.length === 0) return;
  await warningUpsert(db, {
    accountId,
    workspaceId,
    userIds: changed.map(({ user_id }) => user_id),
    timeTrackingIds: changed.map(({ time_tracking_id }) => time_tracking_id),
    rules: changed.map(({ rule }) => rule),
    titles: changed.map(({ title }) => title),
    messages: changed.map(({ message }) => message),
    now,
  });
}

interface ChangedWarnings {
  accountId: number;
  workspaceId: number;
  userIds: readonly number[];
  timeTrackingIds: readonly number[];
  rules: readonly string[];
  titles: readonly string[];
  messages: readonly string[];
  now: Date;
}

const warningDeletion = statement(
  (_db, { accountId, ids }: Placeholders<{ accountId: number; ids: readonly number[] }>) => sql<object>`
    delete from notifications where account_id = ${accountId} and id = any(${ids}::bigint[])`,
);

const warningUpsert = statement(
  (
    _db,
    { accountId, workspaceId, userIds, timeTrackingIds, rules, titles, messages, now }: Placeholders<ChangedWarnings>,
  ) => sql<object>`
    insert into notifications (account_id, workspace_id, type, user_id, time_tracking_id, rule, title, message, created_at, updated_at)
    select ${accountId}, ${workspaceId}, 'trigger_warning', warning.user_id, warning.time_tracking_id, warning.rule, warning.title, warning.message, ${now}, ${now}
    from unnest(${userIds}::bigint[], ${timeTrackingIds}::bigint[], ${rules}::text[], ${titles}::text[], ${messages}::text[])
      warning (user_id, time_tracking_id, rule, title, message)
    on conflict (account_id, time_tracking_id, rule) where rule is not null
    do update set user_id = excluded.user_id, title = excluded.title, message = excluded.message, updated_at = excluded.updated_at`,
);

const isSame = (one: Warning, other: Warning): boolean =>
  one.rule === other.rule && one.title === other.title && one.message === other.message;
