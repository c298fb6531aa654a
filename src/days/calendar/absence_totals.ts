import { sumOf } from './amounts.ts';
import type { AbsenceAmount, AbsenceDay, AbsenceKind } from './absence_days.ts';
import { compareDates, isInRange, type DateRange, type LocalDate } from './dates.ts';

/** The part of one date that an absence takes, with its kind. */
export interface AbsenceDayOfKind extends AbsenceDay {
  readonly kind: AbsenceKind;
}

/** The amount of absences inside a range. A date that two absences of one kind cover counts once, with the larger amount. */
export function absenceTotal(days: Iterable<AbsenceDayOfKind>, range: DateRange): AbsenceAmount {
  const larger = new Map<string, AbsenceAmount>();
  for (const { date, kind, ...amount } of days) {
    if (!isInRange(date, range)) continue;
    const key = `${kind} ${date}`;
    larger.set(key, largerOf(amount, larger.get(key)));
  }
  return {
    seconds: sumOf(larger.values(), ({ seconds }) => seconds),
    parts: sumOf(larger.values(), ({ parts }) => parts),
  };
}

/**
 * The parts of days that vacation costs on each date, in the order of the dates. A date with sickness costs nothing, however
 * short the sickness is.
 */
export function vacationByDate(days: readonly AbsenceDayOfKind[]): Map<LocalDate, number> {
  const sick = new Set(days.filter(({ kind }) => kind === 'sickness').map(({ date }) => date));
  const byDate = new Map<LocalDate, number>();
  const costly = days.filter(({ kind, date }) => kind === 'vacation' && !sick.has(date));
  for (const { date, parts } of costly.toSorted((one, other) => compareDates(one.date, other.date)))
    byDate.set(date, Math.max(parts, byDate.get(date) ?? 0));
  return byDate;
}

const largerOf = (one: AbsenceAmount, other: AbsenceAmount = one): AbsenceAmount => ({
  seconds: Math.max(one.seconds, other.seconds),
  parts: Math.max(one.parts, other.parts),
});
