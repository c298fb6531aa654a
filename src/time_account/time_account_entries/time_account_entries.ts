import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { secondsOfHours } from '../../days/calendar/amounts.ts';
import type { Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { number } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf } from '../../platform/events/record.ts';
import type { UserRow } from '../../organisation/users/rows.ts';
import { lockForChange, recordOf } from '../../organisation/users/records_of_user.ts';
import { findUser, showUser } from '../../organisation/users/users.ts';

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

const stateOf = (row: TimeAccountEntryRow) => ({ ...row, hours: row.seconds / 3600 });

const entryEvents = eventsOf<ReturnType<typeof stateOf>>()('time_account_entry', [
  'user_id',
  'date',
  'hours',
  'kind',
  'note',
]);

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
  const user = await lockForChange(tx, actor, await findUser(tx, actor, userRef), 'change_time_account');
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
  const row = await entryOf(tx, user, id);
  entryEvents.record(tx, actor, 'created', { before: null, after: stateOf(row) }, now);
  return { user, row };
}

/** Deletes an entry and returns it as it was. */
export async function deleteTimeAccountEntry(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  userRef: Id,
  ref: Id,
  now: Date,
): Promise<TimeAccountEntryOf> {
  const user = await lockForChange(tx, actor, await findUser(tx, actor, userRef), 'change_time_account');
  const row = await entryOf(tx, user, ref);
  await tx
    .deleteFrom('time_account_entries')
    .where('account_id', '=', user.account_id)
    .where('id', '=', row.id)
    .execute();
  entryEvents.record(tx, actor, 'deleted', { before: stateOf(row), after: null }, now);
  return { user, row };
}

const entryOf = (db: Db, user: UserRow, ref: Id): Promise<TimeAccountEntryRow> =>
  recordOf(entryRows(db, user.account_id), { table: 'time_account_entries', noun: 'time account entry' }, user, ref);
