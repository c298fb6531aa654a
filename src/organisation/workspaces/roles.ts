import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';

const columns = listColumns('listRoles', 'roles');

const roleRows = (db: Db) => db.selectFrom('roles').selectAll('roles');

export type RoleRow = Awaited<ReturnType<ReturnType<typeof roleRows>['executeTakeFirstOrThrow']>>;

/** The four roles of a user, which are the same in every account. */
export const listRoles = (db: Db, selection: Selection) =>
  list(
    db,
    { visible: db.selectFrom('roles'), rows: roleRows(db), id: 'roles.id', columns, timeZone: 'UTC' },
    selection,
  );

export const rolesByIds = (db: Db, _actor: Actor, ids: readonly number[]): Promise<RoleRow[]> =>
  rowsByIds(roleRows(db), 'roles.id', ids);
