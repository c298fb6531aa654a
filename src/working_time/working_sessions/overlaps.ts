import { sql } from 'kysely';
import type { Span } from '../../days/calendar/worked_time.ts';
import type { Problem } from '../../platform/core/errors.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { localForm } from '../../platform/core/time.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';

/** A finished working session that is to be recorded. */
interface PlannedSession {
  readonly userId: number;
  readonly starts_at: Date;
  readonly ends_at: Date;
  /** The id of the one that is changed; 0 for a new one. */
  readonly exceptId: number;
}

/**
 * The problem of times that overlap another working session of the user, in any workspace. The caller has locked the user, so
 * that no other one is recorded meanwhile.
 */
export async function overlapProblems(
  tx: OpenTransaction,
  { accountId, workspace }: WorkspaceActor,
  planned: PlannedSession,
  now: Date,
): Promise<Problem[]> {
  if (planned.ends_at <= planned.starts_at) return [];
  const { rows } = await overlapping(accountId, planned, now).execute(tx);
  return rows.map((other) => ({
    code: 'overlap',
    pointer: 'starts_at',
    title: `The times overlap the working session ${other.id} of this user, ${inWords(other, workspace.time_zone)}.`,
  }));
}

const inWords = ({ starts_at, ends_at }: Span, zone: string): string =>
  ends_at === null
    ? `which is running since ${localForm(starts_at, zone)}`
    : `from ${localForm(starts_at, zone)} to ${localForm(ends_at, zone)}`;

interface Other extends Span {
  readonly id: number;
}

/** Most are found by their start. Running ones and those longer than a day, which are few, have indexes of their own. */
function overlapping(accountId: number, { userId, starts_at, ends_at, exceptId }: PlannedSession, now: Date) {
  const own = sql`
    select id, starts_at, ends_at from time_trackings
    where account_id = ${accountId} and user_id = ${userId} and id <> ${exceptId}`;
  const dayBefore = sql`${starts_at}::timestamptz - interval '1 day'`;
  return sql<Other>`
    select * from (
      ${own} and starts_at >= ${dayBefore} and starts_at < ${ends_at}::timestamptz and coalesce(ends_at, ${now}::timestamptz) > ${starts_at}::timestamptz
      union all ${own} and starts_at < ${dayBefore} and gross_s > 86400 and ends_at > ${starts_at}::timestamptz
      union all ${own} and starts_at < ${dayBefore} and ends_at is null and ${now}::timestamptz > ${starts_at}::timestamptz
    ) other order by starts_at, id limit 1`;
}
