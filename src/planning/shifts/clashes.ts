import type { LocalDate } from '../../days/calendar/dates.ts';
import { endOfLocalDay, localDay, startOfLocalDay } from '../../platform/core/time.ts';
import type { RuleSettings } from '../../organisation/workspaces/rule_settings.ts';
import { restLimitOn, sameDayGapSeconds } from '../../working_time/working_time_rules/rules.ts';

/* What keeps a user from a shift: an absence, another shift at the same time, or too little rest. */

interface Span {
  readonly starts_at: Date;
  readonly ends_at: Date;
}

/** A shift or recorded work, with the settings of its workspace. */
export interface Duty extends Span {
  readonly isShift: boolean;
  readonly settings: RuleSettings;
}

export interface AbsenceSpan extends Span {
  readonly isConfirmed: boolean;
  readonly halfStart: boolean;
  readonly halfEnd: boolean;
  readonly zone: string;
}

/** A user as far as a shift asks. `duties` are near the shift, without it. */
export interface Candidate {
  readonly birthday: LocalDate | null;
  readonly duties: readonly Duty[];
  readonly absences: readonly AbsenceSpan[];
}

export type Clash =
  | { readonly kind: 'absence'; readonly absence: AbsenceSpan }
  | { readonly kind: 'shift'; readonly shift: Span }
  | { readonly kind: 'rest'; readonly side: 'before' | 'after'; readonly seconds: number; readonly limit: number };

/** Everything that keeps a user from a shift. */
export const clashesOf = (shift: Duty, candidate: Candidate, zone: string): Clash[] => [
  ...candidate.absences
    .filter((absence) => overlap(shift, withoutHalfDays(absence)))
    .map((absence): Clash => ({ kind: 'absence', absence })),
  ...candidate.duties
    .filter((duty) => duty.isShift && overlap(shift, duty))
    .map((duty): Clash => ({ kind: 'shift', shift: duty })),
  ...restClashes(shift, candidate, zone),
];

const overlap = (one: Span, other: Span): boolean => one.starts_at < other.ends_at && other.starts_at < one.ends_at;

/** Half of a first or last day leaves time to work. */
const withoutHalfDays = ({ starts_at, ends_at, halfStart, halfEnd, zone }: AbsenceSpan): Span => ({
  starts_at: halfStart ? endOfLocalDay(localDay(starts_at, zone), zone) : starts_at,
  ends_at: halfEnd ? startOfLocalDay(localDay(ends_at, zone), zone) : ends_at,
});

/** Only the nearest work on either side counts: what lies beyond it is its own matter. */
function restClashes(shift: Duty, { birthday, duties }: Candidate, zone: string): Clash[] {
  const before = duties
    .filter(({ ends_at }) => ends_at <= shift.starts_at)
    .reduce<Duty | undefined>((last, duty) => (last && last.ends_at >= duty.ends_at ? last : duty), undefined);
  const after = duties
    .filter(({ starts_at }) => starts_at >= shift.ends_at)
    .reduce<Duty | undefined>((first, duty) => (first && first.starts_at <= duty.starts_at ? first : duty), undefined);
  const between = (earlier: Duty, later: Duty, side: 'before' | 'after'): Clash[] => {
    const seconds = (later.starts_at.getTime() - earlier.ends_at.getTime()) / 1000;
    const limit = restLimitOn(localDay(later.starts_at, zone), birthday, later.settings.minimum_rest_hours).seconds;
    const isShort =
      seconds >= sameDayGapSeconds && seconds < limit && later.settings.working_time_rules.includes('short_rest');
    return isShort ? [{ kind: 'rest', side, seconds, limit }] : [];
  };
  return [...(before ? between(before, shift, 'before') : []), ...(after ? between(shift, after, 'after') : [])];
}
