import { describe, expect, it } from 'vitest';
import { listFilters } from '../../generated/list_filters.ts';
import { sharedRecords } from '../support/shared_records.ts';
import { walkTimeoutMs } from '../support/verification.ts';
import type { Person } from '../support/world.ts';

/*
 * An employee sends every filter and every sort to every list of users, before and after all private attributes of a colleague
 * have changed. The responses must be the same.
 */

const valuesOf = (number: number) => ({
  email: `${String(number).repeat(3)}@example.com`,
  tablet_pin: String(number),
  hour_holidays: number > 1,
  time_zone: ['Africa/Cairo', 'Europe/Berlin', 'Europe/Zurich'][number - 1]!,
  initial_time_account: number,
  checkin_complete: number > 1,
  start_of_accounting: `2026-01-0${number}`,
  saldo_type: number,
  salary: number,
  hours_on_vacation_day: number,
  home_office: number > 1,
  calc_holiday_options: String(number),
  custom_holiday_hours: number,
  calc_vacation_options: String(number),
  working_sessions_creator: number > 1,
  staff_number: String(number),
  external_id: String(number),
  birthday: `1990-01-0${number}`,
  locale: ['de', 'en', 'fr'][number - 1]!,
});
type PrivateValues = ReturnType<typeof valuesOf>;
const privateValues = { low: valuesOf(1), middle: valuesOf(2), high: valuesOf(3) };

/** The lists whose filters compare private columns of users, or name users. */
const filterable = [
  { id: 'listUsers', filters: listFilters.listUsers },
  { id: 'listTimeTrackingFollowers', filters: listFilters.listUsers },
  { id: 'listAbsenceTypes', filters: ['users_id_in', 'intersecting_users'] },
];

describe('what is private about a colleague', () => {
  it(
    'changes no answer, whatever the filter and the sort',
    async () => {
      const { world, employee, admin, colleague, params } = await sharedRecords();
      const { db, accountId } = world;
      // The colleague's values move from before to after those of a second follower, so that a sort would show the change.
      const third = await world.addMember('employee', 'Third');
      const follower = { account_id: accountId, user_id: third.id, time_tracking_id: params.time_tracking_id };
      await db.insertInto('time_tracking_followers').values(follower).execute();
      const set = (userId: number, values: PrivateValues) =>
        db.updateTable('users').set(values).where('account_id', '=', accountId).where('id', '=', userId).execute();
      await set(third.id, privateValues.middle);
      await set(colleague.id, privateValues.low);

      const named = { areas: params.area_id, tags: params.tag_id, users_id_in: colleague.id, intersecting_users: colleague.id }; // prettier-ignore
      const queriesWith = (name: string): string[] => {
        if (name in named) return [`filter[${name}]=${named[name as 'areas']}`];
        const [low, middle] = [privateValues.low, privateValues.middle].map((values) => values[name as 'salary']);
        return [`filter[${name}]=eq:${low}`, `filter[${name}]=gte:${middle}`, `sort=${name}`];
      };
      const queries = filterable.flatMap(({ id, filters }) =>
        filters.flatMap((name) => queriesWith(name).map((query) => ({ id, query }))),
      );
      const answersFor = async (person: Person): Promise<string[]> => {
        const answers: string[] = [];
        for (const { id, query } of queries) {
          const { body } = await person.call(id, { params, query });
          answers.push(`${id}?${query} ${JSON.stringify({ ...body, meta: { ...body.meta, request_id: null } })}`);
        }
        return answers;
      };

      const before = { employee: await answersFor(employee), admin: await answersFor(admin) };
      await set(colleague.id, privateValues.high);
      for (const table of ['area_members', 'user_tags', 'user_absence_types', 'custom_field_values'] as const)
        await db.deleteFrom(table).where('account_id', '=', accountId).where('user_id', '=', colleague.id).execute();
      expect(await answersFor(employee)).toEqual(before.employee);
      // The requests can show the change: the responses to an admin differ.
      const changed = (await answersFor(admin)).filter((answer, index) => answer !== before.admin[index]);
      expect(changed.length).toBeGreaterThan(50);
    },
    walkTimeoutMs,
  );
});
