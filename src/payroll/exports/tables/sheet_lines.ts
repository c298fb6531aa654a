import { hundredthsOf, sumOf, wholeQuotient } from '../../../days/calendar/amounts.ts';
import type { SheetDay } from './timesheets.ts';

/*
 * The amounts of a timesheet as they are printed, in hundredths of an hour, such that a reader can follow the balance with a pencil:
 * what was worked and credited, and adjustments, less the target and what does not count, is the change of the balance. Each of
 * these adds up to its rounded sum. What is then left to the rounded balance at the end is a line of its own.
 */

export interface SheetLine {
  readonly breaks: number;
  readonly worked: number;
  readonly target: number;
  readonly credits: number;
  readonly adjustment: number;
  /** Work beyond a limited target, and before accounting starts. */
  readonly uncounted: number;
  readonly change: number;
}

export interface SheetLines {
  readonly opening: number;
  readonly days: readonly (SheetLine & { readonly balance: number })[];
  readonly totals: SheetLine;
  readonly rounding: number;
  readonly closing: number;
}

const secondsOf = {
  breaks: (day: SheetDay) => day.breaks,
  worked: (day: SheetDay) => day.worked.all,
  target: (day: SheetDay) => day.target,
  credits: (day: SheetDay) => day.absenceCredit + day.holidayCredit,
  adjustment: (day: SheetDay) => day.adjustment,
  uncounted: (day: SheetDay) =>
    day.worked.all + day.absenceCredit + day.holidayCredit + day.adjustment - day.target - day.change.all,
};

const hourSeconds = 3600;

/** The printed amounts of the days of a sheet, which has at least one. */
export function sheetLines(days: readonly SheetDay[]): SheetLines {
  const [first, last] = [days[0]!, days.at(-1)!];
  const column = (name: keyof typeof secondsOf): number[] => hundredthsOf(days.map(secondsOf[name]), hourSeconds);
  const [breaks, worked, target] = [column('breaks'), column('worked'), column('target')];
  const [credits, adjustment, uncounted] = [column('credits'), column('adjustment'), column('uncounted')];
  const opening = wholeQuotient(100 * (first.balance.all - first.change.all), hourSeconds);
  let balance = opening;
  const lines = days.map((_, index) => {
    const line = {
      breaks: breaks[index]!,
      worked: worked[index]!,
      target: target[index]!,
      credits: credits[index]!,
      adjustment: adjustment[index]!,
      uncounted: uncounted[index]!,
    };
    const change = line.worked + line.credits + line.adjustment - line.target - line.uncounted;
    balance += change;
    return { ...line, change, balance };
  });
  const total = (name: keyof SheetLine): number => sumOf(lines, (line) => line[name]);
  const closing = wholeQuotient(100 * last.balance.all, hourSeconds);
  return {
    opening,
    days: lines,
    totals: {
      ...{ breaks: total('breaks'), worked: total('worked'), target: total('target'), credits: total('credits') },
      ...{ adjustment: total('adjustment'), uncounted: total('uncounted'), change: total('change') },
    },
    rounding: closing - balance,
    closing,
  };
}
