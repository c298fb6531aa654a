import { randomUUID } from 'node:crypto';
import { addMonths } from '../../src/days/calendar/dates.ts';
import type { WorkspaceActor } from '../../src/platform/core/permissions.ts';
import { actorIn, actorRows } from '../../src/platform/db/actors.ts';
import type { Owner } from '../../src/platform/notes/owner.ts';
import type { ClosedSums } from '../../src/days/balance/closed_months.ts';
import type { Person, World } from './world.ts';

/** The actor for a person. */
export const actorOf = async ({ db, accountId, workspaceId }: World, person: Person): Promise<WorkspaceActor> =>
  actorIn(
    await actorRows(db, accountId, workspaceId).where('user.id', '=', person.id).executeTakeFirstOrThrow(),
  ) as WorkspaceActor;

/** One owner of notes, files and followers of each kind. */
export const owners: [string, (world: World) => Promise<Owner>][] = [
  ['a time tracking', async (world) => ({ time_tracking_id: await insertTimeTracking(world, world.employee.id) })],
  ['an absence', async (world) => ({ absence_id: await insertAbsence(world, world.employee.id) })],
];

/** A finished time tracking, straight into the database; punched ones have a UUID. */
export async function insertTimeTracking(
  { db, accountId, workspaceId }: World,
  userId: number,
  own: { uuid?: string; area_id?: number; starts_at?: Date; ends_at?: Date | null } = {},
): Promise<number> {
  const { starts_at = new Date('2026-01-05T07:00:00Z'), ends_at = new Date('2026-01-05T16:00:00Z') } = own;
  const { id } = await db
    .insertInto('time_trackings')
    .values({
      ...own,
      account_id: accountId,
      workspace_id: workspaceId,
      user_id: userId,
      starts_at,
      ends_at,
      actual_starts_at: starts_at,
      actual_ends_at: ends_at,
      created_by: 'admin',
      created_at: starts_at,
      updated_at: starts_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A pending absence of one full day, straight into the database. */
export async function insertAbsence({ db, accountId, workspaceId }: World, userId: number): Promise<number> {
  const type = await db
    .selectFrom('absence_types')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const now = new Date('2026-03-01T08:00:00Z');
  const { id } = await db
    .insertInto('absences')
    .values({
      account_id: accountId,
      uuid: randomUUID(),
      secure_id: randomUUID(),
      workspace_id: workspaceId,
      user_id: userId,
      absence_type_id: type.id,
      title: 'Vacation',
      starts_at: new Date('2026-03-01T23:00:00Z'),
      ends_at: new Date('2026-03-02T22:59:59Z'),
      full_day: true,
      hours: 8,
      days: 1,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const day = { date: '2026-03-02', seconds: 8 * 3600, parts: 10_000 };
  await db
    .insertInto('absence_days')
    .values({ account_id: accountId, absence_id: id, user_id: userId, ...day })
    .execute();
  return id;
}

/** 28 vacation days of 2026, straight into the database. */
export async function insertEntitlement({ db, accountId }: World, userId: number): Promise<number> {
  const now = new Date('2026-01-05T16:00:00Z');
  const year = { title: 'Vacation', planned_days: 28, starts_at: '2026-01-01', ends_at: '2026-12-31' };
  const { id } = await db
    .insertInto('vacation_entitlements')
    .values({ ...year, account_id: accountId, user_id: userId, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An area with these members; an area admin among them administers it. */
export async function insertArea(world: World, name: string, userIds: readonly number[]): Promise<number> {
  const { db, accountId, workspaceId } = world;
  const now = new Date('2026-01-01T00:00:00Z');
  const { id } = await db
    .insertInto('areas')
    .values({ account_id: accountId, workspace_id: workspaceId, name, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const userId of userIds)
    await db.insertInto('area_members').values({ account_id: accountId, area_id: id, user_id: userId }).execute();
  return id;
}

/** A closed month in which nothing happened, straight into the database. */
export async function insertAccountingPeriod(
  { db, accountId, workspaceId }: World,
  userId: number,
  month = '2025-01-01',
): Promise<number> {
  const none = { all: 0, confirmed: 0 };
  const amounts = { target: 0, breaks: 0, absenceCredit: 0, holidayCredit: 0, adjustment: 0, payout: 0 };
  const sums: ClosedSums = {
    opening: none,
    totals: { ...amounts, worked: none, charged: none, change: none },
    nightAndHoliday: { nightFrom23: 0, nightFrom20: 0, sunday: 0, holiday: 0 },
    absences: [],
  };
  const { id } = await db
    .insertInto('accounting_periods')
    .values({
      account_id: accountId,
      workspace_id: workspaceId,
      user_id: userId,
      month,
      begins_at: new Date(month),
      ends_at: new Date(addMonths(month, 1)),
      all_s: 0,
      confirmed_s: 0,
      salary: 0,
      sums: JSON.stringify(sums),
      days: '[]',
      closed_at: new Date(),
      closed_by_user_id: userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** How many files of the account can be read. Those of deleted records cannot. */
export async function readableFiles({ db, accountId }: World): Promise<number> {
  const files = db.selectFrom('files').select('id').where('account_id', '=', accountId);
  return (await files.where('deleted_record_id', 'is', null).execute()).length;
}
