import { absenceTypesByIds } from '../absence_types/absence_types.ts';
import { absenceTotal } from '../calendar/absence_totals.ts';
import type { AbsenceAmount } from '../calendar/absence_days.ts';
import { isInRange, type DateRange } from '../calendar/dates.ts';
import { localDateOf } from '../calendar/local_pieces.ts';
import { ledgerTotals, type LedgerTotals } from '../calendar/ledger_totals.ts';
import { nightAndHolidayWork, workedSpans, type NightAndHolidayWork } from '../calendar/night_and_holiday_work.ts';
import type { Figures } from '../calendar/work_of_day.ts';
import { groupBy } from '../core/group_by.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { Selection } from '../db/list/list.ts';
import { breaksOfWork } from '../time_account/finished_work.ts';
import { requireRange } from '../time_account/ranges.ts';
import { ledgerOf, timeAccounts, type AccountInRange } from '../time_account/time_accounts.ts';
import { listSummarizedUsers, type SummarizedUser } from './summarized_users.ts';

/** What a user owed, worked and was credited in a range of days. Amounts are seconds. */
export interface UserSummary {
  readonly user: SummarizedUser;
  readonly totals: LedgerTotals;
  readonly opening: Figures;
  readonly nightAndHoliday: NightAndHolidayWork;
  readonly absences: readonly AbsencesOfType[];
}

/** The confirmed absences of one type. */
export interface AbsencesOfType extends AbsenceAmount {
  readonly type: { readonly id: number; readonly title: string; readonly kind: string };
}

/** One page of summaries, of the users whom the actor may read in full and of leavers. */
export async function listUserSummaries(db: Db, actor: WorkspaceActor, range: DateRange, selection: Selection) {
  requireRange(range);
  const { accountId } = actor;
  const { rows: users, paging } = await listSummarizedUsers(db, actor, range, selection);
  const userIds = users.map(({ id }) => id);
  const accounts = await timeAccounts(db, accountId, userIds, range);
  const parts = users.map((user) => ({ user, ...partsInRange(accounts.get(user.id)!, range) }));
  const breaks = await breaksOfWork(
    db,
    accountId,
    parts.flatMap(({ work }) => work),
  );
  const typeIds = parts.flatMap(({ absences }) => absences.map(({ absence_type_id }) => absence_type_id));
  const types = await absenceTypesByIds(db, actor, [...new Set(typeIds)]);
  const rows = parts.map(({ user, account, work, absences }): UserSummary => {
    const spans = work.flatMap((tracking) =>
      workedSpans({ ...tracking, breaks: breaks.get(tracking.trackingId) ?? [] }),
    );
    const byType = groupBy(absences, ({ absence_type_id }) => absence_type_id);
    return {
      user,
      totals: ledgerTotals(ledgerOf(account, range)),
      opening: account.opening,
      nightAndHoliday: nightAndHolidayWork(spans, {
        zone: account.days.zone,
        holidays: account.days.calendar.holidays,
      }),
      absences: types
        .filter(({ id }) => byType.has(id))
        .map((type) => ({ type, ...absenceTotal(byType.get(type.id)!, range) })),
    };
  });
  return { rows, paging };
}

/** The part of an account that lies in the range. It holds everything since the start of accounting. */
const partsInRange = (account: AccountInRange, range: DateRange) => ({
  account,
  work: account.work.filter(({ starts_at }) => isInRange(localDateOf(starts_at, account.days.zone), range)),
  absences: account.absences.filter(({ date }) => isInRange(date, range)),
});
