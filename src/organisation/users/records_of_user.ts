import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { notFound } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { factsOfUser, type UserRow } from './rows.ts';

/* Records that belong to one user and that only admins change: target hours, vacation entitlements, time account entries. */

type Change = 'change_target_hours' | 'change_vacation_entitlements' | 'change_time_account';

/** Locks a user whose records the actor may change, so that each change sees the one before it. */
export async function lockForChange(
  tx: OpenTransaction,
  actor: Actor,
  user: UserRow,
  change: Change,
): Promise<UserRow> {
  authorize(actor, change, 'user', factsOfUser(user));
  await lockUsers(tx, { accountId: actor.accountId, ids: [user.id] });
  return user;
}

/** The row of a user with that id; 404, with the name of the noun, where they have none. `rows` are those of their account. */
export async function recordOf<Source, Joined extends keyof Source, Row>(
  rows: SelectQueryBuilder<Source, Joined, Row>,
  { table, noun }: { readonly table: string; readonly noun: string },
  user: UserRow,
  ref: Id,
): Promise<Row> {
  const id = numericId(ref);
  const isNamed = sql<SqlBool>`${sql.ref(`${table}.user_id`)} = ${user.id} and ${sql.ref(`${table}.id`)} = ${id}`;
  const row = id === undefined ? undefined : await rows.where(isNamed).executeTakeFirst();
  if (!row) throw notFound(noun);
  return row as Row;
}
