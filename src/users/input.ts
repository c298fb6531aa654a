import type { Problem } from '../core/errors.ts';
import type { Id } from '../core/ids.ts';
import { zoneNamed } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { avatarColumns, avatarProblems } from '../files/avatars.ts';
import type { UserReferences } from './references.ts';
import type { UserRow } from './rows.ts';

/** The attributes of a user that are plain columns, and go there as they come. */
export interface UserColumns {
  username?: string;
  tablet_pin?: string | null;
  abbreviation?: string | null;
  hour_holidays?: boolean;
  initial_time_account?: number;
  checkin_complete?: boolean | null;
  start_of_accounting?: string;
  saldo_type?: number;
  salary?: number;
  hours_on_vacation_day?: number;
  home_office?: boolean;
  calc_holiday_options?: string;
  custom_holiday_hours?: number;
  calc_vacation_options?: string;
  working_sessions_creator?: boolean;
  staff_number?: string | null;
  external_id?: string | null;
  birthday?: string | null;
  locale?: string | null;
}

/** What can be said about a user: columns, and what needs more than a column. */
export interface UserInput extends UserColumns, UserReferences {
  email?: string | null;
  time_zone?: string | null;
  avatar?: string | null;
  identifier_pin?: string;
  time_tracking_method_id?: Id | null;
  wage_type_ids?: readonly Id[];
  default_break_ids?: readonly Id[];
  public_holiday_ids?: readonly Id[];
}

// prettier-ignore
const plainColumns: readonly (keyof UserColumns)[] = [
  'username', 'tablet_pin', 'abbreviation', 'hour_holidays', 'initial_time_account', 'checkin_complete', 'start_of_accounting',
  'saldo_type', 'salary', 'hours_on_vacation_day', 'home_office', 'calc_holiday_options', 'custom_holiday_hours',
  'calc_vacation_options', 'working_sessions_creator', 'staff_number', 'external_id', 'birthday', 'locale',
];

/** The columns behind an input, with files stored and zones named as IANA names them. */
export async function columnsOf(db: Db, accountId: number, input: UserInput, now: Date) {
  const plain: UserColumns = Object.fromEntries(
    plainColumns.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  );
  const texts = (ids: readonly Id[] | undefined) => (ids === undefined ? undefined : ids.map(String));
  return {
    ...plain,
    email: input.email,
    time_zone: input.time_zone ? zoneNamed(input.time_zone) : input.time_zone,
    time_tracking_method_id:
      input.time_tracking_method_id === undefined || input.time_tracking_method_id === null
        ? input.time_tracking_method_id
        : String(input.time_tracking_method_id),
    wage_type_ids: texts(input.wage_type_ids),
    default_break_ids: texts(input.default_break_ids),
    public_holiday_ids: texts(input.public_holiday_ids),
    ...(await avatarColumns(db, accountId, input.avatar, now)),
  };
}

/** What the data says against an input: constraints hold these too, but one at a time. */
export async function problemsWith(
  db: Db,
  { accountId }: { accountId: number },
  input: UserInput,
  user: UserRow | null,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  if (input.time_zone && !zoneNamed(input.time_zone)) {
    problems.push({
      pointer: 'time_zone',
      title: `time_zone must be a city such as Berlin or an IANA name such as Europe/Berlin, but was "${input.time_zone}".`,
    });
  }
  if (input.email && (await isEmailTaken(db, input.email, user?.id))) {
    problems.push({ pointer: 'email', title: `email "${input.email}" is already used by another user.` });
  }
  if (input.external_id && (await isExternalIdTaken(db, accountId, input.external_id, user?.id))) {
    problems.push({
      pointer: 'external_id',
      title: `external_id "${input.external_id}" is already used by another user of this account.`,
    });
  }
  return [...problems, ...(await avatarProblems(input.avatar))];
}

const isEmailTaken = async (db: Db, email: string, exceptUserId: number | undefined): Promise<boolean> => {
  const owner = await db
    .selectFrom('directory_emails')
    .select('user_id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return owner !== undefined && owner.user_id !== exceptUserId;
};

const isExternalIdTaken = async (
  db: Db,
  accountId: number,
  externalId: string,
  exceptUserId: number | undefined,
): Promise<boolean> => {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('external_id', '=', externalId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return owner !== undefined && owner.id !== exceptUserId;
};

export const registerEmail = (db: Db, accountId: number, userId: number, email: string) =>
  db
    .insertInto('directory_emails')
    .values({ email: email.toLowerCase(), account_id: accountId, user_id: userId })
    .execute();

export const forgetEmail = (db: Db, accountId: number, userId: number) =>
  db.deleteFrom('directory_emails').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
