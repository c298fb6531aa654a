import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Ref } from '../core/names.ts';
import type { Db } from '../db/connection.ts';
import { rowNamed } from '../db/names.ts';

const absenceTypeRows = (db: Db, accountId: number) =>
  db.selectFrom('absence_types').where('absence_types.account_id', '=', accountId).selectAll('absence_types');

export type AbsenceTypeRow = Awaited<ReturnType<ReturnType<typeof absenceTypeRows>['executeTakeFirstOrThrow']>>;

export const absenceTypesByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<AbsenceTypeRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : absenceTypeRows(db, accountId)
        .where('absence_types.id', 'in', [...new Set(ids)])
        .orderBy('absence_types.id')
        .execute();

const activeTypes = (db: Db, accountId: number) =>
  absenceTypeRows(db, accountId)
    .where('absence_types.active', '=', true)
    .where(
      sql<boolean>`exists (
        select from workspaces workspace
        where workspace.account_id = ${accountId} and workspace.id = absence_types.workspace_id and workspace.deleted_at is null)`,
    );

/** One active absence type of the account, by either of its names, or undefined. */
export const absenceTypeNamed = (db: Db, { accountId }: Pick<Actor, 'accountId'>, ref: Ref): Promise<AbsenceTypeRow | undefined> =>
  rowNamed('absence_types', ref, (condition) => activeTypes(db, accountId).where(condition).execute());

/** All active absence types of the account, or those of one workspace. */
export const allAbsenceTypes = (db: Db, { accountId }: Actor, workspaceId: number | null): Promise<AbsenceTypeRow[]> => {
  const rows = activeTypes(db, accountId).orderBy('absence_types.id');
  return (workspaceId === null ? rows : rows.where('absence_types.workspace_id', '=', workspaceId)).execute();
};
