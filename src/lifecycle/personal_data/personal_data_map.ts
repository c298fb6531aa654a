import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import { hasTimeAccount, ifAccounted, isFieldOfTimeAccount } from './kept_time_accounts.ts';
import type { Person } from './person.ts';
import { copiedDeletedRecord, copiedEvent, copiedNote, type Row } from './redact_others.ts';

/*
 * Every table of the database, and what it holds about people. A copy of the data of a person and their anonymisation both read
 * this list. The compiler refuses a table that is missing here, and test/personal_data/ compares it with the catalogue.
 */

/** A table with rows about people. In its conditions and values, a row is called `held`. */
export interface PersonalTable {
  /** Which rows are about the person. */
  readonly rows: (person: Person) => RawBuilder<SqlBool>;
  /** The primary key without the account, if it is not the id. */
  readonly key?: readonly string[];
  /** The columns that a copy leaves out: secrets, and the names of others. */
  readonly leftOut?: readonly string[];
  /** The form of a row in a copy. */
  readonly copied?: (row: Row) => Row;
  /** What anonymisation writes into columns, or that it removes the rows. */
  readonly anonymised: 'removed' | ((person: Person) => Readonly<Record<string, RawBuilder<unknown>>>);
  /** The rows that stay although others are removed, because totals depend on them. */
  readonly kept?: (person: Person) => RawBuilder<SqlBool>;
  /** Texts and JSON that stay: states, kinds, time zones, figures. */
  readonly plain?: readonly string[];
  /** Columns with ids of files of the person. A copy has them, and anonymisation removes them. */
  readonly files?: readonly string[];
  /** Columns with ids of files that the service has made. Anonymisation removes them. */
  readonly madeFiles?: readonly string[];
  /** Columns that name the person in rows about others. A copy has the ids of these rows. */
  readonly mentions?: readonly string[];
}

/** A table that is neither copied nor anonymised by its rows. */
export interface Exempt {
  readonly reason: string;
  /** Columns that name the person nevertheless. */
  readonly mentions?: readonly string[];
}

/** What stands in the place of a text that must not be empty. The constraint of the users knows it too. */
export const anonymousText = 'Anonymised';

const ofUser = ({ accountId, userId }: Person): RawBuilder<SqlBool> =>
  sql`(held.account_id = ${accountId} and held.user_id = ${userId})`;

/** Rows that belong to a record of the person. */
const partOf =
  (table: string, column: string) =>
  ({ accountId, userId }: Person): RawBuilder<SqlBool> => sql`(
    held.account_id = ${accountId} and held.${sql.ref(column)} in (
      select owner.id from ${sql.table(table)} owner where owner.account_id = ${accountId} and owner.user_id = ${userId}))`;

const ofTimeTrackings = partOf('time_trackings', 'time_tracking_id');
const ofAbsences = partOf('absences', 'absence_id');
const ofEither = (person: Person): RawBuilder<SqlBool> => sql`(${ofTimeTrackings(person)} or ${ofAbsences(person)})`;

const nothing = () => ({});
const none = sql`null`;
const zero = sql`0`;
const replaced = sql`${anonymousText}::text`;
const replacedIfSet = (column: string) =>
  sql`case when held.${sql.ref(column)} is not null then ${anonymousText}::text end`;

/** Admins may give records any origin. */
const knownOrigin = sql`
  case when held.created_by in ('actions', 'admin', 'employee') then held.created_by else ${anonymousText}::text end`;

const settings = 'Settings of the account or a workspace. They belong to nobody.';
const shared = 'The same for everybody.';

export const tables = {
  absence_days: { rows: ofUser, key: ['absence_id', 'date'], anonymised: nothing },
  absence_followers: { rows: ofUser, key: ['absence_id', 'user_id'], anonymised: nothing },
  absence_types: { reason: settings },
  absences: {
    rows: ofUser,
    anonymised: ({ accountId }) => ({
      title: sql`(select type.title from absence_types type where type.account_id = ${accountId} and type.id = held.absence_type_id)`,
      ...{ confirm_message: none, created_by: none, external_id: none, import_id: none, outlook_id: none },
    }),
    plain: ['charge_days_job_status', 'confirmation_status', 'secure_id', 'time_zone'],
    mentions: ['confirmed_by_user_id', 'created_by_user_id'],
  },
  access_tokens: { rows: ofUser, key: ['hash'], leftOut: ['hash'], anonymised: 'removed' },
  accounting_periods: {
    rows: ofUser,
    anonymised: () => ({ reopening_reason: replacedIfSet('reopening_reason'), salary: zero }),
    plain: ['days', 'sums'],
    mentions: ['closed_by_user_id', 'reopened_by_user_id'],
  },
  accounts: { reason: settings },
  actions: { rows: ofUser, anonymised: () => ({ device_id: none }), plain: ['action_type'] },
  api_keys: { reason: 'Credentials of programs.' },
  api_tokens: { reason: 'Credentials of programs of the account.' },
  area_members: { rows: ofUser, key: ['area_id', 'user_id'], anonymised: nothing },
  areas: { reason: settings },
  assignments: { rows: ofUser, anonymised: nothing },
  assumed_roles: { rows: ofUser, key: ['user_id', 'workspace_id'], anonymised: 'removed' },
  attachments: {
    rows: ofEither,
    leftOut: ['author'],
    anonymised: 'removed',
    files: ['file_id'],
    mentions: ['author_id'],
  },
  attempts: { reason: 'Counters that expire within days. Their keys are hashes.' },
  batch_items: {
    rows: ({ accountId, userId }) =>
      sql`(held.account_id = ${accountId} and held.item_type = 'user' and held.item_id = ${userId})`,
    key: ['batch_id', 'position'],
    leftOut: ['failure'],
    anonymised: () => ({ failure: replaced }),
    plain: ['item_type'],
  },
  batches: {
    rows: ({ accountId, userId }) => sql`(held.account_id = ${accountId} and (
      held.user_id = ${userId} or held.item_type = 'user' and held.item_ids @> array[${userId}::bigint]))`,
    leftOut: ['item_ids'],
    anonymised: () => ({ input: sql`'{}'::jsonb` }),
    plain: ['action', 'item_type', 'state'],
  },
  breaks: {
    rows: ofTimeTrackings,
    anonymised: () => ({ start_signature_id: none, end_signature_id: none, created_by: knownOrigin }),
  },
  calendar_feeds: { rows: ofUser, leftOut: ['hash'], anonymised: 'removed' },
  custom_field_values: { rows: ofUser, anonymised: 'removed', kept: isFieldOfTimeAccount },
  custom_fields: { reason: settings },
  data_exports: {
    rows: ofUser,
    anonymised: 'removed',
    madeFiles: ['file_id'],
    mentions: ['requested_by_user_id'],
  },
  data_profiles: { reason: settings },
  deleted_records: {
    rows: ofUser,
    copied: copiedDeletedRecord,
    // src/lifecycle/personal_data/deleted_records.ts blanks what they hold.
    anonymised: nothing,
    plain: ['deleted_by', 'record_type', 'stored_rows'],
  },
  directory_calendar_feeds: { rows: ofUser, key: ['hash'], leftOut: ['hash'], anonymised: 'removed' },
  directory_emails: { rows: ofUser, key: ['email'], anonymised: 'removed' },
  directory_invitations: { reason: 'Which account the token of an invitation leads to. It has no people.' },
  directory_workspaces: { reason: settings },
  event_removals: { reason: 'How far the history was removed. It has no people.' },
  event_servers: { reason: 'Which server numbers the events of an account. It has no people.' },
  events: {
    rows: ({ accountId, userId }) => sql`(held.account_id = ${accountId} and (
      held.user_id = ${userId} or held.record_type = 'user' and held.record_id = ${String(userId)}))`,
    copied: copiedEvent,
    // Nobody changes events. The function anonymise_events of the database blanks them.
    anonymised: nothing,
    plain: [
      ...['actor_id', 'actor_type', 'changes', 'external_id', 'name', 'record_id', 'record_type', 'request_id'],
      'transaction_id',
    ],
    mentions: ['actor_id'],
  },
  exports: { rows: ofUser, leftOut: ['message'], anonymised: 'removed', madeFiles: ['file_id'] },
  file_pieces: { reason: 'The bytes of files. A copy has them in its folder files.' },
  file_totals: { reason: 'How much space an account uses.' },
  files: { reason: 'A copy has the files of the records that refer to them.' },
  idempotency_keys: {
    rows: ofUser,
    key: ['user_id', 'key'],
    leftOut: ['body', 'headers', 'request_hash'],
    anonymised: 'removed',
  },
  industry_examples: { reason: shared },
  invitations: { rows: ofUser, leftOut: ['hash'], anonymised: 'removed' },
  month_cache: { rows: ofUser, key: ['user_id', 'month'], anonymised: nothing, plain: ['rules', 'sums'] },
  memberships: {
    rows: ofUser,
    key: ['workspace_id', 'user_id'],
    // Unique in the workspace.
    anonymised: ({ userId }) => ({ identifier_pin: sql`${`anonymised-${userId}`}::text` }),
  },
  notes: {
    rows: (person) =>
      sql`(${ofEither(person)} or held.account_id = ${person.accountId} and held.author_id = ${person.userId})`,
    copied: copiedNote,
    anonymised: ({ userId }) => ({
      content: replaced,
      author: sql`case when held.author_id = ${userId} then ${anonymousText} else held.author end`,
    }),
    plain: ['author_role', 'type'],
    mentions: ['author_id'],
  },
  notifications: {
    rows: ofUser,
    leftOut: ['message'],
    anonymised: () => ({ title: replaced, message: replaced }),
    plain: ['rule', 'type'],
  },
  preferences: { rows: ofUser, key: ['user_id', 'key'], anonymised: 'removed' },
  public_holidays: { reason: settings },
  removed_objects: { reason: 'Keys of contents in the object store that are to be removed. They have no people.' },
  reset_tokens: { rows: ofUser, key: ['hash'], leftOut: ['hash'], anonymised: 'removed' },
  roles: { reason: shared },
  service_settings: { reason: 'Settings of the service.' },
  shift_tags: { reason: settings },
  shifts: { reason: 'Shifts belong to a workspace. The table assignments has who works on them.' },
  signatures: { rows: ofTimeTrackings, anonymised: 'removed', files: ['file_id'] },
  taggings: {
    rows: ({ accountId, userId }) => sql`(held.account_id = ${accountId} and held.action_id in (
      select action.id from actions action where action.account_id = ${accountId} and action.user_id = ${userId}))`,
    anonymised: nothing,
  },
  tags: { reason: settings },
  target_hours: { rows: ofUser, anonymised: 'removed', kept: hasTimeAccount, mentions: ['updated_by_user_id'] },
  target_working_days: {
    rows: partOf('target_hours', 'target_hour_id'),
    anonymised: 'removed',
    kept: hasTimeAccount,
  },
  time_account_entries: {
    rows: ofUser,
    anonymised: () => ({ note: replaced }),
    plain: ['kind'],
    mentions: ['created_by_user_id'],
  },
  time_tracking_followers: { rows: ofUser, key: ['time_tracking_id', 'user_id'], anonymised: nothing },
  time_tracking_tags: { rows: ofTimeTrackings, key: ['time_tracking_id', 'tag_id'], anonymised: nothing },
  time_tracking_totals: { rows: ofUser, key: ['workspace_id', 'user_id', 'day', 'slot'], anonymised: nothing },
  time_trackings: {
    rows: ofUser,
    anonymised: () => ({
      ...{ external_id: none, import_id: none, start_signature_id: none, end_signature_id: none },
      // The id of an assignment is a number.
      assignment_id: sql`case when held.assignment_id ~ '^[0-9]+$' then held.assignment_id end`,
      created_by: knownOrigin,
    }),
    mentions: ['last_editor_id'],
  },
  uploads: { rows: ofUser, anonymised: 'removed', files: ['file_id'] },
  user_absence_types: { rows: ofUser, key: ['user_id', 'absence_type_id'], anonymised: nothing },
  user_tags: { rows: ofUser, key: ['user_id', 'tag_id'], anonymised: nothing },
  users: {
    rows: ({ accountId, userId }) => sql`(held.account_id = ${accountId} and held.id = ${userId})`,
    leftOut: ['password_hash'],
    anonymised: (person) => ({
      ...{ username: replaced, status: sql`'inactive'`, is_account_admin: sql`false`, mail_notifications: sql`false` },
      ...{ email: none, password_hash: none, tablet_pin: none, abbreviation: none, staff_number: none, birthday: none },
      ...{ external_id: none, locale: none, time_tracking_method_id: none, avatar_url: none, avatar_file_id: none },
      ...{ salary: zero, initial_time_account: ifAccounted('initial_time_account', person, zero) },
      start_of_accounting: ifAccounted('start_of_accounting', person, none),
      ...{ wage_type_ids: sql`'{}'`, default_break_ids: sql`'{}'`, public_holiday_ids: sql`'{}'` },
    }),
    // Time accounts depend on these.
    plain: ['calc_holiday_options', 'calc_vacation_options', 'holiday_region', 'time_zone'],
    files: ['avatar_file_id'],
  },
  vacation_entitlements: { rows: ofUser, anonymised: () => ({ title: replaced }), plain: ['status'] },
  wage_types: { reason: settings },
  webhook_deliveries: {
    reason: 'A log of calls to other systems, with ids. Anonymisation removes what these have answered.',
  },
  webhooks: { reason: settings },
  working_time_violations: {
    rows: ofUser,
    anonymised: () => ({ acknowledgement_reason: replacedIfSet('acknowledgement_reason') }),
    plain: ['paragraph', 'rule'],
    mentions: ['acknowledged_by_user_id'],
  },
  workspaces: { reason: settings },
} satisfies Readonly<Record<keyof DB, PersonalTable | Exempt>>;

export type TableName = keyof typeof tables;

const isPersonalTable = (entry: [string, PersonalTable | Exempt]): entry is [TableName, PersonalTable] =>
  'rows' in entry[1];

/** The tables with rows about people. */
export const personalDataMap: readonly (readonly [TableName, PersonalTable])[] = (
  Object.entries(tables) as [string, PersonalTable | Exempt][]
).filter(isPersonalTable);

export const keyOf = ({ key = ['id'] }: PersonalTable): readonly string[] => key;
