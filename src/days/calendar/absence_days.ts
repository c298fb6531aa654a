import { spread, wholeDay, wholeQuotient } from './amounts.ts';
import { calendarDay, type UserCalendar } from './calendar_day.ts';
import { datesIn, type DateRange, type LocalDate } from './dates.ts';
import { localPieces, secondsIn, type ClosedSpan } from './local_pieces.ts';

/* How much of each of its dates an absence takes. */

/** All are measured alike. `overtime` and `other` credit nothing. */
export type AbsenceKind = 'vacation' | 'sickness' | 'special' | 'unpaid' | 'overtime' | 'other';

/** Seconds, and ten-thousandths of days. */
export interface AbsenceAmount {
  readonly seconds: number;
  readonly parts: number;
}

/** The part of one date that an absence takes. */
export interface AbsenceDay extends AbsenceAmount {
  readonly date: LocalDate;
}

export type MeasuredAbsence = (FullDays | PiecesOfDays) & {
  readonly kind: AbsenceKind;
  /** Amounts that a request has set. They stay as given, and are spread over the dates. */
  readonly custom?: Partial<AbsenceAmount>;
};

/** Whole days. They are dates, not moments, so that no zone takes part in measuring them. */
export interface FullDays {
  readonly full_day: true;
  readonly dates: DateRange;
  readonly half_start: boolean;
  readonly half_end: boolean;
}

/** From one moment to another, in the zone of the user. */
export interface PiecesOfDays extends ClosedSpan {
  readonly full_day: false;
  readonly zone: string;
}

/** One row per date of an absence, also for dates on which it takes nothing. */
export function absenceDays(absence: MeasuredAbsence, calendar: UserCalendar): AbsenceDay[] {
  const measured = absence.full_day ? fullDays(absence, absence.kind, calendar) : piecesOfDays(absence, calendar);
  return absence.custom ? withCustomAmount(measured, absence.custom, calendar) : measured;
}

/** Each date with a target counts 1 − holiday factor days. */
function fullDays({ dates, half_start, half_end }: FullDays, kind: AbsenceKind, calendar: UserCalendar): AbsenceDay[] {
  const rows = datesIn(dates).map((date) => {
    const { openParts, openTarget, vacationSeconds } = calendarDay(calendar, date);
    return { date, seconds: kind === 'vacation' ? vacationSeconds : openTarget, parts: openParts };
  });
  const first = rows.findIndex(({ parts }) => parts > 0);
  const last = rows.findLastIndex(({ parts }) => parts > 0);
  return rows.map((row, index) =>
    (half_start && index === first) || (half_end && index === last) ? halfOf(row) : row,
  );
}

const halfOf = ({ date, seconds, parts }: AbsenceDay): AbsenceDay => ({
  date,
  seconds: wholeQuotient(seconds, 2),
  parts: wholeQuotient(parts, 2),
});

/** Each piece counts at most the date's target × (1 − holiday factor), and as much of a day as it is of the target. */
const piecesOfDays = ({ zone, ...span }: PiecesOfDays, calendar: UserCalendar): AbsenceDay[] =>
  localPieces(span, zone).map((piece) => {
    const { target, openTarget } = calendarDay(calendar, piece.date);
    const seconds = Math.min(secondsIn(piece), openTarget);
    return { date: piece.date, seconds, parts: target > 0 ? wholeQuotient(seconds * wholeDay, target) : 0 };
  });

/** Spreads the given amounts over the dates, in proportion to what holidays leave of their targets. */
function withCustomAmount(
  rows: readonly AbsenceDay[],
  custom: Partial<AbsenceAmount>,
  calendar: UserCalendar,
): AbsenceDay[] {
  const weights = rows.map(({ date }) => calendarDay(calendar, date).openTarget);
  const seconds = custom.seconds === undefined ? undefined : spread(custom.seconds, weights);
  const parts = custom.parts === undefined ? undefined : spread(custom.parts, weights);
  return rows.map((row, index) => ({
    date: row.date,
    seconds: seconds?.[index] ?? row.seconds,
    parts: parts?.[index] ?? row.parts,
  }));
}
