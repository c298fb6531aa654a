import { expect } from 'vitest';
import { absenceOf, at, typeOf } from '../../../support/absences.ts';
import { bodyOf, type Person, type World } from '../../../support/world.ts';

/** Calls as an admin, and expects success. */
export async function asked({ admin }: World, operationId: string, options: object) {
  const { status, body } = await admin.call(operationId, options);
  expect([operationId, Math.floor(status / 100), status >= 400 ? body : '']).toEqual([operationId, 2, '']);
  return body;
}

/** Changes the employee, for example the day on which their accounting starts. */
export const setEmployee = (world: World, attributes: object) =>
  asked(world, 'updateUser', { params: { user_id: world.employee.id }, body: bodyOf('user', attributes) });

/** Gives the employee a target hour. */
export const setTarget = (world: World, attributes: object) =>
  asked(world, 'createTargetHour', {
    params: { user_id: world.employee.id },
    body: bodyOf('target_hour', attributes),
  });

/** Records finished work of the employee and returns its id. */
export async function work(world: World, starts_at: string, ends_at: string, own: object = {}): Promise<string> {
  const attributes = { user_id: world.employee.id, starts_at, ends_at, ...own };
  return (await asked(world, 'createTimeTracking', { body: bodyOf('time_tracking', attributes) })).data.id;
}

export const confirm = (world: World, time_tracking_id: string) =>
  asked(world, 'confirmTimeTracking', { params: { time_tracking_id } });

/** A confirmed absence of the employee, full days in Berlin unless said otherwise. */
export async function absent(world: World, kind: string, from: string, to = from, own: object = {}): Promise<string> {
  const absence_type_id =
    kind === 'overtime'
      ? (await asked(world, 'createAbsenceType', { body: bodyOf('absence_type', { title: 'Time off', kind }) })).data.id
      : await typeOf(world, kind);
  const times = { starts_at: `${from}T00:00:00+02:00`, ends_at: `${to}T23:59:59+02:00`, full_day: true };
  const id = await absenceOf(world, world.employee, { absence_type_id, ...times, ...own });
  await asked(world, 'confirmAbsence', at(id));
  return id;
}

/** Books hours on the time account of the employee. */
export const book = (world: World, date: string, hours: number, kind = 'correction') =>
  asked(world, 'createTimeAccountEntry', {
    params: { user_id: world.employee.id },
    body: bodyOf('time_account_entry', { date, hours, kind, note: 'For the test.' }),
  });

export const daysOf = (person: Person, userId: number, from: string, to = from) =>
  person.call('getUserDays', { params: { user_id: userId }, query: { from, to } });

/** The days of the employee, as the admin reads them. */
export async function ledger({ admin, employee }: World, from: string, to = from): Promise<Record<string, unknown>[]> {
  const { status, body } = await daysOf(admin, employee.id, from, to);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ attributes }: { attributes: object }) => attributes);
}
