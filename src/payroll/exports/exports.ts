import { invalid, notFound } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf } from '../../platform/events/record.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import type { Coverage, Resource } from './request.ts';
import { requireDatevMonth } from './datev/months.ts';
import { countOf } from './sources.ts';
import type { Language } from './table.ts';

export interface NewExport {
  readonly resource: Resource;
  readonly exportType: string;
  readonly format: string;
  readonly language: Language;
  readonly coverage: Coverage;
}

const exportRows = (db: Db, accountId: number) =>
  db.selectFrom('exports').selectAll('exports').where('exports.account_id', '=', accountId);

export type ExportRow = Awaited<ReturnType<ReturnType<typeof exportRows>['executeTakeFirstOrThrow']>>;

/** Records who took which data out of the service. */
const exportEvents = eventsOf<ExportRow>()('export', ['resource', 'export_type', 'format', 'input']);

/** Spreadsheets hold a million rows, and a job has five minutes. */
const mostRecords = 500_000;

/** Stores an export and enqueues its job, in the caller's transaction. */
export async function createExport(
  db: OpenTransaction,
  actor: WorkspaceActor,
  wanted: NewExport,
  now: Date,
): Promise<ExportRow> {
  const { resource, coverage } = wanted;
  // Refuses what the file could not hold.
  if (wanted.format === 'txt') {
    const { from, to, user_ids } = coverage;
    await requireDatevMonth(db, actor, { range: { from: from!, to: to! }, userIds: user_ids });
  }
  const count = await countOf(db, actor, resource, coverage, now);
  if (count > mostRecords)
    throw invalid(
      'too_many',
      'base',
      `An export must have at most ${mostRecords} records, but these filters leave ${count}. Add from and to, or a filter.`,
      { max_items: mostRecords },
    );
  const { accountId } = actor;
  const row = await db
    .insertInto('exports')
    .values({
      account_id: accountId,
      workspace_id: actor.workspace.id,
      user_id: actor.userId!,
      resource,
      export_type: wanted.exportType,
      format: wanted.format,
      locale: wanted.language,
      input: JSON.stringify(coverage),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await enqueue(db, 'export', { accountId, exportId: row.id });
  exportEvents.record(db, actor, 'created', { before: null, after: row }, now);
  return row;
}

/** An export of the actor's workspace that they have asked for; 404 and 403 otherwise. */
export async function findExport(db: Db, actor: WorkspaceActor, resource: Resource, ref: Id): Promise<ExportRow> {
  const id = numericId(ref);
  const row =
    id === undefined
      ? undefined
      : await exportRows(db, actor.accountId)
          .where('exports.id', '=', id)
          .where('exports.workspace_id', '=', actor.workspace.id)
          .where('exports.resource', '=', resource)
          .executeTakeFirst();
  if (!row) throw notFound('export');
  authorize(actor, 'read', 'export', row);
  return row;
}
