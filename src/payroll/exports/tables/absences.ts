import { sql } from 'kysely';
import type { WorkspaceActor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { column, type ColumnOf } from '../table.ts';

export interface AbsenceLine {
  readonly id: number;
  readonly user_id: number;
  readonly username: string;
  readonly staff_number: string | null;
  readonly type: string;
  readonly kind: string;
  readonly title: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly full_day: boolean;
  readonly days: number;
  readonly hours: number;
  readonly confirmation_status: 'pending' | 'confirmed' | 'rejected';
  readonly confirmed_by: string | null;
  readonly external_id: string | null;
}

export const absenceLineColumns: readonly ColumnOf<AbsenceLine>[] = [
  column('Id', 'Id', 'number', (row) => row.id),
  column('User id', 'Benutzer-Id', 'number', (row) => row.user_id),
  column('User', 'Benutzer', 'text', (row) => row.username),
  column('Staff number', 'Personalnummer', 'text', (row) => row.staff_number),
  column('Type', 'Abwesenheitstyp', 'text', (row) => row.type),
  column('Kind', 'Art', 'text', (row) => row.kind),
  column('Title', 'Titel', 'text', (row) => row.title),
  column('Start', 'Beginn', 'time', (row) => row.starts_at),
  column('End', 'Ende', 'time', (row) => row.ends_at),
  column('Full days', 'Ganztägig', 'flag', (row) => row.full_day),
  column('Days', 'Tage', 'hours', (row) => row.days),
  column('Hours', 'Stunden', 'hours', (row) => row.hours),
  column('Status', 'Status', 'text', (row) => row.confirmation_status),
  column('Confirmed by', 'Bestätigt durch', 'text', (row) => row.confirmed_by),
  column('External id', 'Externe Id', 'text', (row) => row.external_id),
];

/** Absences as lines of a file, in the order of the ids. Full days are the dates of the ledger, other times local ones of the workspace. */
export async function readAbsences(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  ids: readonly number[],
): Promise<AbsenceLine[]> {
  const local = (name: string, edge: string, ofDate: string) => sql`to_char(coalesce(
    case when absence.full_day then ${sql.ref(edge)} + ${ofDate}::time end,
    ${sql.ref(name)} at time zone ${workspace.time_zone}), 'YYYY-MM-DD"T"HH24:MI:SS')`;
  const { rows } = await sql<AbsenceLine>`
    select absence.id, absence.user_id, "user".username, "user".staff_number, type.title as type, type.kind, absence.title,
      ${local('absence.starts_at', 'dates.first', '00:00:00')} as starts_at,
      ${local('absence.ends_at', 'dates.last', '23:59:59')} as ends_at, absence.full_day, absence.days,
      absence.hours, absence.confirmation_status, confirmer.username as confirmed_by, absence.external_id
    from unnest(${ids}::bigint[]) with ordinality wanted (id, position)
    join absences absence on absence.account_id = ${accountId} and absence.id = wanted.id
    join users "user" on "user".account_id = ${accountId} and "user".id = absence.user_id
    join absence_types type on type.account_id = ${accountId} and type.id = absence.absence_type_id
    cross join lateral (
      select min(day.date) as first, max(day.date) as last from absence_days day
      where day.account_id = ${accountId} and day.absence_id = absence.id) dates
    left join users confirmer on confirmer.account_id = ${accountId} and confirmer.id = absence.confirmed_by_user_id
    order by wanted.position`.execute(db);
  return rows;
}
