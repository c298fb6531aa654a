import { sql } from 'kysely';
import type { Problem } from '../../platform/core/errors.ts';
import { utcForm } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { Person } from './person.ts';

/* When a person must not be anonymised. */

const retentionYears = 2;

/** The end of the retention: 2 years after the end of the last working time. Null if the person never worked. */
export async function retentionOf(db: Db, { accountId, userId }: Person, now: Date): Promise<Date | null> {
  const { last } = await db
    .selectFrom('time_trackings')
    .select(sql<Date | null>`max(coalesce(ends_at, ${now}))`.as('last'))
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (last === null) return null;
  const until = new Date(last);
  until.setUTCFullYear(until.getUTCFullYear() + retentionYears);
  return until;
}

/** The problem of a retention that is not over. */
export const retentionProblems = (until: Date | null, now: Date): Problem[] =>
  until === null || until <= now
    ? []
    : [
        {
          code: 'wrong_state',
          pointer: 'retention_override',
          title: `The working times of this user must be kept until ${utcForm(until)}. To anonymise the user earlier, send retention_override as true, with a reason.`,
        },
      ];

/** The problem of a confirmation that names somebody else. */
export const confirmationProblems = ({ username }: { readonly username: string }, confirm: string): Problem[] =>
  confirm === username
    ? []
    : [
        {
          code: 'invalid_value',
          pointer: 'confirm',
          title: `confirm must be the username "${username}", but was "${confirm}".`,
        },
      ];

/** The problem of batches that still need what they were given about the person. */
export async function batchProblems(db: Db, { accountId, userId }: Person): Promise<Problem[]> {
  const { rows } = await sql<{ id: string }>`
    select id from batches
    where account_id = ${accountId} and state in ('queued', 'running')
      and (user_id = ${userId} or item_type = 'user' and item_ids @> array[${userId}::bigint])
    limit 1`.execute(db);
  return rows.map(({ id }) => ({
    code: 'wrong_state',
    pointer: 'base',
    title: `The batch ${id}, which this user has started or is part of, still runs. Try again when it has finished.`,
  }));
}
