import { sql } from 'kysely';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { boolean, counted, indexed, time, type Columns } from '../../platform/db/list/filters.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { readableBy, userRank } from '../../platform/db/visibility.ts';
import { notesOfRecord } from '../../platform/notes/notes_of_record.ts';
import { homeWorkspaceId } from '../../days/balance/user_days.ts';

/** The absences of an account, with everything that both APIs, the rights and the amounts need. */
export const absenceRows = (db: Db, accountId: number) =>
  db
    .selectFrom('absences')
    .innerJoin('absence_types as type', (join) =>
      join.on('type.account_id', '=', accountId).onRef('type.id', '=', 'absences.absence_type_id'),
    )
    .innerJoin('users as user', (join) =>
      join.on('user.account_id', '=', accountId).onRef('user.id', '=', 'absences.user_id'),
    )
    .innerJoinLateral(notesOfRecord(accountId, 'absence_id', 'absences.id'), (join) => join.onTrue())
    .where('absences.account_id', '=', accountId)
    .selectAll('absences')
    .select([
      'note_ids',
      'system_notes_count',
      'type.external_id as absence_type_external_id',
      'type.kind',
      'type.title as absence_type_title',
      // Full days are dates: their moments depend on who looks at them.
      sql<string>`(select min(day.date) from absence_days day
        where day.account_id = ${accountId} and day.absence_id = absences.id)`.as('first_date'),
      sql<string>`(select max(day.date) from absence_days day
        where day.account_id = ${accountId} and day.absence_id = absences.id)`.as('last_date'),
      // The zone of the user's days.
      sql<string>`coalesce("user".time_zone, (
        select home.time_zone from workspaces home
        where home.account_id = ${accountId} and home.id = ${homeWorkspaceId(accountId, sql.ref('absences.user_id'))}))`.as(
        'user_time_zone',
      ),
      userRank(accountId, sql.ref('absences.user_id'), sql.ref('absences.workspace_id')).as('user_rank'),
      sql<number[]>`array(
        select area.id from area_members member
        join areas area on area.account_id = ${accountId} and area.id = member.area_id
        where member.account_id = ${accountId} and member.user_id = absences.user_id
          and area.workspace_id = absences.workspace_id and area.status = 'active')`.as('area_ids'),
      sql<number[]>`array(
        select follower.user_id from absence_followers follower
        where follower.account_id = ${accountId} and follower.absence_id = absences.id order by follower.user_id)`.as(
        'follower_ids',
      ),
      sql<number[]>`array(
        select attachment.id from attachments attachment
        where attachment.account_id = ${accountId} and attachment.absence_id = absences.id order by attachment.id)`.as(
        'attachment_ids',
      ),
    ]);

export type AbsenceRow = Awaited<ReturnType<ReturnType<typeof absenceRows>['executeTakeFirstOrThrow']>>;

const notesCount = (accountId: number, type: 'SystemNote' | 'UserNote') => sql<number>`(
  select count(*) from notes note
  where note.account_id = ${accountId} and note.absence_id = absences.id and note.type = ${type})`;

/** The ids of the workspaces of an account that are not deleted. */
export const existingWorkspaces = (db: Db, accountId: number) =>
  db
    .selectFrom('workspaces')
    .select('workspaces.id')
    .where('workspaces.account_id', '=', accountId)
    .where('workspaces.deleted_at', 'is', null);

/** The absences that the actor may read, in their workspace or in all workspaces of the account. */
export function visibleAbsences(db: Db, actor: Actor) {
  const { accountId, workspace } = actor;
  const readable = db
    .selectFrom('absences')
    .where('absences.account_id', '=', accountId)
    .where(readableBy(actor, 'absence'));
  return workspace === null
    ? readable.where('absences.workspace_id', 'in', existingWorkspaces(db, accountId))
    : readable.where('absences.workspace_id', '=', workspace.id);
}

/** The columns that lists of absences can be filtered and sorted by. */
export const absenceColumns = (accountId: number): Columns =>
  listColumns('listAbsences', 'absences', {
    starts_at: indexed(time('absences.starts_at')),
    confirmed: boolean(
      sql`(case absences.confirmation_status when 'confirmed' then true when 'rejected' then false end)`,
    ),
    attachments_count: counted(sql<number>`(
      select count(*) from attachments attachment where attachment.account_id = ${accountId} and attachment.absence_id = absences.id)`),
    system_notes_count: counted(notesCount(accountId, 'SystemNote')),
    user_notes_count: counted(notesCount(accountId, 'UserNote')),
  });
