import { dataSetOf, fillingStatements, type Filling } from '../data_set.ts';

/* Users of one company with eight time trackings on every working day, for one year or for ten. Others make the tables larger. */

export const dataSet = dataSetOf('ledger', 0, 1, [
  [5_000, 20],
  [0, 5],
]);

const { accountId, workspaces } = dataSet.tenants[0]!;
const { id: workspaceId, firstUser } = workspaces[1]!;
const lastDay = '2026-06-30';

export type Years = 1 | 10;

/** The users with a history, by its years. */
const usersWith: Record<Years, number[]> = {
  1: [firstUser, firstUser + 1, firstUser + 2],
  10: [firstUser + 3, firstUser + 4],
};

/** When the job runs, after all days of work. */
export const today = new Date('2026-07-01T12:00:00Z');

/** The user whose days are read, with the address of two days and that of the oldest time tracking. */
export function addressesOf(years: Years): { days: string; oldest: string } {
  const [userId] = usersWith[years];
  const workspace = `/api/v3/workspaces/${workspaceId}`;
  return {
    days: `${workspace}/users/${userId}/days?from=2026-06-29&to=${lastDay}`,
    oldest: `${workspace}/time_trackings/${userId! * idsPerUser + 1}`,
  };
}

const idsPerUser = 100_000;

const histories = `(values ${Object.entries(usersWith)
  .flatMap(([years, ids]) => ids.map((id) => `(${id}, date '${lastDay}' - ${years} * 365)`))
  .join(', ')}) history (user_id, first_day)`;

/** What is loaded in addition to the data set. Only users with a history have months for the job. */
const historyStatements: readonly Filling[] = [
  {
    about: 'histories',
    text: `
      update workspaces set holiday_region = 'DE-BE' where account_id = ${accountId};
      update users set start_of_accounting = date '${lastDay}' + 1 where account_id = ${accountId};
      update users set start_of_accounting = first_day from ${histories} where account_id = ${accountId} and id = user_id;
      insert into target_hours (account_id, user_id, start_date, ${['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => `is_${day}, ${day}_s`).join(', ')}, created_at, updated_at)
        select ${accountId}, user_id, first_day, ${Array.from({ length: 5 }, () => 'true, 28800').join(', ')}, now(), now() from ${histories};
      insert into time_trackings (
        account_id, id, workspace_id, user_id, starts_at, ends_at, actual_starts_at, actual_ends_at, confirmed, created_by, last_editor_id,
        breaks_s, created_at, updated_at)
      select ${accountId}, user_id * ${idsPerUser} + row_number() over (partition by user_id order by at), ${workspaceId}, user_id, at, finish,
        at, finish, true, 'employee', user_id, case when number % 4 = 0 then 300 end, finish, finish
      from ${histories}, generate_series(first_day, date '${lastDay}', interval '1 day') day, generate_series(0, 7) number,
        lateral (select day at time zone 'UTC' + (6 + number) * interval '1 hour' as at) start,
        lateral (select at + interval '57 minutes' as finish) finish
      where extract(isodow from day) < 6
      order by at, user_id;
      insert into breaks (account_id, time_tracking_id, starts_at, ends_at, created_by, created_at, updated_at)
        select account_id, id, starts_at + interval '20 minutes', starts_at + interval '25 minutes', created_by, updated_at, updated_at
        from time_trackings where breaks_s = 300 order by id`,
  },
];

/** The statements that fill an empty, migrated database. */
export const statements = [...fillingStatements(dataSet), ...historyStatements];
