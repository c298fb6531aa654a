import type { Db } from '../db/connection.ts';
import { number, text, type Columns } from '../db/filters.ts';
import { list, type Selection } from '../db/list.ts';

const columns: Columns = { id: number('roles.id'), name: text('roles.name') };

const roleRows = (db: Db) => db.selectFrom('roles').selectAll('roles');

export type RoleRow = Awaited<ReturnType<ReturnType<typeof roleRows>['executeTakeFirstOrThrow']>>;

/** The roles a user can hold: the same four everywhere. */
export const listRoles = (db: Db, selection: Selection) =>
  list(db, { visible: db.selectFrom('roles'), rows: roleRows(db), id: 'roles.id', columns }, selection);

export const rolesByIds = (db: Db, ids: readonly number[]): Promise<RoleRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : roleRows(db)
        .where('id', 'in', [...new Set(ids)])
        .orderBy('id')
        .execute();
