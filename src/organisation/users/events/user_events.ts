import type { OpenTransaction } from '../../../platform/db/open_transaction.ts';
import { eventsOf, recordEvents, type EventActor, type NewEvent } from '../../../platform/events/record.ts';
import type { UserRow, UserScope } from '../rows.ts';
import { stored } from '../user_attributes.ts';

/** A user, with what a verb may have changed beside their row: fields of their data profile, and whether their address is proven. */
export type RecordedUser = UserRow & {
  readonly [field: `data_profile.${string}`]: string | null;
  readonly email_confirmed?: boolean;
};

/** The attributes that users have in one workspace. In the whole account they have the areas, tags and absence types of all. */
const membershipAttributes = ['role', 'workspace_ids', 'area_ids', 'tag_ids', 'absence_type_ids'] as const;

const hidden = ['tablet_pin', 'identifier_pin', 'password'] as const;

const attributes = [
  ...stored.filter((name) => name !== 'tablet_pin'),
  'time_zone',
  'time_tracking_method_id',
  'wage_type_ids',
  'default_break_ids',
  'public_holiday_ids',
  'avatar_url',
  'avatar_file_id',
  'mail_notifications',
  'email_confirmed',
  'status',
  'is_account_admin',
  ...membershipAttributes,
] as const;

type WithPassword = RecordedUser & { readonly password: string | null };

const withPassword = (row: RecordedUser): WithPassword => ({ ...row, password: row.password_hash });

const isField = (name: string): name is `data_profile.${string}` => name.startsWith('data_profile.');

type UserVerb = 'created' | 'updated' | 'activated' | 'deactivated' | 'deleted';

/** A user before and after a change, both as the scope shows them. */
interface UserChange {
  readonly before: RecordedUser | null;
  readonly after: RecordedUser | null;
}

/** Records what a verb did to a user. */
export function recordUser(
  tx: OpenTransaction,
  actor: EventActor & Pick<UserScope, 'workspace'>,
  verb: UserVerb,
  change: UserChange,
  now: Date,
): void {
  const event = userEvent(actor, verb, change);
  if (event) recordEvents(tx, actor, [event], now);
}

/**
 * The event of one change, or undefined if nothing differs. It belongs to the workspace if it changes what the user has there.
 * Otherwise it belongs to the account, so that the admins of all their workspaces see it.
 */
export function userEvent(
  { workspace }: Pick<UserScope, 'workspace'>,
  verb: UserVerb,
  { before, after }: UserChange,
): NewEvent | undefined {
  const fields = Object.keys({ ...before, ...after }).filter(isField);
  const { eventOf } = eventsOf<WithPassword>()('user', [...attributes, ...fields], {
    hidden,
    recorded: ({ id, external_id }) => ({ id, external_id, user_id: id }),
  });
  const event = eventOf(verb, before && withPassword(before), after && withPassword(after));
  if (!event) return undefined;
  const isAboutMembership = membershipAttributes.some((name) => name in event.changes);
  const workspaceId = isAboutMembership ? (workspace?.id ?? onlyWorkspace((after ?? before)!)) : null;
  return { ...event, workspaceId };
}

const onlyWorkspace = ({ workspace_ids: [id, ...others] }: UserRow): number | null =>
  others.length === 0 ? (id ?? null) : null;
