import type { Selectable } from 'kysely';
import type { Attachments, Signatures } from '../../../generated/db.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { Columns } from '../db/list/filters.ts';
import { list, type Selection } from '../db/list/list.ts';
import { listColumns } from '../db/list/columns.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { rowsByIds } from '../db/rows_by_ids.ts';
import type { EventActor } from '../events/record.ts';
import { ownerColumn, ownerId, type Owner } from '../notes/owner.ts';
import { ownerOfFile, recordFile } from './events.ts';
import { storeFile, type NewFile } from './files.ts';

/*
 * Attachments and signatures each have a table of rows that tie a file to its owner. The verbs are the same for both. The SQL
 * is typed for the first table; the rows are typed for each.
 */
interface Tables {
  attachments: Attachments;
  signatures: Signatures;
}

/** The columns that every row shows of its file. */
interface FileColumns {
  readonly file_name: string;
  readonly file_content_type: string;
  readonly file_created_at: Date;
}

export type AttachedFileRow<Table extends keyof Tables> = Selectable<Tables[Table]> & FileColumns;

/** The columns that the kinds of attached files do not share. */
type OwnColumns<Table extends keyof Tables> = Table extends 'attachments'
  ? { readonly author: string; readonly author_id: number | null }
  : { readonly title: string };

/** The verbs for one kind of attached files. The list can also be filtered by columns of the files. */
export function attachedFiles<Table extends keyof Tables>(
  name: Table,
  listOperation: 'listTimeTrackingAttachments' | 'listTimeTrackingSignatures',
  fileColumns: Columns,
) {
  type Row = AttachedFileRow<Table>;
  const columns = listColumns(listOperation, name, fileColumns);
  const table = name as 'attachments';

  const withFiles = (db: Db, accountId: number) =>
    db
      .selectFrom(table)
      .innerJoin('files', (join) =>
        join.on('files.account_id', '=', accountId).onRef('files.id', '=', `${table}.file_id`),
      )
      .where(`${table}.account_id`, '=', accountId);

  const rows = (db: Db, accountId: number) =>
    withFiles(db, accountId)
      .selectAll(table)
      .select([
        'files.name as file_name',
        'files.content_type as file_content_type',
        'files.created_at as file_created_at',
      ])
      .$castTo<Row>();

  const byIds = (db: Db, { accountId }: Pick<Actor, 'accountId'>, ids: readonly number[]): Promise<Row[]> =>
    rowsByIds(rows(db, accountId), `${table}.id`, ids);

  return {
    byIds,

    /** The files of one owner. */
    list: (db: Db, { accountId, workspace }: Actor, owner: Owner, selection: Selection) =>
      list(
        db,
        {
          visible: withFiles(db, accountId).where(`${table}.${ownerColumn(owner)}`, '=', ownerId(owner)),
          rows: rows(db, accountId),
          id: `${table}.id`,
          columns,
          timeZone: workspace?.time_zone ?? 'UTC',
        },
        selection,
      ),

    /** Stores a file with its owner. */
    async create(
      db: OpenTransaction,
      actor: EventActor,
      owner: Owner,
      file: NewFile,
      own: OwnColumns<Table>,
      now: Date,
    ): Promise<Row> {
      const { accountId } = actor;
      const stored = await storeFile(db, accountId, file, now);
      const { id } = await db
        .insertInto(table)
        .values({
          ...(own as OwnColumns<'attachments'>),
          [ownerColumn(owner)]: ownerId(owner),
          account_id: accountId,
          file_id: stored.id,
          created_at: now,
          updated_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      recordFile(db, actor, stored, await ownerOfFile(db, accountId, owner), now);
      const [row] = await byIds(db, { accountId }, [id]);
      return row!;
    },
  };
}
