import type { Actor } from './actor.ts';
import { forbidden } from './errors.ts';
import { isAccountAdmin, isAreaAdmin, isWorkspaceAdmin, rank, type Rank } from './ranks.ts';
import type { Facts, Located, Owned } from './record_facts.ts';

export type { Actor, WorkspaceActor, WorkspaceScope } from './actor.ts';

/** The actor's rank in any workspace; 0 where they have no role. */
export const rankIn = (actor: Actor, workspaceId: number): Rank => {
  if (isAccountAdmin(actor) || actor.workspace?.id === workspaceId) return actor.rank;
  return actor.roles?.[workspaceId] ?? 0;
};

/** A user as far as the acts on their behalf ask. */
type Person = Pick<Facts['user'], 'id' | 'rank' | 'area_ids'>;
const nobody = (): boolean => false;
const isAtLeast = (least: Rank) => (actor: Actor) => actor.rank >= least;
const isInWorkspaceAtLeast = (least: Rank) => (actor: Actor, workspace: { id: number }) =>
  rankIn(actor, workspace.id) >= least;
const isSelf = (actor: Actor, user: { id: number }) => actor.userId === user.id;
const isOwn = (actor: Actor, record: Owned) => actor.userId === record.user_id;
const follows = (actor: Actor, record: { follower_ids: readonly number[] }) =>
  actor.userId !== null && record.follower_ids.includes(actor.userId);

/** An area admin has authority over their areas, higher ranks over the whole workspace. */
const coversAreas = (actor: Actor, areaIds: readonly number[]): boolean =>
  isWorkspaceAdmin(actor) || (isAreaAdmin(actor) && areaIds.some((id) => actor.areaIds.includes(id)));

/** An area admin does not administer the records of users who rank higher. */
const administers = (actor: Actor, record: Located): boolean =>
  coversAreas(actor, record.area_ids) && (isWorkspaceAdmin(actor) || actor.rank >= record.user_rank);

const administersUser = (actor: Actor, user: Omit<Person, 'id'>): boolean =>
  administers(actor, { user_rank: user.rank, area_ids: user.area_ids });

const isOwnOrAdministered = (actor: Actor, record: Owned & Located): boolean =>
  isOwn(actor, record) || administers(actor, record);

const isMemberHere = ({ workspace }: Actor, user: Pick<Facts['user'], 'workspace_ids'>): boolean =>
  workspace !== null && user.workspace_ids.includes(workspace.id);

const isSelfOrAdministered = (actor: Actor, user: Person): boolean =>
  isSelf(actor, user) || administersUser(actor, user);

/** Of users who left the workspace, its admins see what colleagues see: the users may work in another workspace. */
const readsUser = (actor: Actor, user: Facts['user']): boolean =>
  isSelf(actor, user) || isAccountAdmin(actor) || (isMemberHere(actor, user) && administersUser(actor, user));

const changesUser = (actor: Actor, user: Pick<Person, 'rank'>): boolean =>
  isWorkspaceAdmin(actor) && actor.rank >= user.rank;

const seesProfile = (actor: Actor, profile: Pick<Facts['data_profile'], 'least_rank'>): boolean =>
  actor.rank >= profile.least_rank;

/** Where the workspace lets them, employees tag their own work. */
const mayTag = (actor: Actor, record: Owned & Located): boolean =>
  administers(actor, record) ||
  (isOwn(actor, record) && actor.workspace?.allow_employees_tag_working_sessions === true);

/** Where the workspace requires four eyes, nobody confirms their own time or decides about their own absence. */
const mayConfirm = (actor: Actor, record: Owned & Located): boolean =>
  administers(actor, record) && !(actor.workspace?.require_four_eyes === true && isOwn(actor, record));

const isUndecidedOrAdministered = (actor: Actor, absence: Facts['absence']): boolean =>
  administers(actor, absence) || (isOwn(actor, absence) && absence.confirmation_status === 'pending');

const isAuthor = (actor: Actor, note: Facts['note']): boolean =>
  note.author_id !== null && actor.userId === note.author_id;

/** Warnings are for the admins of the user they are about; everything else is for its addressee. */
const receives = (actor: Actor, notification: Facts['notification']): boolean =>
  notification.type === 'trigger_warning' ? administers(actor, notification) : isOwn(actor, notification);

const plansShift = (actor: Actor, { area_id: areaId }: Facts['shift']): boolean =>
  coversAreas(actor, areaId === null ? [] : [areaId]);

type Rule<Record> = (actor: Actor, record: Record) => boolean;

/**
 * The one table of who may do what to a record. It decides every refusal and fills the `permissions` attribute.
 * `db/visibility.ts` says the same in SQL.
 */
const table = {
  account: {
    read: isAtLeast(rank.employee),
    update: isAccountAdmin,
    destroy: nobody,
    // Events that belong to no workspace, and the values of custom fields that were deleted.
    read_all_events: isAccountAdmin,
    read_deleted_fields: isAccountAdmin,
  },
  data_profile: {
    read: seesProfile,
    update: isAccountAdmin,
    destroy: (actor, profile) => isAccountAdmin(actor) && !profile.isDefault,
  },
  user_data_profile: {
    read: (actor, profile) => seesProfile(actor, profile) && readsUser(actor, profile.user),
    update: (actor, profile) =>
      seesProfile(actor, profile) &&
      (changesUser(actor, profile.user) || (isSelf(actor, profile.user) && profile.asksUsers)),
    destroy: nobody,
  },
  // Lists and includes show workspaces and areas beyond the workspace of the operation, where the actor can have another rank.
  workspace: {
    read: isInWorkspaceAtLeast(rank.employee),
    update: isInWorkspaceAtLeast(rank.workspaceAdmin),
    destroy: isAccountAdmin,
    update_account_admin_role: isAccountAdmin,
    create_area: isInWorkspaceAtLeast(rank.workspaceAdmin),
    create_tag: isInWorkspaceAtLeast(rank.areaAdmin),
    change_tags: isInWorkspaceAtLeast(rank.workspaceAdmin),
    create_user: isInWorkspaceAtLeast(rank.workspaceAdmin),
    change_time_accounts: isInWorkspaceAtLeast(rank.workspaceAdmin),
    // By the role that they hold, not by the one that they have assumed.
    switch_role: (actor: Actor) => (actor.heldRank ?? actor.rank) >= rank.areaAdmin,
    see_admin_features: isInWorkspaceAtLeast(rank.areaAdmin),
    subscribe: isInWorkspaceAtLeast(rank.areaAdmin),
    // Others read the events about themselves.
    read_events: isInWorkspaceAtLeast(rank.workspaceAdmin),
    see_leavers: isInWorkspaceAtLeast(rank.workspaceAdmin),
    // Employees get sums of themselves alone, even where they follow records of others.
    sum_up_others: isInWorkspaceAtLeast(rank.areaAdmin),
    export_for_payroll: isInWorkspaceAtLeast(rank.workspaceAdmin),
  },
  area: {
    read: (actor, area) => rankIn(actor, area.workspace_id) >= rank.employee,
    update: (actor, area) => coversAreas({ ...actor, rank: rankIn(actor, area.workspace_id) }, [area.id]),
    destroy: (actor, area) => rankIn(actor, area.workspace_id) >= rank.workspaceAdmin,
  },
  user: {
    read: readsUser,
    update: changesUser,
    // Nobody deletes themselves, and only an account admin deletes other administrators of a workspace.
    destroy: (actor, user) =>
      !isSelf(actor, user) && isWorkspaceAdmin(actor) && (!isWorkspaceAdmin(user) || isAccountAdmin(actor)),
    // Nobody changes their own role.
    update_account_admin_role: (actor: Actor, user: { id: number }) => isAccountAdmin(actor) && !isSelf(actor, user),
    update_role: (actor: Actor, user: { id: number }) => !isSelf(actor, user),
    // A workspace admin takes a user of several workspaces out of their own workspace only.
    destroy_everywhere: isAccountAdmin,
    // Control of an address is control of the user: a password can be reset by mail. A workspace admin may therefore change
    // only the addresses of users who are employees, of no other workspaces than those that the admin administers.
    change_email: (actor, user) =>
      isAccountAdmin(actor) ||
      isSelf(actor, user) ||
      (Math.max(user.rank, user.highestRole) <= rank.employee &&
        user.workspace_ids.every((id) => rankIn(actor, id) >= rank.workspaceAdmin)),
    // A deactivated user is signed out everywhere, so a workspace admin does this only to users of workspaces that they administer.
    change_status: (actor, user) =>
      !isSelf(actor, user) &&
      isWorkspaceAdmin(actor) &&
      actor.rank >= user.rank &&
      (isAccountAdmin(actor) || user.workspace_ids.every((id) => rankIn(actor, id) >= rank.workspaceAdmin)),
    // A person is entitled to a copy of their own data. Only account admins get that of others, and erase it.
    copy_data: (actor: Actor, user: { id: number }) => isSelf(actor, user) || isAccountAdmin(actor),
    anonymise: isAccountAdmin,
    record_time: isSelfOrAdministered,
    change_target_hours: isWorkspaceAdmin,
    change_vacation_entitlements: isWorkspaceAdmin,
    change_time_account: isWorkspaceAdmin,
    // An admin of an area administers its members, so nobody may add a member whom they do not administer yet.
    add_to_area: administersUser,
    // Employees are refused alike whether a user exists or not, so that they learn nothing.
    record_absence: (actor: Actor, user: Person | undefined) =>
      user === undefined ? isAtLeast(rank.areaAdmin)(actor) : isSelfOrAdministered(actor, user),
  },
  target_hour: { read: isOwnOrAdministered, update: isWorkspaceAdmin, destroy: isWorkspaceAdmin },
  vacation_entitlement: { read: isOwnOrAdministered, update: isWorkspaceAdmin, destroy: isWorkspaceAdmin },
  // An entry is a booking: nobody changes it. A wrong one is deleted and created again.
  time_account_entry: {
    read: isOwnOrAdministered,
    update: nobody,
    destroy: isWorkspaceAdmin,
  },
  // Reopening a month is its destruction. The record of it stays.
  accounting_period: { read: isOwnOrAdministered, update: nobody, destroy: isWorkspaceAdmin },
  // Nobody changes the calendar of a region.
  public_holiday: {
    read: isAtLeast(rank.employee),
    update: (actor, holiday) => holiday.isOwn && isWorkspaceAdmin(actor),
    destroy: (actor, holiday) => holiday.isOwn && isWorkspaceAdmin(actor),
  },
  time_tracking: {
    read: (actor, tracking) => isOwnOrAdministered(actor, tracking) || follows(actor, tracking),
    update: (actor, tracking) =>
      administers(actor, tracking) ||
      (isOwn(actor, tracking) &&
        (!tracking.isPunched || actor.workspace?.allow_employee_edit_punched_working_sessions === true)),
    // A confirmed record is deleted only by somebody who may confirm it.
    destroy: (actor, tracking) => (tracking.confirmed ? mayConfirm : administers)(actor, tracking),
    confirm: mayConfirm,
    // Employees record their own time within limits: not too far back, not in the future, not too long.
    exceed_limits: administers,
    sign: isOwnOrAdministered,
    tag: mayTag,
    // Where the workspace lets them, employees move their own time trackings to another area.
    change_area: (actor, tracking) =>
      administers(actor, tracking) ||
      (isOwn(actor, tracking) && actor.workspace?.allow_employees_edit_working_session_area === true),
    change_user: administers,
    change_followers: administers,
  },
  // Punches are evidence: nobody changes or removes one.
  action: {
    read: isOwnOrAdministered,
    update: nobody,
    destroy: nobody,
    tag: mayTag,
  },
  absence: {
    read: (actor, absence) => isOwnOrAdministered(actor, absence) || follows(actor, absence),
    update: isUndecidedOrAdministered,
    destroy: (actor, absence) =>
      (absence.confirmation_status === 'confirmed' ? mayConfirm : isUndecidedOrAdministered)(actor, absence),
    decide: mayConfirm,
  },
  // An actor who reaches a note may read its record. Nobody changes a note that the service wrote.
  note: {
    read: isAtLeast(rank.employee),
    update: isAuthor,
    destroy: (actor, note) => isAuthor(actor, note) || (note.type === 'UserNote' && administers(actor, note)),
  },
  notification: {
    read: receives,
    update: nobody,
    destroy: receives,
  },
  shift: {
    // Drafts are for those who plan them.
    read: (actor, shift) => (shift.visible === false ? plansShift : isAtLeast(rank.employee))(actor, shift),
    update: plansShift,
    destroy: plansShift,
  },
  deleted_record: { restore: administers },
  working_time_violation: { read: isOwnOrAdministered, update: nobody, destroy: nobody, acknowledge: administers },
  batch_action: {
    read: (actor, batch) => isOwn(actor, batch) || isWorkspaceAdmin(actor),
  },
  // A file shows what its maker may read, which is more than others may.
  export: { read: isOwn },
} satisfies { readonly [Noun in keyof Facts]: Readonly<Record<string, Rule<Facts[Noun]>>> };

type Table = typeof table;
type Noun = keyof Table;

/** The acts that the `permissions` attribute shows, as far as a noun has them. The others are no part of the contract. */
const shownActs: readonly string[] = ['read', 'update', 'destroy', 'update_account_admin_role'];

/** The acts that the table knows for a noun. */
export type Act<Of extends Noun> = keyof Table[Of] & string;

/** The facts about the record that the rule of an act asks for. */
type Asked<Of extends Noun, On extends Act<Of>> = Table[Of][On] extends (actor: Actor, record: infer Record) => boolean
  ? unknown extends Record
    ? Facts[Of]
    : Record
  : never;

/** Whether the table allows an act. */
export function may<Of extends Noun, On extends Act<Of>>(
  actor: Actor,
  act: On,
  noun: Of,
  record: Asked<Of, On>,
): boolean {
  const rules = table[noun] as Readonly<Record<string, Rule<unknown>>>;
  return Object.hasOwn(rules, act) && rules[act]!(actor, record);
}

/** Refuses with 403 what the table does not allow. */
export function authorize<Of extends Noun, On extends Act<Of>>(
  actor: Actor,
  act: On,
  noun: Of,
  record: Asked<Of, On>,
): void {
  if (!may(actor, act, noun, record)) throw forbidden();
}

/** The `permissions` attribute: null unless asked for, then the named keys, or every key of the type. */
export function permissionsOf<Of extends Noun>(
  actor: Actor,
  noun: Of,
  record: Facts[Of],
  asked: 'none' | 'all' | readonly string[],
): Record<string, boolean> | null {
  if (asked === 'none') return null;
  const rules = table[noun] as Readonly<Record<string, Rule<Facts[Of]>>>;
  const acts = Object.keys(rules).filter((act) => shownActs.includes(act) && (asked === 'all' || asked.includes(act)));
  return Object.fromEntries(acts.map((act) => [act, rules[act]!(actor, record)]));
}
