import { notFound } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf } from '../../platform/events/record.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { factsOfUser, type UserRow } from '../../organisation/users/rows.ts';
import { usersByIds } from '../../organisation/users/users.ts';

const dataExportRows = (db: Db, accountId: number) =>
  db.selectFrom('data_exports').selectAll('data_exports').where('data_exports.account_id', '=', accountId);

export type DataExportRow = Awaited<ReturnType<ReturnType<typeof dataExportRows>['executeTakeFirstOrThrow']>>;

/** Records who took a copy of whose data. */
const dataExportEvents = eventsOf<DataExportRow>()('data_export', ['user_id', 'requested_by_user_id']);

/** A user of the account, also a deleted one; 404 otherwise. */
export async function findPerson(db: Db, actor: Actor, ref: Id): Promise<UserRow> {
  const id = numericId(ref);
  const [row] = id === undefined ? [] : await usersByIds(db, { ...actor, workspace: null }, [id]);
  if (!row) throw notFound('user');
  return row;
}

/** Stores a data export and enqueues its job, in the caller's transaction. */
export async function createDataExport(db: OpenTransaction, actor: Actor, ref: Id, now: Date): Promise<DataExportRow> {
  const person = await findPerson(db, actor, ref);
  authorize(actor, 'copy_data', 'user', factsOfUser(person));
  const { accountId } = actor;
  const row = await db
    .insertInto('data_exports')
    .values({
      account_id: accountId,
      user_id: person.id,
      requested_by_user_id: actor.userId!,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await enqueue(db, 'data_export', { accountId, dataExportId: row.id });
  dataExportEvents.record(db, actor, 'created', { before: null, after: row }, now);
  return row;
}

/** A data export of a user whose data the actor may copy; 404 and 403 otherwise. */
export async function findDataExport(db: Db, actor: Actor, userRef: Id, ref: Id): Promise<DataExportRow> {
  const person = await findPerson(db, actor, userRef);
  authorize(actor, 'copy_data', 'user', factsOfUser(person));
  const id = numericId(ref);
  const row =
    id === undefined
      ? undefined
      : await dataExportRows(db, actor.accountId)
          .where('data_exports.id', '=', id)
          .where('data_exports.user_id', '=', person.id)
          .executeTakeFirst();
  if (!row) throw notFound('data export');
  return row;
}
