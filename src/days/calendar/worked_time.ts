import { twoDecimals } from './rounding.ts';

/** A span of time. Without an end it still lasts. */
export interface Span {
  readonly starts_at: Date;
  readonly ends_at: Date | null;
}

/** The columns that the worked time of a time tracking depends on. */
export interface Worked extends Span {
  readonly force_custom_break_duration: boolean;
  readonly custom_break_s: number | null;
  /** A break without times that is added to the others. */
  readonly manual_pause_min: number | null;
  readonly breaks: readonly Span[];
}

/** The whole seconds of a span: up to now while it lasts, 0 before it starts. */
export function secondsOf({ starts_at, ends_at }: Span, now: Date): number {
  return Math.max(0, Math.floor(((ends_at ?? now).getTime() - starts_at.getTime()) / 1000));
}

/** Decimal hours with two decimals. */
export const hoursOf = (seconds: number): number => twoDecimals(seconds, [3600]);

/** The seconds of all breaks; null if there are none. */
export const secondsOfBreaks = (breaks: readonly Span[], now: Date): number | null =>
  breaks.length === 0 ? null : breaks.reduce((sum, pause) => sum + secondsOf(pause, now), 0);

/** Whether a break takes the place of the breaks that have times. */
const isForced = ({ force_custom_break_duration, custom_break_s }: Omit<Worked, 'breaks'>): boolean =>
  force_custom_break_duration && custom_break_s !== null;

/** `break_duration`: the forced seconds if there are any, otherwise those of all breaks, and the manual pause. Null without any. */
export function breakDuration(tracking: Worked, now: Date): number | null {
  const seconds = isForced(tracking) ? tracking.custom_break_s : secondsOfBreaks(tracking.breaks, now);
  return tracking.manual_pause_min === null ? seconds : (seconds ?? 0) + tracking.manual_pause_min * 60;
}

/** The break duration where a part of it has no times, and null otherwise. All of it then counts as one break without times. */
export const breakWithoutTimes = (tracking: Worked, now: Date): number | null =>
  isForced(tracking) || (tracking.manual_pause_min ?? 0) > 0 ? breakDuration(tracking, now) : null;

/**
 * Gross, break and net seconds. A forced break may be longer than a time tracking that has just started. It then counts only
 * as far as time has passed, so that the net time is never negative.
 */
export function workedSeconds(tracking: Worked, now: Date): { gross: number; pause: number; net: number } {
  const gross = secondsOf(tracking, now);
  const pause = Math.min(gross, breakDuration(tracking, now) ?? 0);
  return { gross, pause, net: gross - pause };
}
