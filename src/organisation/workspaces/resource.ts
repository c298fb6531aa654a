import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { cityOf } from '../../platform/core/time.ts';
import { many, resource, type Flat, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import { ruleSettingsIn } from './rule_settings.ts';
import type { WorkspaceRow } from './workspaces.ts';

type Workspace = components['schemas']['Workspace'];

const workspace = resource('workspace', fields.Workspace);

const flat = (row: WorkspaceRow, { actor, queryOptions, links }: PresentContext): Flat<Workspace> => ({
  id: row.id,
  permissions: permissionsOf(actor, 'workspace', row, queryOptions.permissions),
  name: row.name,
  phone: row.phone,
  time_zone: cityOf(row.time_zone),
  locale: row.locale,
  avatar: row.avatar_file_id
    ? links.file(row.account_id, row.avatar_file_id)
    : (row.avatar_url ?? links.placeholder('workspace')),
  external_id: row.external_id,
  active: row.active,
  allow_employees_edit_working_session_area: row.allow_employees_edit_working_session_area,
  allow_employee_edit_punched_working_sessions: row.allow_employee_edit_punched_working_sessions,
  allow_employees_tag_working_sessions: row.allow_employees_tag_working_sessions,
  require_four_eyes: row.require_four_eyes,
  max_backdating_days: row.max_backdating_days,
  checkin: row.checkin,
  holiday_region: row.holiday_region,
  ...ruleSettingsIn(row),
  datev_consultant_number: row.datev_consultant_number,
  datev_client_number: row.datev_client_number,
});

const linkages = (row: WorkspaceRow) => ({ areas: many('area', row.area_ids) });

export const presentWorkspace = (row: WorkspaceRow, context: PresentContext) =>
  workspace({ ...flat(row, context), welcome_message: row.welcome_message }, linkages(row));

/** A workspace that was just written. The contract leaves out its `welcome_message`. */
export const presentWrittenWorkspace = (row: WorkspaceRow, context: PresentContext) =>
  workspace(flat(row, context), linkages(row));
