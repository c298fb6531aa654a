import type { Rank } from './ranks.ts';

/** The facts about a record that the rules ask for. `user_rank` is the rank that the record's user has in its workspace. */
export interface Facts {
  account: object;
  data_profile: ProfileFacts;
  /** A data profile with the values of one user. */
  user_data_profile: ProfileFacts & { user: Facts['user'] };
  workspace: { id: number };
  area: { id: number; workspace_id: number };
  user: {
    id: number;
    rank: Rank;
    highestRole: number;
    area_ids: readonly number[];
    workspace_ids: readonly number[];
  };
  /** `area_ids`: the areas of its user. */
  target_hour: Owned & Located;
  vacation_entitlement: Owned & Located;
  time_account_entry: Owned & Located;
  accounting_period: Owned & Located;
  public_holiday: { isOwn: boolean };
  /** `area_ids`: the area it was worked in, and those of its user. */
  time_tracking: Owned & Located & { follower_ids: readonly number[]; isPunched: boolean; confirmed: boolean };
  /** `area_ids`: the areas of its user. */
  action: Owned & Located;
  /** `area_ids`: the areas of the absent user. */
  absence: {
    user_id: number;
    user_rank: Rank;
    confirmation_status: string;
    area_ids: readonly number[];
    follower_ids: readonly number[];
  };
  /** `user_rank` and `area_ids`: those of the record that the note is on. */
  note: { type: string; author_id: number | null; user_rank: Rank; area_ids: readonly number[] };
  /** `user_id`: the addressee of a notification, or the user a warning is about. */
  notification: { type: string; user_id: number; user_rank: Rank; area_ids: readonly number[] };
  /** A shift that is not visible is a draft. */
  shift: { area_id: number | null; visible: boolean | null };
  /** `area_ids`: the area of the record, and those of its user. */
  deleted_record: Owned & Located;
  /** `area_ids`: the area of the time tracking that completes it, and those of its user. */
  working_time_violation: Owned & Located;
  /** `user_id`: the user who started it. */
  batch_action: { user_id: number };
  /** `user_id`: the user who asked for it. */
  export: { user_id: number };
}

/** `asksUsers`: whether users fill it in themselves. */
type ProfileFacts = { readonly least_rank: Rank; readonly isDefault: boolean; readonly asksUsers: boolean };
export type Owned = { readonly user_id: number };
export type Located = { readonly user_rank: Rank; readonly area_ids: readonly number[] };
