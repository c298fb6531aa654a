import { sql, type RawBuilder } from 'kysely';
import { hoursOf } from '../../../days/calendar/worked_time.ts';
import type { WorkspaceActor } from '../../../platform/core/permissions.ts';
import { wholeSeconds } from '../../../platform/core/time.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { secondsAt } from '../../../working_time/time_trackings/list/seconds_sql.ts';
import { column, type ColumnOf } from '../table.ts';

export interface TimeTrackingLine {
  readonly id: string;
  readonly user_id: number;
  readonly username: string;
  readonly staff_number: string | null;
  readonly area: string | null;
  readonly starts_at: string;
  readonly ends_at: string | null;
  readonly gross: number;
  readonly pause: number;
  readonly confirmed: boolean;
  readonly tags: string | null;
  readonly created_by: string;
  readonly external_id: string | null;
}

const hours = (en: string, de: string, seconds: (row: TimeTrackingLine) => number) =>
  column<TimeTrackingLine>(en, de, 'hours', (row) => hoursOf(seconds(row)));
const seconds = (en: string, de: string, value: (row: TimeTrackingLine) => number) =>
  column<TimeTrackingLine>(en, de, 'number', value);
const net = ({ gross, pause }: TimeTrackingLine): number => gross - pause;

export const timeTrackingColumns: readonly ColumnOf<TimeTrackingLine>[] = [
  column('Id', 'Id', 'text', (row) => row.id),
  column('User id', 'Benutzer-Id', 'number', (row) => row.user_id),
  column('User', 'Benutzer', 'text', (row) => row.username),
  column('Staff number', 'Personalnummer', 'text', (row) => row.staff_number),
  column('Date', 'Datum', 'day', (row) => row.starts_at.slice(0, 10)),
  column('Start', 'Beginn', 'time', (row) => row.starts_at),
  column('End', 'Ende', 'time', (row) => row.ends_at),
  column('Area', 'Arbeitsbereich', 'text', (row) => row.area),
  hours('Gross (h)', 'Brutto (h)', ({ gross }) => gross),
  hours('Breaks (h)', 'Pausen (h)', ({ pause }) => pause),
  hours('Net (h)', 'Netto (h)', net),
  seconds('Gross (s)', 'Brutto (s)', ({ gross }) => gross),
  seconds('Breaks (s)', 'Pausen (s)', ({ pause }) => pause),
  seconds('Net (s)', 'Netto (s)', net),
  column('Running', 'Läuft', 'flag', (row) => row.ends_at === null),
  column('Confirmed', 'Bestätigt', 'flag', (row) => row.confirmed),
  column('Tags', 'Tags', 'text', (row) => row.tags),
  column('Created by', 'Erstellt durch', 'text', (row) => row.created_by),
  column('External id', 'Externe Id', 'text', (row) => row.external_id),
];

/** Time trackings as lines of a file, in the order of the ids. */
export async function readTimeTrackings(
  db: Db,
  actor: WorkspaceActor,
  ids: readonly number[],
  now: Date,
): Promise<TimeTrackingLine[]> {
  return (await timeTrackingLines(actor, ids, now).execute(db)).rows;
}

/** The statement that reads them. Times are local times of the workspace. */
function timeTrackingLines(
  { accountId, workspace }: WorkspaceActor,
  ids: readonly number[],
  now: Date,
): RawBuilder<TimeTrackingLine> {
  const { gross, pause } = secondsAt({ accountId, now: wholeSeconds(now) });
  const local = (name: string) =>
    sql`to_char(${sql.ref(name)} at time zone ${workspace.time_zone}, 'YYYY-MM-DD"T"HH24:MI:SS')`;
  return sql<TimeTrackingLine>`
    select coalesce(time_trackings.uuid::text, time_trackings.id::text) as id, time_trackings.user_id, "user".username,
      "user".staff_number, area.name as area, ${local('time_trackings.starts_at')} as starts_at,
      ${local('time_trackings.ends_at')} as ends_at, ${gross} as gross, ${pause} as pause, time_trackings.confirmed,
      (select string_agg(tag.title, ', ' order by tag.title, tag.id)
       from time_tracking_tags tagging
       join tags tag on tag.account_id = ${accountId} and tag.id = tagging.tag_id
       where tagging.account_id = ${accountId} and tagging.time_tracking_id = time_trackings.id) as tags,
      time_trackings.created_by, time_trackings.external_id
    from unnest(${ids}::bigint[]) with ordinality wanted (id, position)
    join time_trackings on time_trackings.account_id = ${accountId} and time_trackings.id = wanted.id
    join users "user" on "user".account_id = ${accountId} and "user".id = time_trackings.user_id
    left join areas area on area.account_id = ${accountId} and area.id = time_trackings.area_id
    order by wanted.position`;
}
