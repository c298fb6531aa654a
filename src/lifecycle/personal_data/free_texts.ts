import type { TableName } from './personal_data_map.ts';

/* Every text in which people write what they like, by the type of its record. A test compares the list with the catalogue. */

export interface FreeTexts {
  readonly table: TableName;
  /** The columns, by the name of the attribute. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether the table says in which workspace a record is. */
  readonly isOfWorkspace?: true;
  /** The record whose address comes first, as its type and the column with its id. One of them is set. */
  readonly parents?: Readonly<Record<string, string>>;
  /** The column with the id of the file, whose name is a text too, and the attribute that shows it. */
  readonly file?: readonly [column: string, attribute: string];
}

const ofTrackingOrAbsence = { time_tracking: 'time_tracking_id', absence: 'absence_id' };
const ofUser = { user: 'user_id' };

export const freeTexts: Readonly<Record<string, FreeTexts>> = {
  absence: {
    table: 'absences',
    attributes: { title: 'title', confirm_message: 'confirm_message', created_by: 'created_by' },
    isOfWorkspace: true,
  },
  absence_type: { table: 'absence_types', attributes: { title: 'title' }, isOfWorkspace: true },
  account: { table: 'accounts', attributes: { account_name: 'account_name' } },
  accounting_period: {
    table: 'accounting_periods',
    attributes: { reopening_reason: 'reopening_reason' },
    isOfWorkspace: true,
  },
  api_token: { table: 'api_tokens', attributes: { name: 'name' } },
  area: { table: 'areas', attributes: { name: 'name' }, isOfWorkspace: true },
  attachment: {
    table: 'attachments',
    attributes: {},
    parents: ofTrackingOrAbsence,
    file: ['file_id', 'file_name'],
  },
  calendar_feed: { table: 'calendar_feeds', attributes: { name: 'name' } },
  custom_field: {
    table: 'custom_fields',
    attributes: { title: 'title' },
    parents: { data_profile: 'data_profile_id' },
  },
  custom_field_value: { table: 'custom_field_values', attributes: { value: 'value' }, parents: ofUser },
  data_profile: { table: 'data_profiles', attributes: { title: 'title' } },
  event: { table: 'shifts', attributes: { note: 'note' }, isOfWorkspace: true },
  note: { table: 'notes', attributes: { content: 'content' }, parents: ofTrackingOrAbsence },
  public_holiday: { table: 'public_holidays', attributes: { title: 'title' }, isOfWorkspace: true },
  signature: {
    table: 'signatures',
    attributes: { title: 'title' },
    parents: { time_tracking: 'time_tracking_id' },
    file: ['file_id', 'image_file_name'],
  },
  tag: { table: 'tags', attributes: { title: 'title' }, isOfWorkspace: true },
  time_account_entry: { table: 'time_account_entries', attributes: { note: 'note' }, parents: ofUser },
  time_tracking: { table: 'time_trackings', attributes: { created_by: 'created_by' }, isOfWorkspace: true },
  upload: {
    table: 'uploads',
    attributes: { title: 'title', description: 'description' },
    parents: ofUser,
    file: ['file_id', 'doc_file_name'],
  },
  user_invitation: { table: 'invitations', attributes: { welcome_message: 'welcome_message' }, isOfWorkspace: true },
  vacation_entitlement: { table: 'vacation_entitlements', attributes: { title: 'title' }, parents: ofUser },
  wage_type: { table: 'wage_types', attributes: { title: 'title' }, isOfWorkspace: true },
  webhook: { table: 'webhooks', attributes: { description: 'description', url: 'url' } },
  working_time_violation: {
    table: 'working_time_violations',
    attributes: { acknowledgement_reason: 'acknowledgement_reason' },
    isOfWorkspace: true,
  },
  workspace: {
    table: 'workspaces',
    attributes: { name: 'name', phone: 'phone', welcome_message: 'welcome_message' },
  },
};
