import { sumOf } from './amounts.ts';
import { calendarDay, type UserCalendar } from './calendar_day.ts';
import { creditsOfDay, type AbsenceCredits, type AbsenceOfDay } from './credits_of_day.ts';
import { addDays, datesIn, type DateRange, type LocalDate } from './dates.ts';
import { noWork, type Figures, type WorkOfDay } from './work_of_day.ts';

/* What was owed, worked and credited on each day, and the balance of it. All amounts are seconds. */

/** Everything that the time account of a user depends on. A day without work, absences or entries has no element. */
export interface TimeAccount {
  readonly calendar: UserCalendar;
  /** The balance with which the account starts. */
  readonly initialBalance: number;
  readonly work: ReadonlyMap<LocalDate, WorkOfDay>;
  /** The confirmed absences. */
  readonly absences: ReadonlyMap<LocalDate, readonly AbsenceOfDay[]>;
  readonly entries: ReadonlyMap<LocalDate, readonly TimeAccountEntry[]>;
  /** The days of closed months. They stay as they were when the month was closed. */
  readonly closed?: ReadonlyMap<LocalDate, LedgerDay>;
}

export interface TimeAccountEntry {
  readonly kind: 'correction' | 'payout' | 'opening';
  /** Negative where it takes time off the account. */
  readonly seconds: number;
}

/** One day of the ledger. */
export interface LedgerDay extends WorkOfDay {
  readonly date: LocalDate;
  /** The target, which unpaid leave has lowered. */
  readonly target: number;
  readonly credits: AbsenceCredits;
  /** The credits of sickness, special leave and vacation together. */
  readonly absenceCredit: number;
  readonly holidayCredit: number;
  /** The counted work and all credits. */
  readonly charged: Figures;
  /** The sum of the entries, payouts included. */
  readonly adjustment: number;
  /** The time that was paid out: positive where it takes time off the account. */
  readonly payout: number;
  /** By how much the day changes the balance. */
  readonly change: Figures;
  /** The balance at the end of the day. */
  readonly balance: Figures;
  /** The title of the holiday. */
  readonly holiday: string | null;
  readonly absenceIds: readonly number[];
}

/** The ledger of a range of days, given the balance at its beginning. */
export function dayLedgerAfter(account: TimeAccount, range: DateRange, opening: Figures): LedgerDay[] {
  let balance = opening;
  return datesIn(range).map((date) => {
    const day = ledgerDay(account, date, balance);
    balance = day.balance;
    return day;
  });
}

/** A balance at the beginning of a day. */
export interface KnownBalance {
  readonly date: LocalDate;
  readonly balance: Figures;
}

/** The balance with which an account starts, at the beginning of `start_of_accounting`. */
const initialBalanceOf = ({ calendar, initialBalance }: TimeAccount): KnownBalance => ({
  date: calendar.start_of_accounting,
  balance: { all: initialBalance, confirmed: initialBalance },
});

/** The balance at the beginning of a day: the initial one, or one that is known, and all changes since. */
export function balanceBefore(account: TimeAccount, date: LocalDate, known = initialBalanceOf(account)): Figures {
  return datesIn({ from: known.date, to: addDays(date, -1) }).reduce<Figures>(
    (balance, earlier) => ledgerDay(account, earlier, balance).balance,
    known.balance,
  );
}

/** The target, the work and the credits of one day. A day before `start_of_accounting` changes no balance. */
function ledgerDay(account: TimeAccount, date: LocalDate, opening: Figures): LedgerDay {
  const closed = account.closed?.get(date);
  if (closed) return closed;
  const day = calendarDay(account.calendar, date);
  const { worked, breaks, isConfirmed, timeTrackingIds } = account.work.get(date) ?? noWork;
  const absences = account.absences.get(date) ?? [];
  const entries = account.entries.get(date) ?? [];
  const credits = creditsOfDay(day, absences);
  const target = day.target - credits.unpaid;
  const absenceCredit = credits.sickness + credits.special + credits.vacation;
  const adjustment = sumOf(entries, ({ seconds }) => seconds);
  const charged = eachFigure(
    worked,
    (seconds) => (day.isLimited ? Math.min(seconds, target) : seconds) + absenceCredit + day.holidayCredit,
  );
  const isAccounted = date >= account.calendar.start_of_accounting;
  const change = eachFigure(charged, (seconds) => (isAccounted ? seconds + adjustment - target : 0));
  return {
    date,
    target,
    worked,
    breaks,
    isConfirmed,
    timeTrackingIds,
    credits,
    absenceCredit,
    holidayCredit: day.holidayCredit,
    charged,
    adjustment,
    payout: sumOf(entries, ({ kind, seconds }) => (kind === 'payout' ? 0 - seconds : 0)),
    change,
    balance: { all: opening.all + change.all, confirmed: opening.confirmed + change.confirmed },
    holiday: day.holiday?.title ?? null,
    absenceIds: absences.map(({ id }) => id),
  };
}

const eachFigure = ({ all, confirmed }: Figures, change: (amount: number) => number): Figures => ({
  all: change(all),
  confirmed: change(confirmed),
});
