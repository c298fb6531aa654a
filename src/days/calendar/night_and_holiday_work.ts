import { remember } from '../../platform/core/remember.ts';
import { clockTimeOfDay } from '../../platform/core/time.ts';
import { sumOf } from './amounts.ts';
import { weekdayOf, type LocalDate } from './dates.ts';
import { isWhole, type Holidays } from './holidays.ts';
import { localDaySpan, localPieces, overlapOf, secondsIn, type LocalPiece, type ClosedSpan } from './local_pieces.ts';
import { breakWithoutTimes, workedSeconds, type Worked } from './worked_time.ts';

/** Net seconds of work at times for which many employers pay more. No second is both Sunday and holiday work. */
export interface NightAndHolidayWork {
  readonly nightFrom23: number;
  readonly nightFrom20: number;
  readonly sunday: number;
  readonly holiday: number;
}

const sunday = 6;

/** The work between 23 or 20 and 6 o'clock, on Sundays and on holidays, by the local clock while it is done. */
export function nightAndHolidayWork(
  work: readonly ClosedSpan[],
  { zone, holidays }: { readonly zone: string; readonly holidays: Holidays },
): NightAndHolidayWork {
  const pieces = work
    .flatMap((span) => localPieces(span, zone))
    .map((piece) => ({
      ...piece,
      seconds: secondsIn(piece),
      isHoliday: isWhole(holidays.get(piece.date)),
    }));
  return {
    nightFrom23: sumOf(pieces, (piece) => nightSeconds(piece, nightsOf(piece.date, zone).from23)),
    nightFrom20: sumOf(pieces, (piece) => nightSeconds(piece, nightsOf(piece.date, zone).from20)),
    sunday: sumOf(pieces, ({ date, seconds, isHoliday }) => (weekdayOf(date) === sunday && !isHoliday ? seconds : 0)),
    holiday: sumOf(pieces, ({ seconds, isHoliday }) => (isHoliday ? seconds : 0)),
  };
}

/** The spans in which a finished time tracking is worked. A break without times lies in the middle. */
export function workedSpans(tracking: Worked & ClosedSpan): ClosedSpan[] {
  const { starts_at, ends_at, breaks } = tracking;
  if (breakWithoutTimes(tracking, ends_at) !== null) {
    const { pause, net } = workedSeconds(tracking, ends_at);
    const pauseStart = new Date(starts_at.getTime() + Math.floor(net / 2) * 1000);
    const pauseEnd = new Date(pauseStart.getTime() + pause * 1000);
    return nonEmpty([
      { starts_at, ends_at: pauseStart },
      { starts_at: pauseEnd, ends_at },
    ]);
  }
  const pauses = breaks.toSorted((one, other) => one.starts_at.getTime() - other.starts_at.getTime());
  const starts = [starts_at, ...pauses.map((pause) => pause.ends_at ?? ends_at)];
  const ends = [...pauses.map((pause) => pause.starts_at), ends_at];
  return nonEmpty(starts.map((start, index) => ({ starts_at: start, ends_at: ends[index]! })));
}

const nonEmpty = (spans: readonly ClosedSpan[]): ClosedSpan[] => spans.filter((span) => secondsIn(span) > 0);

const nightSeconds = (piece: LocalPiece, night: readonly ClosedSpan[]): number =>
  sumOf(night, (span) => secondsIn(overlapOf(piece, span)));

/** The parts of a local day that are night: before 6 o'clock, and from 23 or 20 o'clock on. */
const nightsOf = remember(
  { limit: 10_000, keyOf: (date, zone) => `${zone} ${date}` },
  (date: LocalDate, zone: string) => {
    const { starts_at, ends_at } = localDaySpan(date, zone);
    const morning = { starts_at, ends_at: clockTimeOfDay(date, 6, zone) };
    const eveningFrom = (hour: number): ClosedSpan => ({ starts_at: clockTimeOfDay(date, hour, zone), ends_at });
    return { from23: [morning, eveningFrom(23)], from20: [morning, eveningFrom(20)] };
  },
);
