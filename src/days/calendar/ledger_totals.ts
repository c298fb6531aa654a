import { sumOf } from './amounts.ts';
import type { LedgerDay } from './day_ledger.ts';
import type { Figures } from './work_of_day.ts';

/** The sums of a ledger, in seconds. */
export interface LedgerTotals {
  readonly target: number;
  readonly worked: Figures;
  readonly breaks: number;
  readonly absenceCredit: number;
  readonly holidayCredit: number;
  readonly charged: Figures;
  readonly adjustment: number;
  readonly payout: number;
  readonly change: Figures;
}

/** The sums over the days of a ledger. */
export function ledgerTotals(days: readonly LedgerDay[]): LedgerTotals {
  const figures = (of: (day: LedgerDay) => Figures): Figures => ({
    all: sumOf(days, (day) => of(day).all),
    confirmed: sumOf(days, (day) => of(day).confirmed),
  });
  return {
    target: sumOf(days, ({ target }) => target),
    worked: figures(({ worked }) => worked),
    breaks: sumOf(days, ({ breaks }) => breaks),
    absenceCredit: sumOf(days, ({ absenceCredit }) => absenceCredit),
    holidayCredit: sumOf(days, ({ holidayCredit }) => holidayCredit),
    charged: figures(({ charged }) => charged),
    adjustment: sumOf(days, ({ adjustment }) => adjustment),
    payout: sumOf(days, ({ payout }) => payout),
    change: figures(({ change }) => change),
  };
}
