import { describe, expect, it } from 'vitest';
import { absenceDays, type AbsenceKind } from '../../../src/days/calendar/absence_days.ts';
import type { AbsenceOfDay } from '../../../src/days/calendar/credits_of_day.ts';
import { balanceBefore, dayLedgerAfter, type TimeAccount } from '../../../src/days/calendar/day_ledger.ts';
import { ledgerTotals } from '../../../src/days/calendar/ledger_totals.ts';
import type { WorkOfDay } from '../../../src/days/calendar/work_of_day.ts';
import { calendarOf, holidaysOn, hour, mondayToFriday, onEach } from './calendars.ts';
import { dayLedger, workByDate } from '../../support/ledger.ts';

const monday = '2026-05-04';
const accountOf = (other: Partial<TimeAccount> = {}): TimeAccount => ({
  calendar: calendarOf({ start_of_accounting: monday }),
  initialBalance: 0,
  work: new Map(),
  absences: new Map(),
  entries: new Map(),
  ...other,
});
const worked = (hours: number, confirmed = hours): WorkOfDay => ({
  worked: { all: hours * hour, confirmed: confirmed * hour },
  breaks: 0,
  isConfirmed: confirmed === hours,
  timeTrackingIds: [],
});
const absent = (...list: [AbsenceKind, number][]): AbsenceOfDay[] =>
  list.map(([kind, hours], index) => ({ id: index + 1, kind, seconds: hours * hour }));

const dayOf = (other: Partial<TimeAccount>, date = monday) => dayLedger(accountOf(other), { from: date, to: date })[0]!;
const hoursOnMonday = (absences: AbsenceOfDay[], calendar = calendarOf({ start_of_accounting: monday })) => {
  const { target, absenceCredit, holidayCredit, change } = dayOf({ calendar, absences: new Map([[monday, absences]]) });
  return [target, absenceCredit, holidayCredit, change.all].map((seconds) => seconds / hour);
};

describe('work', () => {
  it('belongs to the local day on which it begins, a night shift to March', () => {
    const shift = {
      id: 'a',
      starts_at: new Date('2026-03-31T22:00:00+02:00'),
      net: 7.5 * hour,
      breaks: hour / 2,
      isConfirmed: true,
    };
    const work = workByDate([shift], 'Europe/Berlin');
    expect([...work.keys()]).toEqual(['2026-03-31']);
    const account = accountOf({ work, calendar: calendarOf({ start_of_accounting: '2026-03-30' }) });
    expect(ledgerTotals(dayLedger(account, { from: '2026-03-01', to: '2026-03-31' })).worked.all).toBe(7.5 * hour);
    expect(ledgerTotals(dayLedger(account, { from: '2026-04-01', to: '2026-04-30' })).worked.all).toBe(0);
  });

  it('belongs to the local day also where that is another one in UTC', () => {
    const early = {
      id: 'a',
      starts_at: new Date('2026-05-04T00:30:00+02:00'),
      net: hour,
      breaks: 0,
      isConfirmed: true,
    };
    expect([...workByDate([early], 'Europe/Berlin').keys()]).toEqual(['2026-05-04']);
    expect([...workByDate([early], 'America/New_York').keys()]).toEqual(['2026-05-03']);
  });

  it('has two figures: all that is finished, and what is confirmed', () => {
    const day = dayOf({ work: new Map([[monday, worked(9, 6)]]), initialBalance: 2 * hour });
    expect([day.change, day.balance, day.isConfirmed]).toEqual([
      { all: hour, confirmed: -2 * hour },
      { all: 3 * hour, confirmed: 0 },
      false,
    ]);
  });

  it('counts at most the target where that is limited', () => {
    const limited = { ...mondayToFriday, target_limited: true };
    const calendar = calendarOf({ start_of_accounting: monday, target_hours: [limited] });
    expect(dayOf({ calendar, work: new Map([[monday, worked(9)]]) }).change.all).toBe(0);
    expect(dayOf({ calendar, work: new Map([['2026-05-09', worked(9)]]) }, '2026-05-09').change.all).toBe(0);
    expect(dayOf({ calendar, work: new Map([[monday, worked(7)]]) }).change.all).toBe(-hour);
  });

  it('lists what it is made of', () => {
    const tracking = { starts_at: new Date('2026-05-04T08:00:00Z'), net: hour, breaks: 60, isConfirmed: true };
    const work = workByDate(
      [
        { ...tracking, id: 'a' },
        { ...tracking, id: 'b', isConfirmed: false },
      ],
      'UTC',
    );
    expect(dayOf({ work })).toMatchObject({
      timeTrackingIds: ['a', 'b'],
      breaks: 120,
      isConfirmed: false,
      worked: { all: 2 * hour, confirmed: hour },
    });
  });
});

describe('credits', () => {
  it.each<[string, [AbsenceKind, number][], number[]]>([
    ['nothing', [], [8, 0, 0, -8]],
    ['vacation', [['vacation', 8]], [8, 8, 0, 0]],
    ['sickness', [['sickness', 8]], [8, 8, 0, 0]],
    ['half a special day', [['special', 4]], [8, 4, 0, -4]],
    ['unpaid leave lowers the target', [['unpaid', 8]], [0, 0, 0, 0]],
    ['half a day unpaid', [['unpaid', 4]], [4, 0, 0, -4]],
    ['time off in lieu uses up the balance', [['overtime', 8]], [8, 0, 0, -8]],
    [
      'the larger of two of one kind',
      [
        ['vacation', 4],
        ['vacation', 6],
      ],
      [8, 6, 0, -2],
    ],
    [
      'at most the target',
      [
        ['vacation', 6],
        ['sickness', 6],
      ],
      [8, 8, 0, 0],
    ],
    [
      'at most the target that unpaid leave leaves',
      [
        ['unpaid', 6],
        ['sickness', 8],
      ],
      [2, 2, 0, 0],
    ],
    ['a custom amount, at most the target', [['vacation', 12]], [8, 8, 0, 0]],
  ])('%s', (_, absences, hours) => {
    expect(hoursOnMonday(absent(...absences))).toEqual(hours);
  });

  it('go to sickness first, then to special leave, then to vacation', () => {
    const absences = new Map([[monday, absent(['vacation', 8], ['special', 4], ['sickness', 6])]]);
    expect(dayOf({ absences }).credits).toEqual({
      sickness: 6 * hour,
      special: 2 * hour,
      vacation: 0,
      unpaid: 0,
      overtime: 0,
    });
  });

  it('are nothing on a day without a target', () => {
    const saturday = '2026-05-09';
    expect(dayOf({ absences: new Map([[saturday, absent(['vacation', 8])]]) }, saturday).change.all).toBe(0);
  });
});

describe('holidays', () => {
  const calendar = calendarOf({ start_of_accounting: monday, holidays: holidaysOn([monday, 0.5]) });

  it('credit the target × factor', () => {
    expect(hoursOnMonday([], calendar)).toEqual([8, 0, 4, -4]);
    expect(dayOf({ calendar }).holiday).toBe('Holiday');
    expect(dayOf({ calendar: { ...calendar, holidays: holidaysOn('2026-05-09') } }, '2026-05-09').change.all).toBe(0);
  });

  it('credit custom hours × factor with the option custom, on days with a target', () => {
    const custom = { ...calendar, customHolidaySeconds: 6 * hour };
    expect(hoursOnMonday([], custom)).toEqual([8, 0, 3, -5]);
    const weekend = { ...custom, holidays: holidaysOn('2026-05-09') };
    expect(dayOf({ calendar: weekend }, '2026-05-09').holidayCredit).toBe(0);
  });

  it('and absences together credit the target once', () => {
    expect(hoursOnMonday(absent(['vacation', 4], ['sickness', 4]), calendar)).toEqual([8, 4, 4, 0]);
  });
});

describe('hours of a vacation day', () => {
  const longDays = calendarOf({ start_of_accounting: monday, customVacationSeconds: 10 * hour });

  it('may credit more or less than the target', () => {
    expect(hoursOnMonday(absent(['vacation', 10]), longDays)).toEqual([8, 10, 0, 2]);
    const shortDays = { ...longDays, customVacationSeconds: 6 * hour };
    expect(hoursOnMonday(absent(['vacation', 6]), shortDays)).toEqual([8, 6, 0, -2]);
  });

  it('shrink with what sickness takes of the day', () => {
    expect(hoursOnMonday(absent(['vacation', 10], ['sickness', 4]), longDays)).toEqual([8, 9, 0, 1]);
    expect(hoursOnMonday(absent(['vacation', 10], ['sickness', 8]), longDays)).toEqual([8, 8, 0, 0]);
  });
});

describe('the balance', () => {
  const week = accountOf({ initialBalance: 5 * hour, work: onEach(monday, '2026-05-08', worked(8.5)) });

  it('is the initial one and all changes since the start of accounting', () => {
    const ledger = dayLedger(week, { from: '2026-05-06', to: '2026-05-09' });
    expect(ledger.map(({ balance }) => balance.all / hour)).toEqual([6.5, 7, 7.5, 7.5]);
    expect(balanceBefore(week, monday)).toEqual({ all: 5 * hour, confirmed: 5 * hour });
  });

  it('continues from a balance that is given', () => {
    const opening = { all: 100, confirmed: 50 };
    const [day] = dayLedgerAfter(week, { from: '2026-05-06', to: '2026-05-06' }, opening);
    expect(day!.balance).toEqual({ all: 100 + hour / 2, confirmed: 50 + hour / 2 });
  });

  it('does not change before the start of accounting', () => {
    const early = accountOf({ initialBalance: hour, work: onEach('2026-04-30', '2026-04-30', worked(3)) });
    const [day] = dayLedger(early, { from: '2026-04-30', to: monday });
    expect([day!.worked.all, day!.target, day!.change.all, day!.balance.all]).toEqual([3 * hour, 0, 0, hour]);
  });

  it('grows with work after the end of the contract, when nothing is owed', () => {
    const calendar = calendarOf({ start_of_accounting: monday, end_of_contract: monday });
    expect(dayOf({ calendar, work: onEach('2026-05-05', '2026-05-05', worked(2)) }, '2026-05-05').change.all).toBe(
      2 * hour,
    );
  });

  it('follows entries, of which payouts are named', () => {
    const entries = new Map([
      [
        monday,
        [
          { kind: 'payout' as const, seconds: -10 * hour },
          { kind: 'correction' as const, seconds: hour },
        ],
      ],
    ]);
    const day = dayOf({ entries, work: onEach(monday, monday, worked(8)) });
    expect([day.adjustment, day.payout, day.change.all].map((seconds) => seconds / hour)).toEqual([-9, 10, -9]);
  });

  it('is its beginning and the changes of the range', () => {
    const range = { from: '2026-05-05', to: '2026-05-12' };
    const ledger = dayLedger(week, range);
    const { change, charged, target } = ledgerTotals(ledger);
    expect(balanceBefore(week, range.from).all + change.all).toBe(ledger.at(-1)!.balance.all);
    expect(charged.all - target).toBe(change.all);
  });
});

describe('a week with a holiday, vacation and sickness', () => {
  it('is balanced', () => {
    const calendar = calendarOf({ start_of_accounting: monday, holidays: holidaysOn('2026-05-07') });
    const vacation = absenceDays(
      {
        full_day: true,
        dates: { from: monday, to: '2026-05-10' },
        half_start: false,
        half_end: false,
        kind: 'vacation',
      },
      calendar,
    );
    const absences = new Map(
      vacation.map(({ date, seconds }) => [
        date,
        [
          { id: 1, kind: 'vacation' as const, seconds },
          ...(date <= '2026-05-05' ? [{ id: 2, kind: 'sickness' as const, seconds }] : []),
        ],
      ]),
    );
    const ledger = dayLedger(accountOf({ calendar, absences }), { from: monday, to: '2026-05-10' });
    expect(ledger.map(({ change }) => change.all)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(ledgerTotals(ledger)).toMatchObject({ absenceCredit: 32 * hour, holidayCredit: 8 * hour });
  });
});
