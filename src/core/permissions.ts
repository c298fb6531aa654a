import { forbidden } from './errors.ts';

/** 0: no role here; 1 to 4: the id of a role. Roles are ranks: each includes those below it. */
export type Rank = 0 | 1 | 2 | 3 | 4;

export const rank = { employee: 1, areaAdmin: 2, workspaceAdmin: 3, accountAdmin: 4 } as const;

/** What an operation's `x-role` asks for. `any` is any signed-in user. */
export const leastRank: Readonly<Record<string, Rank>> = {
  any: 0,
  member: 1,
  working_area_admin: 2,
  workspace_admin: 3,
  account_admin: 4,
};

/** The workspace an operation works in, with what the rules need to know of it. */
export interface WorkspaceScope {
  readonly id: number;
  readonly time_zone: string;
  readonly locale: string;
  readonly allow_employees_edit_working_session_area: boolean;
  readonly allow_employee_edit_punched_working_sessions: boolean;
  readonly allow_employees_tag_working_sessions: boolean;
}

/** Who acts, and where: resolved once per request, from the credential and the path. */
export interface Actor {
  readonly accountId: number;
  /** Null where an external system acts for the whole enterprise, through the public API. */
  readonly userId: number | null;
  readonly username: string;
  /** His rank in the workspace at hand; without one, 4 for an account admin and 1 for everybody else. */
  readonly rank: Rank;
  /** The areas of that workspace he belongs to, without one those of the whole account; an area admin administers these. */
  readonly areaIds: readonly number[];
  /** His role in every workspace he is a member of, by its id. */
  readonly roles?: Readonly<Record<number, Rank>>;
  readonly workspace: WorkspaceScope | null;
}

/** An actor in an operation whose path names a workspace. */
export type WorkspaceActor = Actor & { readonly workspace: WorkspaceScope };

/** `admin` or `employee`, as `assumed_role` and `author_role` say it. */
export const assumedRole = (of: Rank): 'admin' | 'employee' => (of >= rank.areaAdmin ? 'admin' : 'employee');

/** His rank in a workspace that need not be the one at hand; 0 where he has nothing to do with it. */
export const rankIn = (actor: Actor, workspaceId: number): Rank => {
  if (actor.rank === rank.accountAdmin || actor.workspace?.id === workspaceId) return actor.rank;
  return actor.roles?.[workspaceId] ?? 0;
};

/** What the rules need to know of a record. */
export interface Facts {
  account: object;
  data_profile: object;
  workspace: { id: number };
  area: { id: number; workspace_id: number };
  user: { id: number; rank: Rank; highestRole: number; area_ids: readonly number[] };
  /** Its areas are the one it was worked in and those of its user. */
  time_tracking: { user_id: number; area_ids: readonly number[]; follower_ids: readonly number[]; isPunched: boolean };
  /** `area_ids`: the areas of its user. */
  action: { user_id: number; area_ids: readonly number[] };
  /** `area_ids`: the areas of the user who is absent. */
  absence: {
    user_id: number;
    confirmation_status: string;
    area_ids: readonly number[];
    follower_ids: readonly number[];
  };
  /** `area_ids`: the areas in which the record it belongs to lies. */
  note: { type: string; author_id: number | null; area_ids: readonly number[] };
  /** `user_id`: the addressee of a notification, or whom a warning is about. */
  notification: { type: string; user_id: number; area_ids: readonly number[] };
}

type Rule<Record> = (actor: Actor, record: Record) => boolean;
type Rules<Record> = {
  readonly read: Rule<Record>;
  readonly update: Rule<Record>;
  readonly destroy: Rule<Record>;
  readonly [act: string]: Rule<Record>;
};

const isAtLeast = (least: Rank) => (actor: Actor) => actor.rank >= least;
const isInWorkspaceAtLeast = (least: Rank) => (actor: Actor, workspace: { id: number }) =>
  rankIn(actor, workspace.id) >= least;
const isSelf = (actor: Actor, user: { id: number }) => actor.userId === user.id;

/** An area admin administers those who share an area with him; higher ranks administer everybody here. */
const administers = (actor: Actor, areaIds: readonly number[]): boolean =>
  actor.rank >= rank.workspaceAdmin ||
  (actor.rank === rank.areaAdmin && areaIds.some((id) => actor.areaIds.includes(id)));

const isOwn = (actor: Actor, record: { user_id: number }) => actor.userId === record.user_id;
const follows = (actor: Actor, record: { follower_ids: readonly number[] }) =>
  actor.userId !== null && record.follower_ids.includes(actor.userId);

/** Confirming, following, deleting and giving to somebody else: what admins alone do with a time tracking. */
export const mayAdminister = (actor: Actor, record: { area_ids: readonly number[] }): boolean =>
  administers(actor, record.area_ids);

/** Everybody records his own working time; admins also that of the people they administer. */
export const mayRecordTimeFor = (actor: Actor, user: { id: number; area_ids: readonly number[] }): boolean =>
  isSelf(actor, user) || administers(actor, user.area_ids);

/** A signature is given by whose work it is, or taken by an admin. */
export const maySign = (actor: Actor, tracking: Facts['time_tracking']): boolean =>
  isOwn(actor, tracking) || administers(actor, tracking.area_ids);

/** Where the workspace lets them, employees move their own time trackings to another area. */
export const mayChangeArea = (actor: Actor, tracking: Facts['time_tracking']): boolean =>
  administers(actor, tracking.area_ids) ||
  (isOwn(actor, tracking) && actor.workspace?.allow_employees_edit_working_session_area === true);

/** Where the workspace lets them, employees tag their own time trackings. */
export const mayTag = (actor: Actor, tracking: Pick<Facts['time_tracking'], 'user_id' | 'area_ids'>): boolean =>
  administers(actor, tracking.area_ids) ||
  (isOwn(actor, tracking) && actor.workspace?.allow_employees_tag_working_sessions === true);

const isAuthor = (actor: Actor, note: Facts['note']): boolean =>
  note.author_id !== null && actor.userId === note.author_id;

/** Warnings are for those who administer what they are about; everything else is for its addressee. */
const mayHaveNotification = (actor: Actor, notification: Facts['notification']): boolean =>
  notification.type === 'trigger_warning'
    ? administers(actor, notification.area_ids)
    : actor.userId === notification.user_id;

/** Admins decide about absences, whatever state they are in. */
export const mayDecide = (actor: Actor, absence: Facts['absence']): boolean => administers(actor, absence.area_ids);

/** Everybody enters records of his own; admins do so for those they administer. Others are not even told whether a user is there. */
export const mayEnterFor = (actor: Actor, user: { id: number; area_ids: readonly number[] } | undefined): boolean =>
  user === undefined ? actor.rank >= rank.areaAdmin : isSelf(actor, user) || administers(actor, user.area_ids);

export const mayCreateAreas = isAtLeast(rank.workspaceAdmin);

export const mayCreateTags = isAtLeast(rank.areaAdmin);

/**
 * Whoever controls a user's address can reset his password. A workspace admin may therefore not change that of somebody who
 * administers other places.
 */
export const mayChangeEmail = (actor: Actor, user: Facts['user']): boolean =>
  actor.rank === rank.accountAdmin ||
  isSelf(actor, user) ||
  (user.rank < rank.accountAdmin && user.highestRole <= user.rank);

/** The one table of who may do what to a record. It decides the refusals and fills the `permissions` attribute. */
const table: { readonly [Noun in keyof Facts]: Rules<Facts[Noun]> } = {
  account: {
    read: isAtLeast(rank.employee),
    update: isAtLeast(rank.accountAdmin),
    destroy: () => false,
  },
  // Nothing changes data profiles yet.
  data_profile: {
    read: isAtLeast(rank.employee),
    update: () => false,
    destroy: () => false,
  },
  // Lists and includes show workspaces and areas beyond the workspace at hand, where another rank counts.
  workspace: {
    read: isInWorkspaceAtLeast(rank.employee),
    update: isInWorkspaceAtLeast(rank.workspaceAdmin),
    destroy: isAtLeast(rank.accountAdmin),
    update_account_admin_role: isAtLeast(rank.accountAdmin),
  },
  area: {
    read: (actor, area) => rankIn(actor, area.workspace_id) >= rank.employee,
    update: (actor, area) => administers({ ...actor, rank: rankIn(actor, area.workspace_id) }, [area.id]),
    destroy: (actor, area) => rankIn(actor, area.workspace_id) >= rank.workspaceAdmin,
  },
  user: {
    read: (actor, user) => isSelf(actor, user) || administers(actor, user.area_ids),
    update: (actor, user) => actor.rank >= rank.workspaceAdmin && actor.rank >= user.rank,
    // Nobody deletes himself, and only an account admin deletes other administrators of a workspace.
    destroy: (actor, user) =>
      !isSelf(actor, user) &&
      actor.rank >= rank.workspaceAdmin &&
      (user.rank < rank.workspaceAdmin || actor.rank === rank.accountAdmin),
    update_account_admin_role: (actor, user) => actor.rank === rank.accountAdmin && !isSelf(actor, user),
  },
  time_tracking: {
    read: (actor, tracking) =>
      isOwn(actor, tracking) || follows(actor, tracking) || administers(actor, tracking.area_ids),
    update: (actor, tracking) =>
      administers(actor, tracking.area_ids) ||
      (isOwn(actor, tracking) &&
        (!tracking.isPunched || actor.workspace?.allow_employee_edit_punched_working_sessions === true)),
    destroy: (actor, tracking) => administers(actor, tracking.area_ids),
  },
  // Punches are evidence: nobody changes or removes one.
  action: {
    read: (actor, action) => isOwn(actor, action) || administers(actor, action.area_ids),
    update: () => false,
    destroy: () => false,
  },
  absence: {
    read: (actor, absence) => isOwn(actor, absence) || follows(actor, absence) || administers(actor, absence.area_ids),
    update: (actor, absence) =>
      administers(actor, absence.area_ids) || (isOwn(actor, absence) && absence.confirmation_status === 'pending'),
    destroy: (actor, absence) =>
      administers(actor, absence.area_ids) || (isOwn(actor, absence) && absence.confirmation_status === 'pending'),
  },
  // Whoever gets as far as a note may read the record it is on. What the service wrote stays as it is.
  note: {
    read: isAtLeast(rank.employee),
    update: isAuthor,
    destroy: (actor, note) => isAuthor(actor, note) || (note.type === 'UserNote' && administers(actor, note.area_ids)),
  },
  notification: {
    read: mayHaveNotification,
    update: () => false,
    destroy: mayHaveNotification,
  },
};

export const may = <Noun extends keyof Facts>(actor: Actor, act: string, noun: Noun, record: Facts[Noun]): boolean =>
  Object.hasOwn(table[noun], act) && table[noun][act]!(actor, record);

/** Refuses with 403 what the table does not allow. */
export function authorize<Noun extends keyof Facts>(actor: Actor, act: string, noun: Noun, record: Facts[Noun]): void {
  if (!may(actor, act, noun, record)) throw forbidden();
}

/** The `permissions` attribute: null unless asked for, then the named keys, or every key of the type. */
export function permissionsOf<Noun extends keyof Facts>(
  actor: Actor,
  noun: Noun,
  record: Facts[Noun],
  asked: 'none' | 'all' | readonly string[],
): Record<string, boolean> | null {
  if (asked === 'none') return null;
  const acts = Object.keys(table[noun]).filter((act) => asked === 'all' || asked.includes(act));
  return Object.fromEntries(acts.map((act) => [act, may(actor, act, noun, record)]));
}
