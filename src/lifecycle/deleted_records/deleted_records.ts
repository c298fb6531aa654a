import { sql } from 'kysely';
import { notFound } from '../../platform/core/errors.ts';
import { isUuid, numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { administeredBy, areasOf, userRank } from '../../platform/db/visibility.ts';
import { storedRecords, type RecordType } from '../../platform/deleted_records/stored_rows.ts';

const columns = listColumns('listDeletedRecords', 'deleted_records');

const inWorkspace = (db: Db, { accountId, workspace }: WorkspaceActor) =>
  db
    .selectFrom('deleted_records')
    .where('deleted_records.account_id', '=', accountId)
    .where('deleted_records.workspace_id', '=', workspace.id);

/** The deleted records of a workspace, with the rank and the areas of their users. */
const deletedRecordRows = (db: Db, actor: WorkspaceActor) =>
  inWorkspace(db, actor)
    .selectAll('deleted_records')
    .select([
      userRank(actor.accountId, sql.ref('deleted_records.user_id'), actor.workspace.id).as('user_rank'),
      areasOf(actor.accountId, sql.ref('deleted_records.user_id'), sql.ref('deleted_records.area_id')).as('area_ids'),
    ]);

export type DeletedRecordRow = Awaited<ReturnType<ReturnType<typeof deletedRecordRows>['executeTakeFirstOrThrow']>>;

/** The deleted records that the actor may restore. */
export const listDeletedRecords = (db: Db, actor: WorkspaceActor, selection: Selection) =>
  list(
    db,
    {
      visible: inWorkspace(db, actor).where(administeredBy(actor, 'deleted_record')),
      rows: deletedRecordRows(db, actor),
      id: 'deleted_records.id',
      columns,
      timeZone: actor.workspace.time_zone,
    },
    selection,
  );

/** Locks a deleted record that the actor may restore, after its user; 404 and 403 otherwise. */
export async function lockDeletedRecord(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  type: RecordType,
  ref: Id,
): Promise<DeletedRecordRow> {
  const row = await findDeletedRecord(tx, actor, type, ref);
  authorize(actor, 'restore', 'deleted_record', row);
  await lockUsers(tx, { accountId: actor.accountId, ids: [row.user_id] });
  // Of two restorations at the same time, the second finds nothing.
  return findDeletedRecord(tx, actor, type, ref);
}

async function findDeletedRecord(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  type: RecordType,
  ref: Id,
): Promise<DeletedRecordRow> {
  const rows = deletedRecordRows(tx, actor).where('record_type', '=', type);
  const id = numericId(ref);
  const named =
    id !== undefined
      ? rows.where('record_id', '=', id)
      : isUuid(String(ref))
        ? rows.where('record_uuid', '=', String(ref))
        : undefined;
  const row = await named?.executeTakeFirst();
  if (!row) throw notFound(`deleted ${storedRecords[type].noun}`);
  return row;
}
