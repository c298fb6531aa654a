import fc from 'fast-check';
import type { AbsenceKind, MeasuredAbsence } from '../../../src/days/calendar/absence_days.ts';
import type { UserCalendar } from '../../../src/days/calendar/calendar_day.ts';
import type { DateRange } from '../../../src/days/calendar/dates.ts';
import type { TimeAccountEntry } from '../../../src/days/calendar/day_ledger.ts';
import type { Holiday, Holidays } from '../../../src/days/calendar/holidays.ts';
import type { ClosedSpan } from '../../../src/days/calendar/local_pieces.ts';
import type { FreeTargetHour, TargetHour, WeeklyTargetHour } from '../../../src/days/calendar/target_of_day.ts';
import type { VacationEntitlement } from '../../../src/days/calendar/vacation/entitlement_spending.ts';
import type { Worked } from '../../../src/days/calendar/worked_time.ts';
import { printedDays, turned } from './printed_calendar.ts';
import { daysOfChange } from './watched_clock.ts';

/* Random users, their absences and their work, around unusual days of calendars and clocks. */

/** A user as the time account reads them, before holidays are merged. */
export interface Person extends Omit<UserCalendar, 'holidays'> {
  readonly start_of_work: string | null;
  readonly calendarHolidays: Holidays;
  readonly ownHolidays: readonly (Holiday & { readonly date: string })[];
}

export type ScenarioTracking = Worked & ClosedSpan & { readonly id: string; readonly isConfirmed: boolean };

export interface Scenario {
  readonly zone: string;
  readonly anchor: string;
  readonly range: DateRange;
  readonly person: Person;
  readonly initialBalance: number;
  readonly absences: readonly (MeasuredAbsence & { readonly id: number; readonly isConfirmed: boolean })[];
  readonly trackings: readonly ScenarioTracking[];
  readonly entries: readonly (TimeAccountEntry & { readonly date: string })[];
  readonly entitlements: readonly VacationEntitlement[];
}

export const zones = [
  'Europe/Berlin',
  'Atlantic/Azores',
  'America/Havana',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'America/New_York',
  'America/Santiago',
  'Pacific/Chatham',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
];

const [firstYear, lastYear] = [2008, 2034];
const hour = 3600;

/** The value in a quarter of the cases. */
const sometimes = <Value, Nil>(value: fc.Arbitrary<Value>, nil: Nil): fc.Arbitrary<Value | Nil> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(nil) }, value);

const whole = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });

/** Mostly quarters of an hour, sometimes odd seconds. */
const secondsUpTo = (hours: number): fc.Arbitrary<number> =>
  fc.oneof({ weight: 3, arbitrary: whole(0, hours * 4).map((quarters) => quarters * 900) }, whole(0, hours * hour));

/** Ends of years and of Februaries, the day that Samoa skipped, changes of clocks, and any other day. */
function anchorIn(zone: string): fc.Arbitrary<string> {
  const changes = daysOfChange(zone, firstYear, lastYear);
  const inRange = printedDays.filter(({ year }) => year >= firstYear && year <= lastYear);
  const special = inRange.filter(
    ({ month, day }) => (month === 2 && day >= 28) || (month === 12 && day === 31) || (month === 1 && day === 1),
  );
  return fc.oneof(
    fc.constantFrom(...inRange).map(({ date }) => date),
    fc.constantFrom(...special, ...special.filter(({ date }) => date === '2011-12-31')).map(({ date }) => date),
    fc.constantFrom(...(changes.length > 0 ? changes : ['2011-12-30'])),
  );
}

const dateNear = (anchor: string, before: number, after: number): fc.Arbitrary<string> =>
  whole(-before, after).map((days) => turned(anchor, days));

const weeklyHour: fc.Arbitrary<Omit<WeeklyTargetHour, 'start_date'>> = fc
  .record({
    isWorkday: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
    seconds: fc.oneof(
      fc.constant([0, 0, 0, 0, 0, 0, 0]),
      fc.array(secondsUpTo(12), { minLength: 7, maxLength: 7 }),
      fc.array(fc.constant(8 * hour), { minLength: 7, maxLength: 7 }),
    ),
    per_day: fc.boolean(),
    is_week: fc.boolean(),
    weekSeconds: secondsUpTo(60),
    is_month: fc.boolean(),
    monthSeconds: secondsUpTo(200),
    target_limited: fc.boolean(),
  })
  .map(({ isWorkday, seconds, ...rest }) => ({
    ...rest,
    rhythm_type: 'weekly',
    weekdays: isWorkday.map((is, index) => ({ isWorkday: is, seconds: seconds[index]! })),
  }));

const freeHour: fc.Arbitrary<Omit<FreeTargetHour, 'start_date'>> = fc.record({
  rhythm_type: fc.constant('free'),
  target_limited: fc.boolean(),
  cycle: fc.array(fc.oneof(fc.constant(0), secondsUpTo(12)), { minLength: 1, maxLength: 31 }),
});

const targetHours = (anchor: string): fc.Arbitrary<TargetHour[]> =>
  fc
    .uniqueArray(
      fc
        .tuple(fc.oneof({ weight: 3, arbitrary: weeklyHour }, freeHour), dateNear(anchor, 120, 15))
        .map(([target, start_date]): TargetHour => ({ ...target, start_date })),
      { maxLength: 3, selector: ({ start_date }) => start_date },
    )
    .map((list) => list.sort((one, other) => (one.start_date < other.start_date ? -1 : 1)));

const holiday = (anchor: string): fc.Arbitrary<Holiday & { date: string }> =>
  fc.record({
    date: dateNear(anchor, 15, 15),
    title: fc.constantFrom('Founding Day', 'Harvest Day', 'Christmas Eve'),
    factor: fc.constantFrom(1, 1, 0.5, 0.25, 0.3333),
  });

const person = (anchor: string): fc.Arbitrary<Person> =>
  fc.record({
    start_of_accounting: fc.oneof(dateNear(anchor, 100, 0), dateNear(anchor, 10, 10)),
    start_of_work: fc.option(dateNear(anchor, 500, 100)),
    end_of_contract: fc.option(fc.oneof(dateNear(anchor, 10, 10), dateNear(anchor, 0, 300))),
    target_hours: targetHours(anchor),
    calendarHolidays: fc
      .array(holiday(anchor), { maxLength: 3 })
      .map((list) => new Map(list.map(({ date, title }) => [date, { title, factor: 1 }]))),
    ownHolidays: fc.array(holiday(anchor), { maxLength: 3 }),
    customHolidaySeconds: sometimes(secondsUpTo(12), null),
    customVacationSeconds: sometimes(secondsUpTo(12), null),
  });

/** A span of some seconds that starts some seconds after the anchor day begins in UTC. */
const spanNear = (anchor: string, longest: number): fc.Arbitrary<ClosedSpan> =>
  fc
    .tuple(
      fc.oneof(
        whole(-10 * 96, 10 * 96).map((quarters) => quarters * 900),
        whole(-2 * 86_400, 2 * 86_400),
      ),
      secondsUpTo(longest),
    )
    .map(([start, length]) => {
      const starts_at = new Date(Date.parse(anchor) + start * 1000);
      return { starts_at, ends_at: new Date(starts_at.getTime() + Math.max(1, length) * 1000) };
    });

const kinds: readonly AbsenceKind[] = ['vacation', 'vacation', 'sickness', 'special', 'unpaid', 'overtime', 'other'];

const absence = (anchor: string, zone: string): fc.Arbitrary<MeasuredAbsence> => {
  const shared = {
    kind: fc.constantFrom(...kinds),
    custom: sometimes(
      fc.record({ seconds: secondsUpTo(60), parts: whole(0, 80_000) }, { requiredKeys: [] }),
      undefined,
    ),
  };
  return fc.oneof(
    fc.record({
      ...shared,
      full_day: fc.constant(true as const),
      dates: fc
        .tuple(dateNear(anchor, 12, 12), fc.oneof(whole(0, 14), whole(0, 14), whole(0, 60)))
        .map(([from, days]) => ({ from, to: turned(from, days) })),
      half_start: fc.boolean(),
      half_end: fc.boolean(),
    }),
    fc
      .tuple(fc.record(shared), spanNear(anchor, 60))
      .map(([rest, span]) => ({ ...rest, ...span, full_day: false as const, zone })),
  );
};

/** Breaks are inside the tracking and do not overlap. */
const tracking = (anchor: string): fc.Arbitrary<Omit<ScenarioTracking, 'id'>> =>
  fc
    .record({
      span: fc.oneof({ weight: 4, arbitrary: spanNear(anchor, 14) }, spanNear(anchor, 40)),
      cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
      forced: sometimes(secondsUpTo(2), null),
      manual: sometimes(whole(0, 90), null),
      isConfirmed: fc.boolean(),
    })
    .map(({ span, cuts, forced, manual, isConfirmed }) => {
      const length = span.ends_at.getTime() - span.starts_at.getTime();
      const at = (cut: number): Date => new Date(span.starts_at.getTime() + Math.floor((cut * length) / 1000) * 1000);
      const sorted = cuts.toSorted((one, other) => one - other);
      const breaks = [0, 2]
        .filter((index) => index + 1 < sorted.length)
        .map((index) => ({ starts_at: at(sorted[index]!), ends_at: at(sorted[index + 1]!) }));
      return {
        ...span,
        breaks,
        force_custom_break_duration: forced !== null,
        custom_break_s: forced,
        manual_pause_min: manual,
        isConfirmed,
      };
    });

const entitlement = (anchor: string): fc.Arbitrary<Omit<VacationEntitlement, 'id'>> =>
  fc
    .record({
      starts_at: fc.oneof(dateNear(anchor, 400, 20), fc.constant(`${anchor.slice(0, 4)}-01-01`)),
      length: fc.oneof(whole(0, 400), fc.constant(364)),
      plannedParts: fc.oneof(
        whole(0, 40).map((quarters) => quarters * 2500),
        whole(0, 50_000),
      ),
      expires: fc.boolean(),
      transfer_remaining: fc.boolean(),
      transferDays: fc.option(whole(1, 100)),
    })
    .map(({ length, transferDays, ...rest }) => {
      const ends_at = turned(rest.starts_at, length);
      return {
        ...rest,
        ends_at,
        end_of_transfer_period: transferDays === null ? null : turned(ends_at, transferDays),
      };
    });

const numbered = <Item>(items: readonly Item[]): (Item & { id: number })[] =>
  items.map((item, index) => ({ ...item, id: index + 1 }));

const inZone = (zone: string): fc.Arbitrary<Scenario> =>
  anchorIn(zone).chain((anchor) =>
    fc.record({
      zone: fc.constant(zone),
      anchor: fc.constant(anchor),
      range: fc.tuple(whole(0, 14), whole(0, 14)).map(([before, after]) => ({
        from: turned(anchor, -before),
        to: turned(anchor, after),
      })),
      person: person(anchor),
      initialBalance: whole(-360_000, 360_000),
      absences: fc
        .array(fc.tuple(absence(anchor, zone), fc.boolean()), { maxLength: 5 })
        .map((list) => numbered(list.map(([measured, isConfirmed]) => ({ ...measured, isConfirmed })))),
      trackings: fc
        .array(tracking(anchor), { maxLength: 6 })
        .map((list) => list.map((one, index) => ({ ...one, id: `t${index}` }))),
      entries: fc.array(
        fc.record({
          date: dateNear(anchor, 14, 14),
          kind: fc.constantFrom('correction', 'payout', 'opening'),
          seconds: whole(-72_000, 72_000),
        }),
        { maxLength: 3 },
      ),
      entitlements: fc.array(entitlement(anchor), { maxLength: 4 }).map(numbered),
    }),
  );

/** A user with absences, work, entries and entitlements, in one of the zones. */
export const anyScenario: fc.Arbitrary<Scenario> = fc.oneof(...zones.map(inZone));
