import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { vacationSummary, wholeDaysLeft } from '../../days/calendar/vacation/vacation_summary.ts';
import { may, permissionsOf, type Actor } from '../../platform/core/permissions.ts';
import { pick } from '../../platform/core/pick.ts';
import { assumedRole, rankOf } from '../../platform/core/ranks.ts';
import { cityOf, localDay } from '../../platform/core/time.ts';
import {
  many,
  one,
  resource,
  type Flat,
  type Linkages,
  type PresentContext,
} from '../../platform/http/answers/jsonapi.ts';
import { blankAttributes, limitedAttributes } from './limited_view.ts';
import { factsOfUser, type UserRow } from './rows.ts';
import { vacationAccount } from './vacation_account.ts';

type Schemas = components['schemas'];
type UserLinkages = Linkages<Schemas['User']['relationships']>;

const user = resource('user', fields.User);

/** A user. Callers who may not read them in full see them as a colleague. */
export const presentUser = (row: UserRow, context: PresentContext): Schemas['User'] =>
  may(context.actor, 'read', 'user', factsOfUser(row)) ? presentInFull(row, context) : presentColleague(row, context);

/** A user with everything, for callers who are known to have been allowed to read them. */
export const presentInFull = (row: UserRow, context: PresentContext) =>
  user(flat(row, context), linkages(row, context));

/** A user with what colleagues may see, and blanks beside it. */
export function presentColleague(row: UserRow, context: PresentContext): Schemas['User'] {
  const inFull = flat(row, context);
  return user(
    { id: row.id, ...blanksFor(inFull), ...pick(inFull, limitedAttributes) },
    blankLinkages(linkages(row, context)),
  );
}

/** The blanks for those attributes that an answer has. */
const blanksFor = (inFull: object): typeof blankAttributes =>
  Object.fromEntries(
    Object.entries(blankAttributes).filter(([name]) => Object.hasOwn(inFull, name)),
  ) as typeof blankAttributes;

const blankLinkages = (inFull: UserLinkages): UserLinkages =>
  Object.fromEntries(
    Object.entries(inFull).map(([name, linkage]) => [name, Array.isArray(linkage) ? [] : null]),
  ) as unknown as UserLinkages;

function flat(row: UserRow, context: PresentContext): Flat<Schemas['User']> {
  const { actor, queryOptions } = context;
  const avatar = avatarOf(row, context);
  return {
    id: row.id,
    permissions: permissionsOf(actor, 'user', factsOfUser(row), queryOptions.permissions),
    email: row.email ?? '',
    username: row.username,
    tablet_pin: row.tablet_pin,
    abbreviation: row.abbreviation,
    hour_holidays: row.hour_holidays,
    time_zone: row.time_zone === null ? null : cityOf(row.time_zone),
    initial_time_account: row.initial_time_account,
    checkin_complete: row.checkin_complete,
    start_of_accounting: row.start_of_accounting,
    saldo_type: row.saldo_type,
    salary: row.salary,
    recognition_color_variant: row.recognition_color_variant,
    hours_on_vacation_day: row.hours_on_vacation_day,
    home_office: row.home_office,
    calc_holiday_options: row.calc_holiday_options,
    custom_holiday_hours: row.custom_holiday_hours,
    calc_vacation_options: row.calc_vacation_options,
    working_sessions_creator: row.working_sessions_creator,
    staff_number: row.staff_number,
    external_id: row.external_id,
    birthday: row.birthday,
    identifier_pin: row.identifier_pin,
    locale: row.locale,
    status: row.status as 'active' | 'inactive',
    ...(actor.workspace === null
      ? {}
      : { assumed_role: row.is_assumed_employee ? 'employee' : assumedRole(rankOf(row)) }),
    running_time_tracking: row.running_time_tracking,
    remaining_vacation_days_this_year: wholeDaysLeft(
      vacationSummary(vacationAccount(row.vacation), localDay(context.now, row.zone)),
    ),
    avatar,
    avatar_thumb_url: avatar,
    avatar_medium_url: avatar,
    holiday_region: row.holiday_region,
    holiday_region_from: row.holiday_region_from,
    mail_notifications: row.mail_notifications,
  };
}

const linkages = (row: UserRow, { actor }: PresentContext): UserLinkages => ({
  account: one('account', showsAccount(row, actor) ? row.account_id : null),
  areas: many('area', row.area_ids),
  workspaces: many('workspace', row.workspace_ids),
  current_absence: one('absence', row.current_absence_id),
  absence_types: many('absence_type', row.absence_type_ids),
  tags: many('tag', row.tag_ids),
  custom_field_values: many('custom_field_value', row.custom_field_value_ids),
  ...(actor.workspace === null
    ? {}
    : { roles: many('role', [rankOf(row)]), last_action: one('action', row.last_action_id) }),
});

const overview = resource('user_overview', fields.UserOverview);

/** A user in short, as other records refer to them. */
export const presentUserOverview = (row: UserRow, context: PresentContext) =>
  overview({
    id: row.id,
    permissions: permissionsOf(context.actor, 'user', factsOfUser(row), context.queryOptions.permissions),
    email: (may(context.actor, 'read', 'user', factsOfUser(row)) ? row.email : null) ?? blankAttributes.email,
    username: row.username,
    abbreviation: row.abbreviation,
    avatar: avatarOf(row, context),
    status: row.status as 'active' | 'inactive',
  });

/** Whether an answer names the user's account: always outside a workspace; inside one only for users who were not created in it. */
export const showsAccount = (row: Pick<UserRow, 'created_in_workspace'>, actor: Actor): boolean =>
  actor.workspace === null || !row.created_in_workspace;

/** One image for all three sizes. */
const avatarOf = (
  row: Pick<UserRow, 'account_id' | 'avatar_url' | 'avatar_file_id'>,
  { links }: Pick<PresentContext, 'links'>,
): string =>
  row.avatar_file_id ? links.file(row.account_id, row.avatar_file_id) : (row.avatar_url ?? links.placeholder('avatar'));
