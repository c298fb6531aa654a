import { addDays, datesIn, weekdayOf } from '../../days/calendar/dates.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { recordUser } from '../../organisation/users/events/user_events.ts';
import { joinWorkspace } from '../../organisation/users/memberships.ts';
import { proveAddress } from '../../access/auth/proven_addresses.ts';
import { insertUser } from '../../organisation/users/user_changes.ts';
import { deactivateUser } from '../../organisation/users/status.ts';
import { findUser } from '../../organisation/users/users.ts';
import { demoCredentials } from './credentials.ts';
import { closeFirstMonth, createHotelAccounts } from './time_account.ts';
import { createHotelTime, firstWorkday } from './working_time.ts';

/** A night porter who has been there for a while, and whose first month is closed, and somebody who joined a month ago. */
export async function createHotelStaff(db: OpenTransaction, actor: WorkspaceActor, now: Date): Promise<void> {
  const firstDay = firstWorkday(now, actor.workspace.time_zone);
  const firstDayOfJoiner = addDays(firstDay, 60);
  const [porter, joiner] = (await createUsers(
    db,
    actor,
    [
      {
        username: 'Noor Night',
        external_id: 'noor',
        staff_number: '2001',
        salary: 19,
        start_of_accounting: firstDay,
        own: {},
      },
      {
        username: 'Jo Newman',
        external_id: 'jo',
        staff_number: '2002',
        salary: 16.5,
        start_of_accounting: firstDayOfJoiner,
        own: {},
      },
    ],
    now,
  )) as [number, number];
  await createFieldValues(db, actor, joiner, { start_of_work: firstDayOfJoiner });
  await createHotelAccounts(db, actor, porter, now);
  // A Wednesday and a Thursday.
  const wednesday = datesIn({ from: firstDay, to: addDays(firstDay, 6) }).find((date) => weekdayOf(date) === 2)!;
  const daysOff = [wednesday, addDays(wednesday, 1)];
  await createHotelTime(db, actor, { porter, daysOff, joiner, firstDayOfJoiner }, now);
  await closeFirstMonth(db, actor, porter, { firstDay, daysOff }, now);
}

/** The employees of the restaurant. */
export const createStaff = (
  db: OpenTransaction,
  actor: WorkspaceActor,
  password_hash: string,
  now: Date,
): Promise<number[]> => {
  const start_of_accounting = firstWorkday(now, actor.workspace.time_zone);
  return createUsers(
    db,
    actor,
    [
      {
        username: 'Erin Example',
        email: demoCredentials.employee,
        external_id: 'erin',
        staff_number: '1002',
        salary: 18.5,
        start_of_accounting,
        // From the time before Punchcard.
        initial_time_account: 2.5,
        own: { password_hash },
      },
      {
        username: 'Robin Baker',
        external_id: 'robin',
        staff_number: '1003',
        salary: 17.25,
        start_of_accounting,
        own: {},
      },
      {
        username: 'Sam Cook',
        email: 'sam@example.com',
        external_id: 'sam',
        staff_number: '1004',
        salary: 21,
        start_of_accounting,
        own: {},
      },
    ],
    now,
  );
};

type NewUser = Parameters<typeof insertUser>[2] & { readonly own: { readonly password_hash?: string } };

async function createUsers(
  db: OpenTransaction,
  actor: WorkspaceActor,
  people: readonly NewUser[],
  now: Date,
): Promise<number[]> {
  const { accountId, workspace } = actor;
  const ids: number[] = [];
  for (const { own, ...person } of people) {
    const id = await insertUser(db, accountId, person, { created_in_workspace: true, ...own }, now);
    if (person.email && own.password_hash)
      await proveAddress(db, { accountId, userId: id }, person.email, undefined, now);
    await joinWorkspace(db, { accountId, workspaceId: workspace.id, userId: id }, undefined, now);
    recordUser(db, actor, 'created', { before: null, after: await findUser(db, actor, id) }, now);
    ids.push(id);
  }
  return ids;
}

/** Somebody who left years ago without having worked. Only their data is still there. */
export async function createLeaver(db: OpenTransaction, actor: WorkspaceActor, now: Date): Promise<void> {
  const start_of_accounting = firstWorkday(now, actor.workspace.time_zone);
  const leaver = { username: 'Lee Leaver', email: 'lee@example.com', external_id: 'lee', staff_number: '1005' };
  const [id] = await createUsers(db, actor, [{ ...leaver, start_of_accounting, own: {} }], now);
  await deactivateUser(db, actor, id!, now);
}

/** Fills fields of the data profile, by their keys. */
export async function createFieldValues(
  db: Db,
  { accountId }: WorkspaceActor,
  userId: number,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const fields = await db
    .selectFrom('custom_fields')
    .select(['id', 'key'])
    .where('account_id', '=', accountId)
    .execute();
  const rows = fields
    .filter(({ key }) => values[key])
    .map(({ id, key }) => ({ account_id: accountId, custom_field_id: id, user_id: userId, value: values[key]! }));
  await db.insertInto('custom_field_values').values(rows).execute();
}
