import type { RecordedWork } from '../../../src/working_time/working_time_rules/working_days.ts';
import { shownDate, watch } from '../time_account/watched_clock.ts';
import type { Scenario } from './scenarios.ts';

/*
 * A second implementation of the working-time rules. It cuts time into slices at every start, end and midnight, decides about
 * each slice by looking at all time trackings, and counts slices. It shares no code with the rules.
 */

export interface Found {
  readonly rule: string;
  readonly paragraph: string | null;
  readonly date: string;
  readonly timeTrackingId: number;
  readonly workspaceId: number;
  readonly limitSeconds: number;
  readonly valueSeconds: number;
  readonly elsewhereSeconds: number;
}

interface Slice {
  readonly seconds: number;
  readonly date: string;
  /** The first time tracking that has it. */
  readonly owner: RecordedWork;
  /** The number of breaks before it. */
  readonly stretch: number;
}

interface Day {
  readonly date: string;
  readonly first: RecordedWork;
  readonly from: number;
  readonly to: number;
  readonly slices: readonly Slice[];
  readonly breaks: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const secondsOf = (slices: readonly Slice[]): number => sum(slices.map(({ seconds }) => seconds));
const hours = (count: number): number => count * 3600;

export function oracle(scenario: Scenario): Found[] {
  const { zone, birthday, settings, now } = scenario;
  const ordered = [...scenario.trackings].sort((a, b) => a.from - b.from || a.id - b.id);
  const dates = datesOf(ordered, zone);
  const days = [...new Set(ordered.filter(({ to }) => to !== null).map(({ id }) => dates.get(id)!))].map((date) =>
    dayOf(
      date,
      ordered.filter(({ id, to }) => to !== null && dates.get(id) === date),
      scenario,
    ),
  );
  const isYoung = (date: string): boolean =>
    birthday !== null && Number(date.replaceAll('-', '')) - Number(birthday.replaceAll('-', '')) < 180000;
  const found: Found[] = [];
  const add = (
    rule: Scenario['settings'][1]['working_time_rules'][number],
    date: string,
    law: readonly [number, string | null],
    by: RecordedWork,
    value: number,
    slices: readonly Slice[] = [],
  ) => {
    if (!settings[by.workspaceId]!.working_time_rules.includes(rule)) return;
    const elsewhere = secondsOf(slices.filter(({ owner }) => owner.workspaceId !== by.workspaceId));
    const [limitSeconds, paragraph] = law;
    found.push({
      ...{ rule, paragraph, date, timeTrackingId: by.id, workspaceId: by.workspaceId },
      ...{ limitSeconds, valueSeconds: value, elsewhereSeconds: elsewhere },
    });
  };

  days.forEach((day, index) => {
    const { date, slices, breaks } = day;
    const net = secondsOf(slices);
    const young = isYoung(date);
    const most = young ? hours(8) : hours(10);
    if (net > most)
      add('long_work', date, [most, young ? '§ 8 JArbSchG' : '§ 3 ArbZG'], passing(slices, most), net, slices);
    const law = young ? '§ 11 JArbSchG' : '§ 4 ArbZG';
    const [long, short] = young
      ? ([
          { work: hours(6), rest: 3600 },
          { work: hours(4.5), rest: 1800 },
        ] as const)
      : ([
          { work: hours(9), rest: 2700 },
          { work: hours(6), rest: 1800 },
        ] as const);
    const broken =
      net > long.work && breaks < long.rest ? long : net > short.work && breaks < short.rest ? short : undefined;
    if (broken) add('short_breaks', date, [broken.rest, law], passing(slices, broken.work), breaks, slices);
    const stretches = [...new Set(slices.map(({ stretch }) => stretch))].map((number) =>
      slices.filter(({ stretch }) => stretch === number),
    );
    const tooLong = stretches.filter((stretch) => secondsOf(stretch) > hours(6));
    if (tooLong.length > 0)
      add(
        'long_stretch',
        date,
        [hours(6), '§ 4 ArbZG'],
        passing(tooLong[0]!, hours(6)),
        Math.max(...tooLong.map(secondsOf)),
        slices,
      );
    const earlier = days.slice(0, index);
    const rest = Math.min(...earlier.map(({ to }) => day.from - to));
    const least = young ? hours(12) : hours(settings[day.first.workspaceId]!.minimum_rest_hours);
    if (rest < least) add('short_rest', date, [least, young ? '§ 13 JArbSchG' : '§ 5 ArbZG'], day.first, rest);
    const isRestDay = (shown: string): boolean =>
      new Date(`${shown}T12:00:00Z`).getUTCDay() === 0 ||
      scenario.holidays.some(([holiday, factor]) => holiday === shown && factor === 1);
    const resting = slices.filter((slice) => isRestDay(slice.date));
    if (resting.length > 0) add('sunday_work', date, [0, '§ 9 ArbZG'], resting[0]!.owner, secondsOf(resting), resting);
    if (net > 0 && scenario.absentOn.includes(date))
      add('absence_work', date, [0, null], slices[0]!.owner, net, slices);
  });

  for (const monday of new Set(days.map(({ date }) => mondayBefore(date)))) {
    const week = days.filter(({ date }) => mondayBefore(date) === monday);
    const slices = week.flatMap((day) => day.slices);
    const first = week.find((day, index) => {
      const soFar = secondsOf(week.slice(0, index + 1).flatMap((other) => other.slices));
      return soFar > (isYoung(day.date) ? hours(40) : hours(60));
    });
    if (!first) continue;
    const law = isYoung(first.date) ? ([hours(40), '§ 8 JArbSchG'] as const) : ([hours(60), '§ 3 ArbZG'] as const);
    add('long_week', monday, law, passing(slices, law[0]), secondsOf(slices), slices);
  }

  scenario.mondays.forEach((monday, index) => {
    const averaged = scenario.mondays.slice(index - 23, index + 1);
    if (index < 23 || averaged[0]! < scenario.startOfAccounting) return;
    const slices = days.filter(({ date }) => averaged.includes(mondayBefore(date))).flatMap((day) => day.slices);
    if (secondsOf(slices) / 24 <= hours(48)) return;
    const before = found.length;
    add('long_average', monday, [hours(48), '§ 3 ArbZG'], passing(slices, 24 * hours(48)), secondsOf(slices), slices);
    const [added] = found.splice(before);
    if (added)
      found.push({
        ...added,
        valueSeconds: Math.ceil(added.valueSeconds / 24),
        elsewhereSeconds: Math.ceil(added.elsewhereSeconds / 24),
      });
  });

  const ends = (work: RecordedWork): number => work.to ?? Math.max(now, work.from);
  for (const date of new Set(dates.values())) {
    const ofDay = ordered.filter(({ id }) => dates.get(id) === date);
    const shared = ofDay.map((work) => {
      const before = ordered.slice(0, ordered.indexOf(work)).filter((other) => ends(other) > work.from);
      return before.length === 0 ? 0 : Math.min(ends(work), Math.max(...before.map(ends))) - work.from;
    });
    if (sum(shared) > 0)
      add('overlap', date, [0, null], ofDay[shared.findIndex((seconds) => seconds > 0)]!, sum(shared));
    const forgotten = ofDay.find(({ from, to }) => to === null && now - from > hours(16));
    if (forgotten) add('long_running', date, [hours(16), null], forgotten, now - forgotten.from);
  }
  return found;
}

/** The owner of the slice with which the work exceeds a number of seconds. */
function passing(slices: readonly Slice[], most: number): RecordedWork {
  for (let count = 1; ; count++) if (secondsOf(slices.slice(0, count)) > most) return slices[count - 1]!.owner;
}

/** The working day of each time tracking, by id. */
function datesOf(ordered: readonly RecordedWork[], zone: string): Map<number, string> {
  const dates = new Map<number, string>();
  ordered.forEach((work, index) => {
    const finished = ordered.slice(0, index).filter(({ to }) => to !== null);
    const isSoon = finished.some(({ to }) => work.from - to! < hours(2));
    dates.set(work.id, isSoon ? dates.get(finished.at(-1)!.id)! : shownDate(new Date(work.from * 1000), zone));
  });
  return dates;
}

function dayOf(date: string, trackings: readonly RecordedWork[], { zone, settings }: Scenario): Day {
  const [from, to] = [trackings[0]!.from, Math.max(...trackings.map((work) => work.to!))];
  const pauses = trackings.map((work) => ({ work, pauses: pausesOf(work) }));
  const looksAtDates = trackings.some(({ workspaceId }) =>
    settings[workspaceId]!.working_time_rules.includes('sunday_work'),
  );
  const cuts = [
    ...trackings.flatMap((work) => [work.from, work.to!]),
    ...pauses.flatMap((one) => one.pauses.flat()),
    ...(looksAtDates ? midnights(from, to, zone) : []),
  ].filter((cut) => cut >= from && cut <= to);
  const points = [...new Set(cuts)].sort((a, b) => a - b);
  const pieces = points.slice(1).map((end, index) => {
    const start = points[index]!;
    const having = pauses.filter(({ work }) => work.from <= start && start < work.to!);
    const isWorked = having.some((one) => one.pauses.every(([begin, stop]) => start < begin || start >= stop));
    return { start, seconds: end - start, owner: having[0]?.work, isWorked };
  });
  let breaks = 0;
  let stretch = 0;
  const slices: Slice[] = [];
  for (let index = 0; index < pieces.length;) {
    const { isWorked } = pieces[index]!;
    let next = index;
    while (next < pieces.length && pieces[next]!.isWorked === isWorked) next++;
    const run = pieces.slice(index, next);
    const length = sum(run.map(({ seconds }) => seconds));
    if (!isWorked && length >= 900) {
      breaks += length;
      stretch += 1;
    } else
      for (const { start, seconds, owner } of run)
        if (owner) slices.push({ seconds, owner, stretch, date: shownDate(new Date(start * 1000), zone) });
    index = next;
  }
  return { date, first: trackings[0]!, from, to, slices, breaks };
}

function pausesOf({ from, to, breaks, forcedBreak }: RecordedWork): (readonly [number, number])[] {
  if (forcedBreak === null) return breaks.map((pause) => [pause.from, pause.to] as const);
  const length = to! - from;
  if (forcedBreak >= length) return [[from, to!]];
  const before = Math.floor((length - forcedBreak) / 2);
  return [[from + before, from + before + forcedBreak]];
}

/** The moments between two at which the clock begins to show another date. */
function midnights(from: number, to: number, zone: string): number[] {
  const start = from - (from % 900);
  const seen = watch(new Date(start * 1000), new Date(to * 1000), zone);
  return seen.flatMap(({ date }, index) => (index > 0 && seen[index - 1]!.date !== date ? [start + index * 900] : []));
}

function mondayBefore(date: string): string {
  const day = new Date(`${date}T12:00:00Z`);
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}
