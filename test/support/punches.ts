import type { WorkspaceActor } from '../../src/platform/core/permissions.ts';
import { rank } from '../../src/platform/core/ranks.ts';
import { areaWith } from './time_trackings.ts';
import { bodyOf, type Person, type World } from './world.ts';

export const punch = (person: Person, action_type: string, attributes: object = {}) =>
  person.call('createAction', { body: bodyOf('action', { action_type, ...attributes }) });

/** A time of day on a fixed day in the past. */
export const at = (time: string): string => `2026-03-02T${time}+01:00`;

export const trackingsOf = ({ db, accountId }: World, userId: number) =>
  db
    .selectFrom('time_trackings')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

export const notesOf = async ({ db, accountId }: World, trackingId: number) =>
  (
    await db
      .selectFrom('notes')
      .select('content')
      .where('account_id', '=', accountId)
      .where('time_tracking_id', '=', trackingId)
      .orderBy('id')
      .execute()
  ).map(({ content }) => content);

export const tagsOf = async ({ db, accountId }: World, trackingId: number) =>
  (
    await db
      .selectFrom('time_tracking_tags')
      .select('tag_id')
      .where('account_id', '=', accountId)
      .where('time_tracking_id', '=', trackingId)
      .execute()
  ).map(({ tag_id }) => String(tag_id));

export const letEmployeesTag = ({ admin }: World) =>
  admin.call('updateWorkspace', { body: bodyOf('workspace', { allow_employees_tag_working_sessions: true }) });

/** An area admin and a member of their area. */
export async function area(world: World) {
  const [areaAdmin, member] = [await world.addMember('areaAdmin'), await world.addMember('employee')];
  await areaWith(world, 'Bar', [areaAdmin, member]);
  return { areaAdmin, member };
}

/** The actor for an employee of the world's workspace. */
export const employeeIn = ({ accountId, workspaceId }: World, userId: number): WorkspaceActor => ({
  accountId,
  userId,
  username: 'employee',
  rank: rank.employee,
  areaIds: [],
  workspace: {
    id: workspaceId,
    time_zone: 'Europe/Berlin',
    locale: 'de',
    allow_employees_edit_working_session_area: true,
    allow_employee_edit_punched_working_sessions: false,
    allow_employees_tag_working_sessions: false,
    require_four_eyes: false,
    max_backdating_days: null,
  },
});
