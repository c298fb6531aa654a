import type { components } from '../../generated/v3.ts';
import type { DB } from '../../generated/db.ts';
import type { Problem } from '../core/errors.ts';
import type { Id } from '../core/ids.ts';
import { pick } from '../core/pick.ts';
import { zoneNamed, zoneProblems } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { takenProblems } from '../db/unique_values.ts';
import { avatarColumns, avatarProblems } from '../files/avatars.ts';
import { regionProblems } from '../holiday_regions/calendar.ts';
import { emailProblems } from './emails.ts';
import type { UserRow } from './rows.ts';

type Schemas = components['schemas'];

export type NewUser = Schemas['UserCreation']['data']['attributes'];
export type UserChange = Schemas['UserUpdate']['data']['attributes'];
/** Everything that a request can say about a user. */
export type UserInput = Partial<NewUser> & UserChange;

/** The attributes that are stored as they come. Every other attribute has a line of code of its own. */
export const storedAttributes = [
  'username',
  'email',
  'tablet_pin',
  'abbreviation',
  'hour_holidays',
  'initial_time_account',
  'checkin_complete',
  'start_of_accounting',
  'saldo_type',
  'salary',
  'hours_on_vacation_day',
  'home_office',
  'calc_holiday_options',
  'custom_holiday_hours',
  'calc_vacation_options',
  'working_sessions_creator',
  'staff_number',
  'external_id',
  'birthday',
  'locale',
  'holiday_region',
  'holiday_region_from',
] as const satisfies readonly (keyof UserInput & keyof DB['users'])[];

/** The columns of an input. Stores its avatar, and resolves its zone to the IANA name. */
export async function columnsOf(db: Db, accountId: number, input: UserInput, now: Date) {
  const texts = (ids: readonly Id[] | undefined) => ids?.map(String);
  const method = input.time_tracking_method_id;
  return {
    ...pick(input, storedAttributes),
    time_zone: input.time_zone ? zoneNamed(input.time_zone) : input.time_zone,
    time_tracking_method_id: typeof method === 'number' ? String(method) : method,
    wage_type_ids: texts(input.wage_type_ids),
    default_break_ids: texts(input.default_break_ids),
    public_holiday_ids: texts(input.public_holiday_ids),
    ...(await avatarColumns(db, accountId, input.avatar, now)),
  };
}

/** The problems of an input that the contract cannot know. `user` is null for a new user. */
export async function attributeProblems(
  db: Db,
  { accountId }: { accountId: number },
  input: UserInput,
  user: UserRow | null,
): Promise<Problem[]> {
  const others = db
    .selectFrom('users')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('id', 'is distinct from', user?.id ?? null);
  return [
    ...zoneProblems(input.time_zone),
    ...(await regionProblems(input.holiday_region)),
    ...(await emailProblems(db, input.email, user)),
    ...(await takenProblems(others, 'external_id', input.external_id, 'user of this account')),
    ...(await avatarProblems(input.avatar)),
  ];
}
