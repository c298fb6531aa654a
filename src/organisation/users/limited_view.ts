import type { components } from '../../../generated/v3.ts';

type Attributes = components['schemas']['User']['attributes'];

/** The attributes that every colleague may see. Those who may read the user in full see the others too. */
export const limitedAttributes = [
  'permissions',
  'username',
  'abbreviation',
  'recognition_color_variant',
  'status',
  'avatar',
  'avatar_thumb_url',
  'avatar_medium_url',
] as const satisfies readonly (keyof Attributes)[];

/** Stands in place of every other attribute: null, or the neutral value of a type that the contract does not let be null. */
export const blankAttributes: Required<Omit<Attributes, (typeof limitedAttributes)[number]>> = {
  email: '',
  admin_pin: null,
  tablet_pin: null,
  hour_holidays: false,
  time_zone: null,
  initial_time_account: 0,
  checkin_complete: null,
  start_of_accounting: null,
  saldo_type: 0,
  salary: 0,
  hours_on_vacation_day: 0,
  home_office: false,
  calc_holiday_options: '',
  custom_holiday_hours: 0,
  calc_vacation_options: '',
  working_sessions_creator: false,
  staff_number: null,
  external_id: null,
  birthday: null,
  identifier_pin: '',
  locale: null,
  assumed_role: null,
  running_time_tracking: null,
  remaining_vacation_days_this_year: 0,
  holiday_region: null,
  holiday_region_from: null,
  mail_notifications: false,
};
