import { sql, type RawBuilder } from 'kysely';
import { secondsOfHours } from '../calendar/amounts.ts';
import type { UserCalendar } from '../calendar/calendar_day.ts';
import { weekdays, type LocalDate } from '../calendar/dates.ts';
import { withOwnHolidays, type Holidays } from '../calendar/holidays.ts';
import type { TargetHour } from '../calendar/target_of_day.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import { isDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { Value } from '../../platform/db/placeholders.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { holidaysOf } from '../calendar/holiday_calendar.ts';

/** The settings that decide about the days of a user, in all workspaces of the account. */
export interface UserDays {
  readonly userId: number;
  readonly zone: string;
  readonly calendar: UserCalendar;
  /** The first day of work; null if it is not set. */
  readonly startOfWork: LocalDate | null;
  /** The balance with which the time account starts. */
  readonly initialSeconds: number;
}

/**
 * The days of each user, by id, in three statements. Where a user has no zone or no region, those of their workspace with the
 * lowest id apply.
 */
export async function userDays(
  db: Db,
  accountId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, UserDays>> {
  const users = await userRows(db, accountId).where(isAnyOf('users.id', userIds)).execute();
  const hours = await targetHourRows(db, accountId).where(isAnyOf('target_hours.user_id', userIds)).execute();
  const holidays = await ownHolidayRows(db, accountId)
    .where(isAnyOf('workspace_id', [...new Set(users.map((user) => user.workspace_id))]))
    .execute();
  const holidaysByWorkspace = groupBy(holidays, ({ workspace_id }) => workspace_id);
  const hoursByUser = groupBy(hours, ({ user_id }) => user_id);
  const days = users.map(async (user): Promise<[number, UserDays]> => {
    const own = holidaysByWorkspace.get(user.workspace_id) ?? [];
    const targetHours = (hoursByUser.get(user.id) ?? []).map(targetHourOf);
    return [user.id, daysOf(user, targetHours, withOwnHolidays(await regionalHolidays(user), own))];
  });
  return new Map(await Promise.all(days));
}

/** The days of one user. */
export async function daysOfUser(db: Db, accountId: number, userId: number): Promise<UserDays> {
  return (await userDays(db, accountId, [userId])).get(userId)!;
}

/**
 * The workspace whose zone and holidays apply to a user: of those that they are a member of, the one with the lowest id. A user
 * without any, such as one who has left, belongs to the first one of the account.
 */
export const homeWorkspaceId = (accountId: Value<number>, userId: RawBuilder<unknown>) => sql<number>`coalesce(
  (select min(member.workspace_id) from memberships member
   where member.account_id = ${accountId} and member.user_id = ${userId}),
  (select min(first.id) from workspaces first where first.account_id = ${accountId}))`;

/** The zone of a user's days: their own, otherwise that of their home workspace. Expects the table `users` in the query. */
export const userZone = (accountId: number) => sql<string>`coalesce(users.time_zone, (
  select workspace.time_zone from workspaces workspace
  where workspace.account_id = ${accountId} and workspace.id = ${homeWorkspaceId(accountId, sql.ref('users.id'))}))`;

const userRows = (db: Db, accountId: number) =>
  db
    .selectFrom('users')
    .innerJoin('workspaces as workspace', (join) =>
      join
        .on('workspace.account_id', '=', accountId)
        .on('workspace.id', '=', homeWorkspaceId(accountId, sql.ref('users.id'))),
    )
    .where('users.account_id', '=', accountId)
    .select([
      'users.id',
      'users.start_of_accounting',
      'users.initial_time_account',
      'users.calc_holiday_options',
      'users.custom_holiday_hours',
      'users.calc_vacation_options',
      'users.hours_on_vacation_day',
      'users.holiday_region',
      'users.holiday_region_from',
      'workspace.id as workspace_id',
      'workspace.holiday_region as workspace_region',
      'workspace.locale',
      userZone(accountId).as('zone'),
      profileDate(accountId, 'end_of_contract').as('end_of_contract'),
      profileDate(accountId, 'start_of_work').as('start_of_work'),
    ]);

type AccountedUserRow = Awaited<ReturnType<ReturnType<typeof userRows>['executeTakeFirstOrThrow']>>;

/** A date in the default data profile of a user, which is the oldest of the account. */
const profileDate = (accountId: number, key: string) => sql<string | null>`(
  select field_value.value from custom_field_values field_value
  join custom_fields field on field.account_id = ${accountId} and field.id = field_value.custom_field_id
  where field_value.account_id = ${accountId} and field_value.user_id = users.id and field.key = ${key}
    and field.data_profile_id = (select min(profile.id) from data_profiles profile where profile.account_id = ${accountId}))`;

const targetHourRows = (db: Db, accountId: number) =>
  db
    .selectFrom('target_hours')
    .where('target_hours.account_id', '=', accountId)
    .selectAll('target_hours')
    .select(
      sql<number[]>`array(
        select day.hours_s from target_working_days day
        where day.account_id = ${accountId} and day.target_hour_id = target_hours.id
        order by day.position)`.as('cycle'),
    )
    .orderBy('target_hours.start_date');

type RhythmRow = Awaited<ReturnType<ReturnType<typeof targetHourRows>['executeTakeFirstOrThrow']>>;

const targetHourOf = (row: RhythmRow): TargetHour => {
  const { start_date, target_limited } = row;
  if (row.rhythm_type === 'free') return { rhythm_type: 'free', start_date, target_limited, cycle: row.cycle };
  return {
    rhythm_type: 'weekly',
    start_date,
    target_limited,
    per_day: row.per_day,
    weekdays: weekdays.map((day) => ({ isWorkday: row[`is_${day}`], seconds: row[`${day}_s`] ?? 0 })),
    is_week: row.is_week,
    weekSeconds: row.week_s ?? 0,
    is_month: row.is_month,
    monthSeconds: row.month_s ?? 0,
  };
};

const ownHolidayRows = (db: Db, accountId: number) =>
  db
    .selectFrom('public_holidays')
    .select(['workspace_id', 'date', 'title', 'factor'])
    .where('account_id', '=', accountId);

/** The calendar of the user's region, from the day on which it applies, and before it that of the workspace. */
async function regionalHolidays(user: AccountedUserRow): Promise<Holidays> {
  const { holiday_region, holiday_region_from, workspace_region, locale } = user;
  const ofWorkspace = await holidaysOf(workspace_region, locale);
  if (holiday_region === null) return ofWorkspace;
  const ofUser = await holidaysOf(holiday_region, locale);
  if (holiday_region_from === null) return ofUser;
  return { get: (date) => (date < holiday_region_from ? ofWorkspace : ofUser).get(date) };
}

/** Of an anonymised user, nothing may be left to account for. */
const never: LocalDate = '9999-12-31';

const daysOf = (user: AccountedUserRow, target_hours: readonly TargetHour[], holidays: Holidays): UserDays => ({
  userId: user.id,
  zone: user.zone,
  startOfWork: dateIn(user.start_of_work),
  initialSeconds: secondsOfHours(user.initial_time_account),
  calendar: {
    start_of_accounting: user.start_of_accounting ?? never,
    end_of_contract: dateIn(user.end_of_contract),
    target_hours,
    holidays,
    customHolidaySeconds: user.calc_holiday_options === 'custom' ? secondsOfHours(user.custom_holiday_hours) : null,
    customVacationSeconds: user.calc_vacation_options === 'custom' ? secondsOfHours(user.hours_on_vacation_day) : null,
  },
});

/** The public API stores any text in a data profile. A text that is no date names no day. */
const dateIn = (text: string | null): LocalDate | null => (text !== null && isDay(text) ? text : null);
