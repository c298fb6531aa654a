import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { rank } from '../../platform/core/ranks.ts';
import type { Names, Ref } from '../../platform/core/names.ts';
import type { Actor, WorkspaceActor } from '../../platform/core/permissions.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import { zoneNamed, zoneProblems } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { city } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { referred, rowNamed } from '../../platform/db/names.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { takenProblems } from '../../platform/db/unique_values.ts';
import { readableWorkspace } from '../../platform/db/visibility.ts';
import { avatarColumns, avatarProblems, forgetReplacedAvatar } from '../../platform/files/avatars.ts';
import { regionProblems } from '../../days/calendar/holiday_calendar.ts';
import { eventsOf, type EventActor } from '../../platform/events/record.ts';
import { enqueueJudgement } from '../../platform/jobs/judgement.ts';
import { recordUser } from '../users/events/user_events.ts';
import { joinWorkspace } from '../users/memberships.ts';
import { findUser } from '../users/users.ts';
import { enqueueRemeasurement } from '../../days/balance/jobs.ts';
import { ruleSettings } from './rule_settings.ts';
import { addDefaultAbsenceTypes } from './default_absence_types.ts';
import { lockWorkspace } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';

type Schemas = components['schemas'];

type NewWorkspace = Schemas['WorkspaceCreation']['data']['attributes'];
type WorkspaceChange = Schemas['WorkspaceUpdate']['data']['attributes'];
type WorkspaceInput = Partial<NewWorkspace> & WorkspaceChange;

const stored = storedAttributes({
  table: 'workspaces',
  schemas: ['WorkspaceCreation', 'WorkspaceUpdate'],
  handled: ['time_zone', 'avatar', 'reset_confirmed_absences'],
});

const columns = listColumns('listWorkspaces', 'workspaces', { time_zone: city('workspaces.time_zone') });

const workspaceRows = (db: Db, accountId: number) =>
  db
    .selectFrom('workspaces')
    .where('workspaces.account_id', '=', accountId)
    .selectAll('workspaces')
    .select(
      sql<number[]>`array(
        select area.id from areas area
        where area.account_id = ${accountId} and area.workspace_id = workspaces.id and area.status = 'active'
        order by area.id)`.as('area_ids'),
    );

export type WorkspaceRow = Awaited<ReturnType<ReturnType<typeof workspaceRows>['executeTakeFirstOrThrow']>>;

export const workspaceEvents = eventsOf<WorkspaceRow>()(
  'workspace',
  [...stored, 'time_zone', 'avatar_url', 'avatar_file_id'],
  { recorded: ({ id, external_id }) => ({ id, external_id, workspace_id: id }) },
);

/** The workspace that the actor works in. */
export async function findWorkspace(db: Db, { accountId, workspace }: WorkspaceActor): Promise<WorkspaceRow> {
  const row = await workspaceRows(db, accountId)
    .where('workspaces.id', '=', workspace.id)
    .where('workspaces.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound('workspace');
  return row;
}

/** One workspace of the account, or undefined. */
export const workspaceNamed = (
  db: Db,
  { accountId }: Pick<Actor, 'accountId'>,
  ref: Ref,
): Promise<WorkspaceRow | undefined> =>
  rowNamed('workspaces', ref, (condition) =>
    workspaceRows(db, accountId).where('workspaces.deleted_at', 'is', null).where(condition).execute(),
  );

/** Every workspace of the account. */
export const allWorkspaces = (db: Db, { accountId }: Actor): Promise<WorkspaceRow[]> =>
  workspaceRows(db, accountId).where('workspaces.deleted_at', 'is', null).orderBy('workspaces.id').execute();

/** The actor in one of the account's workspaces. */
/** An actor in a location of the public API, with everything that is known about it. */
export type LocalActor = Actor & { readonly workspace: WorkspaceRow };

export const inWorkspace = (actor: Actor, workspace: WorkspaceRow): LocalActor => ({ ...actor, workspace });

/** The actor in the location that a request of the public API refers to; 400 where there is none. */
export async function inLocation(db: Db, actor: Actor, names: Names): Promise<LocalActor> {
  const { row, problems } = await referred(names, 'location of this enterprise', () =>
    workspaceNamed(db, actor, names),
  );
  refuse(problems);
  return inWorkspace(actor, row!);
}

export const workspacesByIds = (
  db: Db,
  { accountId }: Pick<Actor, 'accountId'>,
  ids: readonly number[],
): Promise<WorkspaceRow[]> => rowsByIds(workspaceRows(db, accountId), 'workspaces.id', ids);

/** The workspaces that the actor is a member of. Account admins see all of the account. */
export function listWorkspaces(db: Db, actor: Actor, selection: Selection) {
  const visible = db
    .selectFrom('workspaces')
    .where('workspaces.account_id', '=', actor.accountId)
    .where('workspaces.deleted_at', 'is', null)
    .where(readableWorkspace(actor));
  const rows = workspaceRows(db, actor.accountId);
  return list(db, { visible, rows, id: 'workspaces.id', columns, timeZone: 'UTC' }, selection);
}

/** Creates a workspace with the default absence types, and makes its creator a member, or the user who is named. */
export async function createWorkspace(
  db: OpenTransaction,
  actor: EventActor,
  input: NewWorkspace,
  now: Date,
  memberId = actor.userId,
): Promise<WorkspaceRow> {
  const { accountId } = actor;
  const row = await insertWorkspace(db, actor, input, now);
  if (memberId === null) return row;
  const scope = { ...actor, workspace: null, rank: rank.accountAdmin };
  const before = await findUser(db, scope, memberId);
  await joinWorkspace(db, { accountId, workspaceId: row.id, userId: memberId }, undefined, now);
  recordUser(db, scope, 'updated', { before, after: await findUser(db, scope, memberId) }, now);
  return row;
}

/** Creates a workspace with the default absence types. It has no members yet. */
export async function insertWorkspace(
  db: OpenTransaction,
  actor: EventActor,
  input: NewWorkspace,
  now: Date,
): Promise<WorkspaceRow> {
  refuse(await attributeProblems(db, actor.accountId, input, null));
  const { accountId } = actor;
  const { id } = await db
    .insertInto('workspaces')
    .values({
      ...(await columnsOf(db, accountId, input, now)),
      account_id: accountId,
      name: input.name,
      time_zone: zoneNamed(input.time_zone ?? 'Berlin')!,
      locale: input.locale ?? 'de',
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('directory_workspaces').values({ workspace_id: id, account_id: accountId }).execute();
  const after = await workspaceRows(db, accountId).where('workspaces.id', '=', id).executeTakeFirstOrThrow();
  workspaceEvents.record(db, actor, 'created', { before: null, after }, now);
  await addDefaultAbsenceTypes(db, actor, after, now);
  return after;
}

/** Changes what is given and leaves the rest alone. */
export async function updateWorkspace(
  db: OpenTransaction,
  actor: WorkspaceActor,
  change: WorkspaceChange,
  now: Date,
): Promise<WorkspaceRow> {
  refuse(await attributeProblems(db, actor.accountId, change, actor.workspace.id));
  await lockWorkspace(db, { accountId: actor.accountId, id: actor.workspace.id });
  const before = await findWorkspace(db, actor);
  await db
    .updateTable('workspaces')
    .set({ ...(await columnsOf(db, actor.accountId, change, now)), updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', actor.workspace.id)
    .execute();
  await forgetReplacedAvatar(db, before, change);
  if (change.time_zone !== undefined || change.holiday_region !== undefined)
    await enqueueRemeasurement(db, actor.accountId, before.id, {
      from: null,
      resetsConfirmed: change.reset_confirmed_absences === true,
    });
  if (ruleSettings.some((name) => change[name] !== undefined)) await enqueueJudgement(db, actor.accountId);
  const after = await findWorkspace(db, actor);
  workspaceEvents.record(db, actor, 'updated', { before, after }, now);
  return after;
}

/** The columns of an input. Stores its avatar, and resolves its zone to the IANA name. */
async function columnsOf(db: Db, accountId: number, input: WorkspaceInput, now: Date) {
  return {
    ...pick(input, stored),
    time_zone: input.time_zone === undefined ? undefined : zoneNamed(input.time_zone),
    ...(await avatarColumns(db, accountId, input.avatar, now)),
  };
}

/** The problems of an input that the contract cannot know. `workspaceId` is null for a new workspace. */
async function attributeProblems(
  db: Db,
  accountId: number,
  input: WorkspaceInput,
  workspaceId: number | null,
): Promise<Problem[]> {
  const others = db
    .selectFrom('workspaces')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('id', 'is distinct from', workspaceId);
  return [
    ...zoneProblems(input.time_zone),
    ...(await regionProblems(input.holiday_region)),
    ...(await takenProblems(others, 'external_id', input.external_id, 'workspace of this account')),
    ...(await avatarProblems(input.avatar)),
  ];
}
