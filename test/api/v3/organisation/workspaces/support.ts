import { expect } from 'vitest';
import { bodyOf, type Person } from '../../../../support/world.ts';

/** The defaults of a new workspace. */
export const defaults = {
  permissions: null,
  phone: null,
  time_zone: 'Berlin',
  locale: 'de',
  avatar: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/images\/workspace\.png$/) as string,
  external_id: null,
  active: true,
  allow_employees_edit_working_session_area: true,
  allow_employee_edit_punched_working_sessions: false,
  allow_employees_tag_working_sessions: false,
  require_four_eyes: false,
  max_backdating_days: null,
  datev_consultant_number: null,
  datev_client_number: null,
  checkin: null,
  holiday_region: null,
  working_time_rules: [
    ...['long_work', 'short_breaks', 'long_stretch', 'short_rest', 'long_week', 'long_average'],
    ...['absence_work', 'overlap', 'long_running'],
  ],
  minimum_rest_hours: 11,
};

export const create = (person: Person, attributes: object) =>
  person.call('createWorkspace', { body: bodyOf('workspace', attributes) });
