import type { AbsenceAmount, AbsenceDay } from '../calendar/absence_days.ts';
import { sumOf } from '../calendar/amounts.ts';
import { latestOf, type LocalDate } from '../calendar/dates.ts';
import { startOfLocalDay } from '../../platform/core/time.ts';
import { customAmountOf, datesOf, measurementOf, rowsOf } from './measure_absence.ts';
import type { Amount, Measurable, Measurement } from './measure_absence.ts';
import type { UserDays } from './user_days.ts';

/** An absence before a change, with what it takes of each date. */
interface Stored extends Measurable {
  readonly rows: readonly AbsenceDay[];
}

interface Options {
  readonly custom: Partial<Amount> | undefined;
  /** The first day after the closed months of the user. */
  readonly openDate: LocalDate | undefined;
}

/**
 * Measures an absence after a change. Closed dates keep their rows, whatever they would count now. A closed date that the
 * change itself is about gets another row, which the database refuses.
 */
export function measureChange(before: Stored, after: Measurable, days: UserDays, options: Options): Measurement {
  const { openDate = '', custom } = options;
  const given = custom && customAmountOf(custom);
  const rows = rowsOf(after, days, given);
  if (!before.rows.some(({ date }) => date < openDate)) return measurementOf(rows);

  const stored = byDate(before.rows);
  const [old, next] = [before, after].map((absence) => byDate(rowsOf(absence, days, undefined)));
  const isConcerned = (date: LocalDate): boolean => !isSameRow(old!.get(date), next!.get(date));
  const closed = rows
    .filter(({ date }) => date < openDate)
    .map((row) => (isConcerned(row.date) ? row : (stored.get(row.date) ?? row)));
  if (!given) return measurementOf([...closed, ...rows.filter(({ date }) => date >= openDate)]);

  const rest = without(given, closed);
  const open = openPartOf(after, days, openDate);
  const fits = Object.values(rest).every((amount) => (open ? amount >= 0 : amount === 0));
  return measurementOf(fits ? [...closed, ...(open ? rowsOf(open, days, rest) : [])] : rows);
}

const byDate = (rows: readonly AbsenceDay[]) => new Map(rows.map((row) => [row.date, row]));

const isSameRow = (one: AbsenceDay | undefined, other: AbsenceDay | undefined): boolean =>
  one?.seconds === other?.seconds && one?.parts === other?.parts;

/** The rest of a custom amount after its closed dates. */
const without = (
  { seconds, parts }: Partial<AbsenceAmount>,
  closed: readonly AbsenceDay[],
): Partial<AbsenceAmount> => ({
  ...(seconds === undefined ? {} : { seconds: seconds - sumOf(closed, (row) => row.seconds) }),
  ...(parts === undefined ? {} : { parts: parts - sumOf(closed, (row) => row.parts) }),
});

/** The open dates of an absence with a custom amount; undefined where it has none. */
function openPartOf(absence: Measurable, { zone }: UserDays, openDate: LocalDate): Measurable | undefined {
  const { from, to } = absence.dates ?? datesOf(absence, zone);
  const start = startOfLocalDay(openDate, zone);
  if (absence.full_day ? to < openDate : absence.ends_at <= start) return undefined;
  const starts_at = absence.starts_at < start ? start : absence.starts_at;
  return { ...absence, starts_at, dates: { from: latestOf([from, openDate]), to } };
}
