import type { LocalDate } from '../calendar/dates.ts';
import type { KnownBalance } from '../calendar/day_ledger.ts';

/** A stored balance: that of a user at the beginning of a day. */
export interface BalanceRow {
  readonly user_id: number;
  readonly date: LocalDate;
  readonly all_s: number;
  readonly confirmed_s: number;
}

/** The balances of stored rows, by the user's id. */
export const balancesIn = (rows: readonly BalanceRow[]): ReadonlyMap<number, KnownBalance> =>
  new Map(
    rows.map(({ user_id, date, all_s, confirmed_s }) => [
      user_id,
      { date, balance: { all: all_s, confirmed: confirmed_s } },
    ]),
  );
