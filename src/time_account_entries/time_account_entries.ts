import { sql } from 'kysely';
import type { components } from '../../generated/v3.ts';
import { secondsOfHours } from '../calendar/amounts.ts';
import { notFound } from '../core/errors.ts';
import { numericId, type Id } from '../core/ids.ts';
import { authorize, type WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { listColumns } from '../db/list/columns.ts';
import { number } from '../db/list/filters.ts';
import { list, type Selection } from '../db/list/list.ts';
import { lockUsers } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { factsOf, type UserRow } from '../users/rows.ts';
import { findUser, showUser } from '../users/users.ts';

type NewEntry = components['schemas']['TimeAccountEntryCreation']['data']['attributes'];

/** An entry and the user whose time account it changes. */
export interface TimeAccountEntryOf {
  readonly row: TimeAccountEntryRow;
  readonly user: UserRow;
}

const entryRows = (db: Db, accountId: number) =>
  db
    .selectFrom('time_account_entries')
    .where('time_account_entries.account_id', '=', accountId)
    .selectAll('time_account_entries')
    .select(
      sql<string>`(
        select creator.username from users creator
        where creator.account_id = ${accountId} and creator.id = time_account_entries.created_by_user_id)`.as(
        'created_by',
      ),
    );

type TimeAccountEntryRow = Awaited<ReturnType<ReturnType<typeof entryRows>['executeTakeFirstOrThrow']>>;

const columns = listColumns('listTimeAccountEntries', 'time_account_entries', {
  hours: number(sql`time_account_entries.seconds / 3600.0`),
});

/** The entries in the time account of a user that the actor may read in full. */
export async function listTimeAccountEntries(db: Db, actor: WorkspaceActor, userRef: Id, selection: Selection) {
  const user = await showUser(db, actor, userRef);
  const visible = db
    .selectFrom('time_account_entries')
    .where('time_account_entries.account_id', '=', actor.accountId)
    .where('time_account_entries.user_id', '=', user.id);
  const collection = {
    visible,
    rows: entryRows(db, actor.accountId),
    id: 'time_account_entries.id',
    columns,
    timeZone: actor.workspace.time_zone,
    defaultSort: ['date'],
  };
  return { user, ...(await list(db, collection, selection)) };
}

/** Adds hours to the time account of a user, or takes them off it. */
export async function createTimeAccountEntry(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  userRef: Id,
  input: NewEntry,
  now: Date,
): Promise<TimeAccountEntryOf> {
  const user = await lockUser(tx, actor, userRef);
  const { id } = await tx
    .insertInto('time_account_entries')
    .values({
      account_id: user.account_id,
      user_id: user.id,
      date: input.date,
      seconds: secondsOfHours(input.hours),
      kind: input.kind,
      note: input.note,
      created_by_user_id: actor.userId!,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { user, row: await entryOf(tx, user, id) };
}

/** Deletes an entry and returns it as it was. */
export async function deleteTimeAccountEntry(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  userRef: Id,
  ref: Id,
): Promise<TimeAccountEntryOf> {
  const user = await lockUser(tx, actor, userRef);
  const row = await entryOf(tx, user, ref);
  await tx
    .deleteFrom('time_account_entries')
    .where('account_id', '=', user.account_id)
    .where('id', '=', row.id)
    .execute();
  return { user, row };
}

/** Locks the user, so that each change of their time account sees the one before it. */
async function lockUser(tx: OpenTransaction, actor: WorkspaceActor, ref: Id): Promise<UserRow> {
  const user = await findUser(tx, actor, ref);
  authorize(actor, 'change_time_account', 'user', factsOf(user));
  await lockUsers(tx, { accountId: actor.accountId, ids: [user.id] });
  return user;
}

async function entryOf(db: Db, user: UserRow, ref: Id): Promise<TimeAccountEntryRow> {
  const id = numericId(ref);
  const row =
    id === undefined
      ? undefined
      : await entryRows(db, user.account_id)
          .where('time_account_entries.user_id', '=', user.id)
          .where('time_account_entries.id', '=', id)
          .executeTakeFirst();
  if (!row) throw notFound('time account entry');
  return row;
}
