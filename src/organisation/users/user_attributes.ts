import type { components } from '../../../generated/v3.ts';
import type { Problem } from '../../platform/core/errors.ts';
import type { Id } from '../../platform/core/ids.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import { zoneNamed, zoneProblems } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { takenProblems } from '../../platform/db/unique_values.ts';
import { avatarColumns, avatarProblems } from '../../platform/files/avatars.ts';
import { closedMonths } from '../../days/balance/closed_months.ts';
import { wholeNumber } from '../../days/calendar/rounding.ts';
import { regionProblems } from '../../days/calendar/holiday_calendar.ts';
import { emailProblems } from './emails.ts';
import type { UserRow } from './rows.ts';

type Schemas = components['schemas'];

export type NewUser = Schemas['UserCreation']['data']['attributes'];
export type UserChange = Schemas['UserUpdate']['data']['attributes'];
/** Everything that a request can say about a user. */
export type UserInput = Partial<NewUser> & UserChange;

/** The attributes that are stored as they come. Every other attribute has a line of code of its own. */
export const stored = storedAttributes({
  table: 'users',
  schemas: ['UserCreation', 'UserUpdate'],
  handled: [
    'avatar',
    'time_zone',
    'identifier_pin',
    'time_tracking_method_id',
    'filter_ids',
    'wage_type_ids',
    'default_break_ids',
    'absence_type_ids',
    'public_holiday_ids',
    'area_ids',
    'role_ids',
    'tag_ids',
    'reset_confirmed_absences',
  ],
});

/** The columns of an input. Stores its avatar, and resolves its zone to the IANA name. */
export async function columnsOf(db: Db, accountId: number, input: UserInput, now: Date) {
  const texts = (ids: readonly Id[] | undefined) => ids?.map(String);
  const method = input.time_tracking_method_id;
  return {
    ...pick(input, stored),
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
    ...(await emailProblems(db, { accountId, id: user?.id, isInvited: !user?.password_hash }, input.email)),
    ...(await takenProblems(others, 'external_id', input.external_id, 'user of this account')),
    ...(await avatarProblems(input.avatar)),
    ...(user ? await openingBalanceProblems(db, user, input.initial_time_account) : []),
  ];
}

/** Closed months go on from the balance with which the time account started. The caller has locked the user, as a closing does. */
async function openingBalanceProblems(db: Db, user: UserRow, hours: number | undefined): Promise<Problem[]> {
  if (hours === undefined || storedDigits(hours) === storedDigits(user.initial_time_account)) return [];
  const closed = (await closedMonths(db, user.account_id, [user.id])).get(user.id);
  if (!closed) return [];
  return [
    {
      code: 'closed_period',
      pointer: 'initial_time_account',
      title: `initial_time_account must stay ${user.initial_time_account}, because the days of user ${user.id} before ${closed.next_date} are closed, but was ${hours}. Add a time account entry (time_account_entries) in an open month instead.`,
    },
  ];
}

/** The database keeps four decimals. */
const storedDigits = (hours: number): number => wholeNumber([hours, 10_000]);
