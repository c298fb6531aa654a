import { randomUUID } from 'node:crypto';
import type { AbsenceKind } from '../../../src/days/calendar/absence_days.ts';
import { weekdays } from '../../../src/days/calendar/dates.ts';
import type { TargetHour } from '../../../src/days/calendar/target_of_day.ts';
import type { Person, World } from '../../support/world.ts';
import { absenceRows } from './oracle_days.ts';
import { turned } from './printed_calendar.ts';
import type { Scenario, ScenarioTracking } from './scenarios.ts';

/* Random users as rows of the database. The amounts of absences on their dates come from the oracle. */

/** The same scenario without what the database cannot store: calendars of no region, odd factors, two own holidays on a date. */
export function storable(scenario: Scenario): Scenario {
  const byDate = new Map(
    scenario.person.ownHolidays.filter(({ factor }) => [0.5, 1].includes(factor)).map((own) => [own.date, own]),
  );
  const person = { ...scenario.person, calendarHolidays: new Map(), ownHolidays: [...byDate.values()] };
  return { ...scenario, person, entries: scenario.entries.filter(({ seconds }) => seconds !== 0) };
}

/** Stores a scenario for a user without records. Returns the ids of the records that the scenario names. */
export async function store(world: World, user: Person, { person, zone, ...scenario }: Scenario) {
  const { db, accountId, workspaceId } = world;
  const own = { account_id: accountId, user_id: user.id };
  const times = { created_at: new Date(), updated_at: new Date() };
  const hours = (seconds: number): number => Number((seconds / 3600).toFixed(4));
  await db
    .updateTable('users')
    .set({
      time_zone: zone,
      start_of_accounting: person.start_of_accounting,
      initial_time_account: hours(scenario.initialBalance),
      calc_holiday_options: person.customHolidaySeconds === null ? 'target' : 'custom',
      custom_holiday_hours: hours(person.customHolidaySeconds ?? 0),
      calc_vacation_options: person.customVacationSeconds === null ? 'target' : 'custom',
      hours_on_vacation_day: hours(person.customVacationSeconds ?? 0),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', user.id)
    .execute();
  if (person.end_of_contract !== null) await storeEndOfContract(world, user, person.end_of_contract);
  await db.deleteFrom('target_hours').where('account_id', '=', accountId).where('user_id', '=', user.id).execute();
  for (const target of person.target_hours) await storeTargetHour(world, user, target);
  await db.deleteFrom('public_holidays').where('account_id', '=', accountId).execute();
  for (const holiday of person.ownHolidays)
    await db
      .insertInto('public_holidays')
      .values({ ...holiday, ...times, account_id: accountId, workspace_id: workspaceId })
      .execute();
  for (const entry of scenario.entries)
    await db
      .insertInto('time_account_entries')
      .values({ ...entry, ...own, note: 'Random', created_by_user_id: user.id, created_at: new Date() })
      .execute();
  const absenceIds = new Map<number, number>();
  for (const absence of scenario.absences) {
    const id = await storeAbsence(world, user, absence.kind, absence.isConfirmed);
    const rows = absenceRows(absence, person).map((row) => ({ ...own, ...row, absence_id: id }));
    if (rows.length > 0) await db.insertInto('absence_days').values(rows).execute();
    absenceIds.set(absence.id, id);
  }
  const trackingIds = new Map<string, string>();
  for (const tracking of scenario.trackings) trackingIds.set(tracking.id, await storeWork(world, user, tracking));
  return { absenceIds, trackingIds };
}

/** Changes old records of a stored scenario: one of each kind, if there is one. Returns what is stored then. */
export async function changeOldRecords(
  { db, accountId }: World,
  user: Person,
  { absenceIds, trackingIds }: Awaited<ReturnType<typeof store>>,
  scenario: Scenario,
): Promise<Scenario> {
  const entry = { date: turned(scenario.anchor, 50), kind: 'correction' as const, seconds: 4711 };
  const who = { account_id: accountId, user_id: user.id, created_by_user_id: user.id };
  await db
    .insertInto('time_account_entries')
    .values({ ...entry, ...who, note: 'Late', created_at: new Date() })
    .execute();
  const absences = scenario.absences.map((one, index) =>
    index === 0 ? { ...one, isConfirmed: !one.isConfirmed } : one,
  );
  for (const { id, isConfirmed } of absences.slice(0, 1))
    await db
      .updateTable('absences')
      .set({ confirmation_status: isConfirmed ? 'confirmed' : 'pending' })
      .where('account_id', '=', accountId)
      .where('id', '=', absenceIds.get(id)!)
      .execute();
  const trackings = scenario.trackings.map((one, index) => (index === 0 ? { ...one, ...shifted(one) } : one));
  for (const { id, starts_at, ends_at } of trackings.slice(0, 1))
    await db
      .updateTable('time_trackings')
      .set({ starts_at, ends_at, actual_starts_at: starts_at, actual_ends_at: ends_at })
      .where('account_id', '=', accountId)
      .where('id', '=', Number(trackingIds.get(id)))
      .execute();
  return { ...scenario, entries: [...scenario.entries, entry], absences, trackings };
}

/** The same work, some weeks later, and its breaks with it. */
function shifted({ starts_at, ends_at, breaks }: ScenarioTracking) {
  const later = (time: Date): Date => new Date(time.getTime() + 47 * 86_400_000);
  return {
    starts_at: later(starts_at),
    ends_at: later(ends_at),
    breaks: breaks.map((pause) => ({
      starts_at: later(pause.starts_at),
      ends_at: pause.ends_at && later(pause.ends_at),
    })),
  };
}

async function storeEndOfContract({ db, accountId }: World, { id }: Person, value: string): Promise<void> {
  const field = await db
    .selectFrom('custom_fields')
    .select('id')
    .where('account_id', '=', accountId)
    .where('key', '=', 'end_of_contract')
    .orderBy('data_profile_id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('custom_field_values')
    .values({ account_id: accountId, user_id: id, custom_field_id: field.id, value })
    .execute();
}

async function storeTargetHour({ db, accountId }: World, user: Person, target: TargetHour): Promise<void> {
  const { rhythm_type, start_date, target_limited } = target;
  const week =
    target.rhythm_type === 'weekly'
      ? {
          per_day: target.per_day,
          is_week: target.is_week,
          week_s: target.weekSeconds,
          is_month: target.is_month,
          month_s: target.monthSeconds,
          ...Object.fromEntries(
            weekdays.flatMap((day, index) => [
              [`is_${day}`, target.weekdays[index]!.isWorkday] as const,
              [`${day}_s`, target.weekdays[index]!.seconds] as const,
            ]),
          ),
        }
      : {};
  const own = { account_id: accountId, user_id: user.id, rhythm_type, start_date, target_limited };
  const { id } = await db
    .insertInto('target_hours')
    .values({ ...own, ...week, created_at: new Date(), updated_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (target.rhythm_type === 'weekly') return;
  const days = target.cycle.map((hours_s, position) => ({
    account_id: accountId,
    target_hour_id: id,
    position,
    day_type: hours_s > 0 ? 'workday' : 'freeday',
    hours_s,
  }));
  await db.insertInto('target_working_days').values(days).execute();
}

/** An absence of that kind. Its times do not matter, because the time account reads only its rows by date. */
async function storeAbsence(world: World, user: Person, kind: AbsenceKind, isConfirmed: boolean): Promise<number> {
  const { db, accountId, workspaceId } = world;
  const times = { created_at: new Date(), updated_at: new Date() };
  const here = { account_id: accountId, workspace_id: workspaceId, ...times };
  const type = await db
    .insertInto('absence_types')
    .values({ ...here, title: `${kind} ${randomUUID()}`, kind })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('absences')
    .values({
      ...here,
      uuid: randomUUID(),
      secure_id: randomUUID(),
      user_id: user.id,
      absence_type_id: type.id,
      title: kind,
      starts_at: new Date('2026-01-01T00:00:00Z'),
      ends_at: new Date('2026-01-02T00:00:00Z'),
      full_day: true,
      hours: 0,
      days: 0,
      confirmation_status: isConfirmed ? 'confirmed' : 'pending',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function storeWork(world: World, user: Person, tracking: ScenarioTracking): Promise<string> {
  const { starts_at, ends_at, breaks, force_custom_break_duration, custom_break_s, manual_pause_min, isConfirmed } =
    tracking;
  const breakMs = breaks.reduce((sum, pause) => sum + pause.ends_at!.getTime() - pause.starts_at.getTime(), 0);
  const { id } = await world.db
    .insertInto('time_trackings')
    .values({
      account_id: world.accountId,
      workspace_id: world.workspaceId,
      user_id: user.id,
      starts_at,
      ends_at,
      actual_starts_at: starts_at,
      actual_ends_at: ends_at,
      breaks_s: breakMs / 1000,
      force_custom_break_duration,
      custom_break_s,
      manual_pause_min,
      confirmed: isConfirmed,
      created_by: 'admin',
      created_at: starts_at,
      updated_at: starts_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return String(id);
}
