import { remember } from '../../platform/core/remember.ts';
import { startOfLocalDay } from '../../platform/core/time.ts';
import { addDays, utcDateOf, type LocalDate } from './dates.ts';

/** A span of time with both ends. The end itself is not part of it. */
export interface ClosedSpan {
  readonly starts_at: Date;
  readonly ends_at: Date;
}

/** The piece of a span that lies on one local day. */
export interface LocalPiece extends ClosedSpan {
  readonly date: LocalDate;
}

/** A local day, from its first moment to that of the next one. Many users share a zone and its days. */
export const localDaySpan = remember(
  { limit: 10_000, keyOf: (date, zone) => `${zone} ${date}` },
  (date: LocalDate, zone: string): ClosedSpan => ({
    starts_at: startOfLocalDay(date, zone),
    ends_at: startOfLocalDay(addDays(date, 1), zone),
  }),
);

/** The local day on which a moment lies. Work has many moments, so it goes by the remembered days instead of asking the zone. */
export function localDateOf(time: Date, zone: string): LocalDate {
  const date = utcDateOf(time);
  const { starts_at, ends_at } = localDaySpan(date, zone);
  return time < starts_at ? addDays(date, -1) : time < ends_at ? date : addDays(date, 1);
}

/** Cuts a span at local midnights. A day that the span only touches with its end has no piece. */
export function localPieces(span: ClosedSpan, zone: string): LocalPiece[] {
  const pieces: LocalPiece[] = [];
  let { starts_at } = span;
  for (let date = localDateOf(starts_at, zone); starts_at < span.ends_at; date = addDays(date, 1)) {
    const ends_at = earlier(span.ends_at, localDaySpan(date, zone).ends_at);
    // A day that the zone skips is empty.
    if (starts_at < ends_at) pieces.push({ date, starts_at, ends_at });
    starts_at = ends_at;
  }
  return pieces;
}

/** The whole seconds of a span; 0 where it ends before it starts. */
export const secondsIn = ({ starts_at, ends_at }: ClosedSpan): number =>
  Math.max(0, Math.floor((ends_at.getTime() - starts_at.getTime()) / 1000));

export const overlapOf = (one: ClosedSpan, other: ClosedSpan): ClosedSpan => ({
  starts_at: later(one.starts_at, other.starts_at),
  ends_at: earlier(one.ends_at, other.ends_at),
});

const later = (one: Date, other: Date): Date => (one > other ? one : other);
const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
