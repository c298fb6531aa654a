import { sql } from 'kysely';
import { absenceCollection, rangeIn } from '../../../absence/absences/list.ts';
import { absenceSums, type AbsenceSum } from '../../../absence/absences/list_totals.ts';
import { hoursOf } from '../../../days/calendar/worked_time.ts';
import { may, type WorkspaceActor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { matchingRows } from '../../../platform/db/list/matching_ids.ts';
import { conditionsIn } from '../../../platform/db/list/read_filters.ts';
import { isAnyOf } from '../../../platform/db/rows_by_ids.ts';
import { planFor, timeTrackingCollection } from '../../../working_time/time_trackings/list/list.ts';
import { secondsAt } from '../../../working_time/time_trackings/list/seconds_sql.ts';
import type { UserSummary } from '../../../time_account/user_summaries/user_summaries.ts';
import type { Coverage } from '../request.ts';
import { cellsOf, column, type Cell, type ColumnOf, type Table } from '../table.ts';
import { summariesOf } from './summaries.ts';

/* A row for each user: the totals of the list, and the figures of the summaries if the days are given. */

interface Person {
  readonly id: number;
  readonly username: string;
  readonly staff_number: string | null;
}

interface WorkSum {
  readonly user_id: number;
  readonly count: number;
  readonly confirmed: number;
  readonly running: number;
  readonly gross: number;
  readonly pause: number;
}

type Line<Sum> = { readonly person: Person; readonly sum: Sum; readonly summary?: UserSummary | undefined };

const personColumns = <Sum>(): ColumnOf<Line<Sum>>[] => [
  column('User id', 'Benutzer-Id', 'number', ({ person }) => person.id),
  column('User', 'Benutzer', 'text', ({ person }) => person.username),
  column('Staff number', 'Personalnummer', 'text', ({ person }) => person.staff_number),
];

const workColumns: readonly ColumnOf<Line<WorkSum>>[] = [
  ...personColumns<WorkSum>(),
  column('Time trackings', 'Zeiterfassungen', 'number', ({ sum }) => sum.count),
  column('Confirmed', 'Bestätigt', 'number', ({ sum }) => sum.confirmed),
  column('Unconfirmed', 'Unbestätigt', 'number', ({ sum }) => sum.count - sum.confirmed),
  column('Running', 'Laufend', 'number', ({ sum }) => sum.running),
  column('Gross (h)', 'Brutto (h)', 'hours', ({ sum }) => hoursOf(sum.gross)),
  column('Breaks (h)', 'Pausen (h)', 'hours', ({ sum }) => hoursOf(sum.pause)),
  column('Net (h)', 'Netto (h)', 'hours', ({ sum }) => hoursOf(sum.gross - sum.pause)),
  column('Gross (s)', 'Brutto (s)', 'number', ({ sum }) => sum.gross),
  column('Breaks (s)', 'Pausen (s)', 'number', ({ sum }) => sum.pause),
  column('Net (s)', 'Netto (s)', 'number', ({ sum }) => sum.gross - sum.pause),
];

/** A figure of the summary in hours. Empty where the actor may not read the time account. */
const figure = (en: string, de: string, seconds: (summary: UserSummary) => number): ColumnOf<Line<WorkSum>> =>
  column(en, de, 'hours', ({ summary }) => (summary ? hoursOf(seconds(summary)) : null));

const summaryColumns: readonly ColumnOf<Line<WorkSum>>[] = [
  figure('Account: net (h)', 'Zeitkonto: Netto (h)', ({ totals }) => totals.worked.all),
  figure('Account: confirmed net (h)', 'Zeitkonto: Netto bestätigt (h)', ({ totals }) => totals.worked.confirmed),
  figure('Target (h)', 'Soll (h)', ({ totals }) => totals.target),
  figure('Absence credit (h)', 'Abwesenheitsgutschrift (h)', ({ totals }) => totals.absenceCredit),
  figure('Holiday credit (h)', 'Feiertagsgutschrift (h)', ({ totals }) => totals.holidayCredit),
  figure('Adjustment (h)', 'Korrektur (h)', ({ totals }) => totals.adjustment),
  figure('Change (h)', 'Veränderung (h)', ({ totals }) => totals.change.all),
  figure('Opening balance (h)', 'Anfangssaldo (h)', ({ opening }) => opening.all),
  figure('Balance (h)', 'Saldo (h)', ({ opening, totals }) => opening.all + totals.change.all),
  figure('Night 23 to 6 (h)', 'Nacht 23 bis 6 (h)', ({ nightAndHoliday }) => nightAndHoliday.nightFrom23),
  figure('Night 20 to 6 (h)', 'Nacht 20 bis 6 (h)', ({ nightAndHoliday }) => nightAndHoliday.nightFrom20),
  figure('Sunday (h)', 'Sonntag (h)', ({ nightAndHoliday }) => nightAndHoliday.sunday),
  figure('Holiday (h)', 'Feiertag (h)', ({ nightAndHoliday }) => nightAndHoliday.holiday),
];

const absenceSumColumns: readonly ColumnOf<Line<AbsenceSum>>[] = [
  ...personColumns<AbsenceSum>(),
  column('Absences', 'Abwesenheiten', 'number', ({ sum }) => sum.count),
  column('Pending', 'Offen', 'number', ({ sum }) => sum.pending),
  column('Confirmed', 'Bestätigt', 'number', ({ sum }) => sum.confirmed),
  column('Rejected', 'Abgelehnt', 'number', ({ sum }) => sum.rejected),
  column('Days', 'Tage', 'number', ({ sum }) => sum.parts / 10_000),
  column('Hours', 'Stunden', 'hours', ({ sum }) => hoursOf(sum.seconds)),
  column('Hours (s)', 'Stunden (s)', 'number', ({ sum }) => sum.seconds),
];

const sumsUpOthers = (actor: WorkspaceActor): boolean => may(actor, 'sum_up_others', 'workspace', actor.workspace);

/** The work of each user. */
export async function workSums(db: Db, actor: WorkspaceActor, coverage: Coverage, now: Date): Promise<Table> {
  const { shape, values } = planFor(actor, { hasPermissions: false }, now);
  const matching = matchingRows(timeTrackingCollection(db, shape, values), coverage.filter);
  const { gross, pause } = secondsAt(values);
  const sums = await (sumsUpOthers(actor) ? matching : matching.where('time_trackings.user_id', '=', actor.userId!))
    .select([
      'time_trackings.user_id',
      sql<number>`count(*)`.as('count'),
      sql<number>`count(*) filter (where time_trackings.confirmed)`.as('confirmed'),
      sql<number>`count(*) filter (where time_trackings.ends_at is null)`.as('running'),
      sql<number>`coalesce(sum(${gross}), 0)::bigint`.as('gross'),
      sql<number>`coalesce(sum(${pause}), 0)::bigint`.as('pause'),
    ])
    .groupBy('time_trackings.user_id')
    .execute();
  const { from, to, filter } = coverage;
  if (from === undefined || to === undefined) return tableOf(db, actor, workColumns, sums);
  const summaries = new Map<number, UserSummary>();
  for await (const page of summariesOf(db, actor, { from, to }, filter))
    for (const summary of page.rows) summaries.set(summary.user.id, summary);
  const worked = new Set(sums.map(({ user_id }) => user_id));
  const idle = [...summaries.keys()].filter((id) => !worked.has(id));
  const none = { count: 0, confirmed: 0, running: 0, gross: 0, pause: 0 };
  const all: WorkSum[] = [...sums, ...idle.map((user_id) => ({ user_id, ...none }))];
  return tableOf(db, actor, [...workColumns, ...summaryColumns], all, summaries);
}

/** The absences of each user. */
export async function absenceSumsOf(db: Db, actor: WorkspaceActor, { filter }: Coverage): Promise<Table> {
  const collection = absenceCollection(db, actor);
  const matching = matchingRows(collection, filter);
  const own = sumsUpOthers(actor) ? matching : matching.where('absences.user_id', '=', actor.userId!);
  const range = rangeIn(conditionsIn(collection, filter));
  const { rows } = await absenceSums(own, actor.accountId, range).execute(db);
  return tableOf(db, actor, absenceSumColumns, rows);
}

/** A table with the sums of each user, by name. */
async function tableOf<Sum extends { readonly user_id: number }>(
  db: Db,
  { accountId }: WorkspaceActor,
  columns: readonly ColumnOf<Line<Sum>>[],
  sums: readonly Sum[],
  summaries: ReadonlyMap<number, UserSummary> = new Map(),
): Promise<Table> {
  const people = await db
    .selectFrom('users')
    .select(['id', 'username', 'staff_number'])
    .where('account_id', '=', accountId)
    .where(
      isAnyOf(
        'id',
        sums.map(({ user_id }) => user_id),
      ),
    )
    .orderBy(sql`username collate "C"`)
    .orderBy('id')
    .execute();
  const byUser = new Map(sums.map((sum) => [sum.user_id, sum]));
  const rows = people.map((person) =>
    cellsOf(columns, { person, sum: byUser.get(person.id)!, summary: summaries.get(person.id) }),
  );
  return { columns, pages: onePage(rows) };
}

async function* onePage(rows: Cell[][]): AsyncGenerator<Cell[][]> {
  yield rows;
}
