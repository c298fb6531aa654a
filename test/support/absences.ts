import type { Response } from 'supertest';
import { readableFiles } from './records.ts';
import { bodyOf, type Person, type World } from './world.ts';

/** The id of the absence type of a kind, which every member of the workspace may use. */
export async function typeOf({ db, accountId, workspaceId }: World, kind = 'vacation'): Promise<number> {
  const type = await db
    .selectFrom('absence_types')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  return type.id;
}

/** Two weeks in July, full days in Berlin. */
export const twoWeeks = {
  starts_at: '2026-07-06T09:00:00+02:00',
  ends_at: '2026-07-17T17:00:00+02:00',
  full_day: true,
};

/** Requests an absence, by default two weeks of vacation. */
export async function request(world: World, person: Person, attributes: object = {}): Promise<Response> {
  return person.call('createAbsence', {
    body: bodyOf('absence', { absence_type_id: await typeOf(world), ...twoWeeks, ...attributes }),
  });
}

/** Requests an absence and returns its id. */
export async function absenceOf(world: World, person: Person, attributes: object = {}): Promise<string> {
  const { status, body } = await request(world, person, attributes);
  if (status !== 200) throw new Error(`The absence was not made: ${JSON.stringify(body)}`);
  return body.data.id;
}

export const at = (absence_id: string | number, rest: object = {}) => ({ params: { absence_id }, ...rest });

/** How many rows of the account there are in the tables that absences write to. */
export async function rowsIn(world: World): Promise<Record<string, number>> {
  const { db, accountId } = world;
  const tables = [
    'absences',
    'notes',
    'absence_followers',
    'attachments',
    'notifications',
    'absence_types',
    'batches',
  ] as const;
  const counts: Record<string, number> = { files: await readableFiles(world) };
  for (const table of tables) {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    counts[table] = Number(count);
  }
  return counts;
}

/** Sets the hours of the employee's vacation days. */
export const setHoursOfVacationDay = ({ db, accountId, employee }: World, hours: number) =>
  db
    .updateTable('users')
    .set({ hours_on_vacation_day: hours, calc_vacation_options: 'custom' })
    .where('account_id', '=', accountId)
    .where('id', '=', employee.id)
    .execute();

/** Gives a user a target of eight hours from Monday to Friday, from a day on. */
export async function employSince({ db, accountId }: World, userId: number, day = '2026-01-01'): Promise<void> {
  await db
    .updateTable('users')
    .set({ start_of_accounting: day })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
  await db
    .updateTable('target_hours')
    .set({ start_date: day })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
}

/** Full days in any time zone. Both days are included. */
export const fullDays = (from: string, to = from, more: object = {}) => ({
  starts_at: `${from}T12:00:00Z`,
  ends_at: `${to}T12:00:00Z`,
  full_day: true,
  ...more,
});

/** The days and hours of a new absence of the employee. */
export async function amountOf(world: World, attributes: object): Promise<[number, number]> {
  const { status, body } = await request(world, world.employee, attributes);
  if (status !== 200) throw new Error(`The absence was not made: ${JSON.stringify(body)}`);
  return [body.data.attributes.days, body.data.attributes.hours];
}

/** The attributes of an absence. */
export const shownAbsence = async ({ admin }: World, id: string): Promise<Record<string, unknown>> =>
  (await admin.call('getAbsence', at(id))).body.data.attributes;

/** What an absence takes of each of its dates: the date, hours and days. */
export async function daysOf({ db, accountId }: World, id: string): Promise<[string, number, number][]> {
  const rows = await db
    .selectFrom('absence_days')
    .select(['date', 'seconds', 'parts'])
    .where('account_id', '=', accountId)
    .where('absence_id', '=', Number(id))
    .orderBy('date')
    .execute();
  return rows.map(({ date, seconds, parts }) => [date, seconds / 3600, parts / 10_000]);
}
