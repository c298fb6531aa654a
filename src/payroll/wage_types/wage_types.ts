import type { Selectable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { components } from '../../../generated/v3.ts';
import { absenceTypesByIds } from '../../absence/absence_types/absence_types.ts';
import { notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { takenProblems } from '../../platform/db/unique_values.ts';
import { findToChange } from '../../platform/db/record_locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf } from '../../platform/events/record.ts';

type Schemas = components['schemas'];
type NewWageType = Schemas['WageTypeCreation']['data']['attributes'];
type WageTypeChange = Schemas['WageTypeUpdate']['data']['attributes'];

/** The name of a figure of the time account in the payroll program. */
export type WageTypeRow = Selectable<DB['wage_types']>;

const stored = storedAttributes({ table: 'wage_types', schemas: ['WageTypeCreation', 'WageTypeUpdate'], handled: [] });

const wageTypeEvents = eventsOf<WageTypeRow>()('wage_type', stored);

const columns = listColumns('listWageTypes', 'wage_types');

const ofWorkspace = (db: Db, { accountId, workspace }: WorkspaceActor) =>
  db
    .selectFrom('wage_types')
    .where('wage_types.account_id', '=', accountId)
    .where('wage_types.workspace_id', '=', workspace.id);

/** A page of the wage types of the workspace. */
export const listWageTypes = (db: Db, actor: WorkspaceActor, selection: Selection) =>
  list(
    db,
    {
      visible: ofWorkspace(db, actor),
      rows: ofWorkspace(db, actor).selectAll('wage_types'),
      id: 'wage_types.id',
      columns,
      timeZone: actor.workspace.time_zone,
      defaultSort: ['number'],
    },
    selection,
  );

/** Every wage type of the workspace, by number. */
export const allWageTypes = (db: Db, actor: WorkspaceActor): Promise<WageTypeRow[]> =>
  ofWorkspace(db, actor).selectAll('wage_types').orderBy('number').orderBy('id').execute();

/** Adds a wage type to the workspace. */
export async function createWageType(
  db: OpenTransaction,
  actor: WorkspaceActor,
  input: NewWageType,
  now: Date,
): Promise<WageTypeRow> {
  refuse(await sourceProblems(db, actor, { id: 0, ...input }));
  const after = await db
    .insertInto('wage_types')
    .values({
      ...pick(input, stored),
      account_id: actor.accountId,
      workspace_id: actor.workspace.id,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  wageTypeEvents.record(db, actor, 'created', { before: null, after }, now);
  return after;
}

/** Changes the given attributes. */
export async function updateWageType(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  change: WageTypeChange,
  now: Date,
): Promise<WageTypeRow> {
  const row = await findToChange(db, actor, 'wage_types', ref, (found) => findWageType(db, actor, found));
  refuse(await sourceProblems(db, actor, { id: row.id, source: row.source, unit: row.unit, ...change }));
  const after = await db
    .updateTable('wage_types')
    .set({ ...pick(change, stored), updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  wageTypeEvents.record(db, actor, 'updated', { before: row, after }, now);
  return after;
}

/** Deletes a wage type and returns it as it was. */
export async function deleteWageType(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  now: Date,
): Promise<WageTypeRow> {
  const { id } = await findWageType(db, actor, ref);
  const deleted = await db
    .deleteFrom('wage_types')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!deleted) throw notFound('wage type');
  wageTypeEvents.record(db, actor, 'deleted', { before: deleted, after: null }, now);
  return deleted;
}

/** A wage type of the workspace; 404 otherwise. */
export async function findWageType(db: Db, actor: WorkspaceActor, ref: Id): Promise<WageTypeRow> {
  const id = numericId(ref);
  const row =
    id === undefined
      ? undefined
      : await ofWorkspace(db, actor).selectAll('wage_types').where('wage_types.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('wage type');
  return row;
}

/** The absence type that a source names; undefined for a source that names none. */
export const absenceTypeIn = (source: string): number | undefined =>
  source.startsWith('absence:') ? Number(source.slice('absence:'.length)) : undefined;

async function sourceProblems(
  db: Db,
  actor: WorkspaceActor,
  { id, source, unit }: Pick<WageTypeRow, 'id' | 'source' | 'unit'>,
): Promise<Problem[]> {
  const others = ofWorkspace(db, actor).where('wage_types.unit', '=', unit).where('wage_types.id', '<>', id);
  const taken = await takenProblems(others, 'source', source, `wage type of this workspace with the unit ${unit}`);
  if (taken.length > 0) return taken;
  const typeId = absenceTypeIn(source);
  if (typeId === undefined)
    return unit === 'days'
      ? [{ code: 'contradiction', pointer: 'unit', title: `unit must be hours for source ${source}, but was days. Only absences are counted in days.` }] // prettier-ignore
      : [];
  const [type] = await absenceTypesByIds(db, actor, [typeId]);
  return type?.workspace_id === actor.workspace.id
    ? []
    : [
        {
          code: 'unknown_reference',
          pointer: 'source',
          title: `source names the absence type ${typeId}, which is none of this workspace.`,
        },
      ];
}
