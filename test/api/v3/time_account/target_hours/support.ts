import { bodyOf, type Person, type World } from '../../../../support/world.ts';

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** Eight hours on each of these weekdays. */
export const eightHours = (...worked: string[]) =>
  Object.fromEntries(worked.flatMap((day) => [[`is_${day}`, true] as const, [day, 8] as const]));
export const monToWed = eightHours('mon', 'tue', 'wed');
export const [on, off] = [
  { day_type: 'workday', hours: 8 },
  { day_type: 'freeday', hours: 0 },
];
export const cycle = { target_working_days_attributes: [on, on, on, on, off, off] };

export const create = (person: Person, userId: number, attributes: object) =>
  person.call('createTargetHour', { params: { user_id: userId }, body: bodyOf('target_hour', attributes) });
export const update = (person: Person, userId: number, id: string, attributes: object) =>
  person.call('updateTargetHour', {
    params: { user_id: userId, target_hour_id: id },
    body: bodyOf('target_hour', attributes),
  });
export const remove = (person: Person, userId: number, id: string) =>
  person.call('deleteTargetHour', { params: { user_id: userId, target_hour_id: id } });
export const list = (person: Person, userId: number, query = {}) =>
  person.call('listTargetHours', { params: { user_id: userId }, query });

export interface Shown {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export const shownTo = async (person: Person, userId: number): Promise<Shown[]> =>
  (await list(person, userId)).body.data;
export const datesOf = async ({ admin, employee }: World) =>
  (await shownTo(admin, employee.id)).map(({ attributes }) => [attributes['start_date'], attributes['end_date']]);

export const defaultWeek = {
  permissions: null,
  rhythm_type: 'weekly',
  end_date: null,
  target_limited: false,
  reset_confirmed_absences: null,
  total_hours: 40,
  updated_by: null,
  is_week: false,
  is_month: false,
  ...Object.fromEntries(days.flatMap((day) => [[`is_${day}`, day !== 'sat' && day !== 'sun'] as const, [day, day === 'sat' || day === 'sun' ? null : 8] as const])),
  per_day: true,
  week: null,
  month: null,
}; // prettier-ignore
