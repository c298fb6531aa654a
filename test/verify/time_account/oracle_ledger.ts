import type { AbsenceOfDay } from '../../../src/days/calendar/credits_of_day.ts';
import { creditsOn, dayOff } from './oracle_days.ts';
import { pageOf, pagesBetween } from './printed_calendar.ts';
import type { Scenario, ScenarioTracking } from './scenarios.ts';
import { shownDate, watch } from './watched_clock.ts';

/** The worked spans of a tracking, in order. */
function workedStretches(tracking: ScenarioTracking): [Date, Date][] {
  const { starts_at, ends_at, breaks } = tracking;
  const lost = secondsWithoutTimes(tracking);
  if (lost !== null) {
    const length = (ends_at.getTime() - starts_at.getTime()) / 1000;
    const net = Math.max(0, length - lost);
    const firstHalf = (net - (net % 2)) / 2;
    return [
      [starts_at, new Date(starts_at.getTime() + firstHalf * 1000)],
      [new Date(ends_at.getTime() - (net - firstHalf) * 1000), ends_at],
    ];
  }
  const stretches: [Date, Date][] = [];
  let begin = starts_at;
  for (const pause of breaks) {
    stretches.push([begin, pause.starts_at]);
    begin = pause.ends_at!;
  }
  return [...stretches, [begin, ends_at]];
}

/** How long somebody paused, where nobody knows when: forced, or with minutes that a manual pause adds to breaks with times. */
function secondsWithoutTimes(tracking: ScenarioTracking): number | null {
  const { breaks, force_custom_break_duration, custom_break_s, manual_pause_min } = tracking;
  const manual = (manual_pause_min ?? 0) * 60;
  if (force_custom_break_duration && custom_break_s !== null) return custom_break_s + manual;
  const timed = breaks.map((pause): [Date, Date] => [pause.starts_at, pause.ends_at!]);
  return manual === 0 ? null : secondsOf(timed) + manual;
}

const secondsOf = (stretches: readonly [Date, Date][]): number =>
  stretches.reduce((sum, [from, to]) => sum + (to.getTime() - from.getTime()) / 1000, 0);

/** The figures of each date of the range. The balance is summed from the very first day. */
export function ledgerRows(scenario: Scenario, confirmedAbsences: ReadonlyMap<string, readonly AbsenceOfDay[]>) {
  const { person, range, trackings, entries, zone } = scenario;
  const dated = trackings.map((tracking) => ({ ...tracking, date: shownDate(tracking.starts_at, zone) }));
  const first = person.start_of_accounting < range.from ? person.start_of_accounting : range.from;
  let [all, confirmed] = [scenario.initialBalance, scenario.initialBalance];
  return pagesBetween(first, range.to)
    .map(({ date }) => {
      const day = dayOff(person, date);
      const absences = confirmedAbsences.get(date) ?? [];
      const credits = creditsOn(day, absences);
      const work = dated.filter((tracking) => tracking.date === date);
      const net = (list: typeof work): number =>
        list.reduce((sum, tracking) => sum + secondsOf(workedStretches(tracking)), 0);
      const gross = work.reduce((sum, one) => sum + (one.ends_at.getTime() - one.starts_at.getTime()) / 1000, 0);
      const target = day.owed - credits.unpaid;
      const booked = entries.filter((entry) => entry.date === date);
      const adjustment = booked.reduce((sum, entry) => sum + entry.seconds, 0);
      const credit = credits.sickness + credits.special + credits.vacation + day.holidayCredit;
      const counted = (worked: number): number => (day.isLimited && worked > target ? target : worked) + credit;
      const [worked, confirmedWork] = [net(work), net(work.filter(({ isConfirmed }) => isConfirmed))];
      const counts = date >= person.start_of_accounting;
      const change = {
        all: counts ? counted(worked) - target + adjustment : 0,
        confirmed: counts ? counted(confirmedWork) - target + adjustment : 0,
      };
      all += change.all;
      confirmed += change.confirmed;
      return {
        date,
        target,
        worked: { all: worked, confirmed: confirmedWork },
        breaks: gross - worked,
        isConfirmed: work.every(({ isConfirmed }) => isConfirmed),
        timeTrackingIds: work.map(({ id }) => id),
        credits,
        absenceCredit: credit - day.holidayCredit,
        holidayCredit: day.holidayCredit,
        charged: { all: counted(worked), confirmed: counted(confirmedWork) },
        adjustment,
        payout: booked.reduce((sum, { kind, seconds }) => (kind === 'payout' ? sum - seconds : sum), 0),
        change,
        balance: { all, confirmed },
        holiday: day.title,
        absenceIds: absences.map(({ id }) => id),
      };
    })
    .filter(({ date }) => date >= range.from);
}

/** Night, Sunday and holiday work, by watching the clock. */
export function watchedWork({ trackings, zone, person }: Scenario) {
  const seen = trackings
    .flatMap(workedStretches)
    .filter(([from, to]) => from < to)
    .flatMap(([from, to]) => watch(from, to, zone));
  const secondsWhere = (isCounted: (quarter: (typeof seen)[number]) => boolean): number =>
    seen.filter(isCounted).reduce((sum, { seconds }) => sum + seconds, 0);
  const isHoliday = (date: string): boolean =>
    person.calendarHolidays.get(date)?.factor === 1 ||
    person.ownHolidays.some((own) => own.date === date && own.factor === 1);
  return {
    nightFrom23: secondsWhere(({ hour }) => hour === 23 || hour < 6),
    nightFrom20: secondsWhere(({ hour }) => hour >= 20 || hour < 6),
    sunday: secondsWhere(({ date }) => pageOf(date).weekday === 'Sun' && !isHoliday(date)),
    holiday: secondsWhere(({ date }) => isHoliday(date)),
  };
}
