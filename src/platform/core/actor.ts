import type { Rank } from './ranks.ts';

/** The workspace an operation works in, with the settings that the rules ask for. */
export interface WorkspaceScope {
  readonly id: number;
  readonly time_zone: string;
  readonly locale: string;
  readonly allow_employees_edit_working_session_area: boolean;
  readonly allow_employee_edit_punched_working_sessions: boolean;
  readonly allow_employees_tag_working_sessions: boolean;
  readonly require_four_eyes: boolean;
  /** Null where employees record time as far back as they like. */
  readonly max_backdating_days: number | null;
}

/** The user or token that acts, and where. It is resolved once per request, from the credential and the path. */
export interface Actor {
  readonly accountId: number;
  /** Null where an external system acts for the whole enterprise, through the public API. */
  readonly userId: number | null;
  /** The session in which the user is signed in. */
  readonly sessionId?: string;
  /** The api_token that the external system uses. */
  readonly apiTokenId?: string;
  /** The request that the actor makes. Jobs have none. */
  readonly requestId?: string;
  readonly username: string;
  /** The actor's rank in the workspace of the operation. Without a workspace: 4 for an account admin, 1 for everybody else. */
  readonly rank: Rank;
  /** The rank of the role that they hold there. It differs from `rank` while they have switched their role. */
  readonly heldRank?: Rank;
  /** The actor's areas in that workspace, or in the whole account without one. An area admin administers these. */
  readonly areaIds: readonly number[];
  /** The actor's role in every workspace they are a member of, by its id. */
  readonly roles?: Readonly<Record<number, Rank>>;
  readonly workspace: WorkspaceScope | null;
}

/** An actor in an operation whose path names a workspace. */
export type WorkspaceActor = Actor & { readonly workspace: WorkspaceScope };
