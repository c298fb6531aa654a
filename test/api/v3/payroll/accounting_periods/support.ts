import { expect } from 'vitest';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';
import { absent, asked, book, confirm, work } from '../../time_account/support.ts';

/** Closes a month of the employee, or of others. */
export const close = (person: Person, month: string, attributes: object) =>
  person.call('createAccountingPeriods', { body: bodyOf('accounting_period', { month, ...attributes }) });

/** Closes a month of the employee and returns the id of the period. */
export async function closed(world: World, month: string): Promise<string> {
  const { status, body } = await close(world.admin, month, { user_ids: [world.employee.id] });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data[0].id;
}

export const reopen = (person: Person, id: string, reason = 'A shift was missing.') =>
  person.call('deleteAccountingPeriod', { params: { accounting_period_id: id }, query: { reason } });

/** Confirmed work of the employee. */
export async function worked(world: World, starts_at: string, ends_at: string, own: object = {}): Promise<string> {
  const id = await work(world, starts_at, ends_at, own);
  await confirm(world, id);
  return id;
}

/** Two months with work, a break, a night shift into the next month, vacation over the end of the month, and an entry. */
export async function twoMonths() {
  const world = await newWorld();
  await asked(world, 'updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BE' }) });
  const day = await worked(world, '2026-01-05T08:00:00+01:00', '2026-01-05T17:00:00+01:00', {
    breaks_attributes: [{ starts_at: '2026-01-05T12:00:00+01:00', ends_at: '2026-01-05T12:30:00+01:00' }],
  });
  const night = await worked(world, '2026-01-31T22:00:00+01:00', '2026-02-01T06:00:00+01:00');
  const later = await worked(world, '2026-02-03T08:00:00+01:00', '2026-02-03T16:00:00+01:00');
  const vacation = await absent(world, 'vacation', '2026-01-29', '2026-02-02', {
    starts_at: '2026-01-29T00:00:00+01:00',
    ends_at: '2026-02-02T23:59:59+01:00',
  });
  const entry = (await book(world, '2026-01-15', 2)).data.id as string;
  return { ...world, day, night, later, vacation, entry };
}
