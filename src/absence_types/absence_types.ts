import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';

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
