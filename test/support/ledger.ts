import { balanceBefore, dayLedgerAfter, type LedgerDay, type TimeAccount } from '../../src/days/calendar/day_ledger.ts';
import { groupWorkByDate, type WorkOfDay } from '../../src/days/calendar/work_of_day.ts';
import type { DateRange, LocalDate } from '../../src/days/calendar/dates.ts';
import { localDateOf } from '../../src/days/calendar/local_pieces.ts';

/** The ledger of a range of days. */
export const dayLedger = (account: TimeAccount, range: DateRange): LedgerDay[] =>
  dayLedgerAfter(account, range, balanceBefore(account, range.from));

/** The work of each local day. A time tracking belongs to the day on which it begins. */
export const workByDate = (trackings: Parameters<typeof groupWorkByDate>[0], zone: string): Map<LocalDate, WorkOfDay> =>
  groupWorkByDate(trackings, ({ starts_at }) => localDateOf(starts_at, zone));
