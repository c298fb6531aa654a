import type { ClosedDay } from '../../time_account/closed_day.ts';
import type { Sums } from '../../time_account/period_sums.ts';
import { absenceTypeIn, type WageTypeRow } from '../../wage_types/wage_types.ts';
import { inCp1252 } from './characters.ts';
import type { ClosedMonth, DatevMonth } from './months.ts';

/* The two text files that DATEV programs read: cp1252, lines that end with CR and LF, decimal commas. */

/** The seconds, or ten-thousandths of a day, of a wage type in a month or on a day. */
function amountOf({ source, unit }: WageTypeRow, sums: Sums): number {
  const typeId = absenceTypeIn(source);
  if (typeId !== undefined) {
    const absences = sums.absences.find((one) => one.typeId === typeId);
    return (unit === 'days' ? absences?.parts : absences?.seconds) ?? 0;
  }
  return figures[source]!(sums);
}

const figures: Readonly<Record<string, (sums: Sums) => number>> = {
  net: ({ totals }) => totals.worked.all,
  target: ({ totals }) => totals.target,
  overtime: ({ totals }) => Math.max(0, totals.change.all),
  payout: ({ totals }) => totals.payout,
  night_23_6: ({ nightAndHoliday }) => nightAndHoliday.nightFrom23,
  night_20_6: ({ nightAndHoliday }) => nightAndHoliday.nightFrom20,
  sunday: ({ nightAndHoliday }) => nightAndHoliday.sunday,
  holiday: ({ nightAndHoliday }) => nightAndHoliday.holiday,
};

/** A number with two decimals and a comma. */
const decimal = (amount: number, unit: string): string =>
  (amount / (unit === 'days' ? 10_000 : 3600)).toFixed(2).replace('.', ',');

const dayMonthYear = (date: string): string => date.split('-').toReversed().join('/');

/** LODAS: an amount of the month for each user and wage type. */
export const lodasFile = (month: DatevMonth): Buffer =>
  inCp1252([
    '[Allgemein]',
    'Ziel=LODAS',
    'Version_SST=1.0',
    `BeraterNr=${month.consultantNumber}`,
    `MandantenNr=${month.clientNumber}`,
    'Datumsformat=TT/MM/JJJJ',
    'Feldtrennzeichen=;',
    'Zahlenkomma=,',
    '[Satzbeschreibung]',
    '1;u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;pnr#bwd;la_eigene#bwd;bs_nr#bwd;bs_wert_butab#bwd;kostenstelle#bwd;',
    '[Bewegungsdaten]',
    ...month.months.flatMap((user) =>
      amountsOf(month.wageTypes, user.sums).map(
        ({ type, amount }) =>
          `1;${dayMonthYear(month.range.from)};${user.staffNumber};${type.number};${type.unit === 'days' ? 2 : 1};${decimal(amount, type.unit)};${user.costCentre};`,
      ),
    ),
  ]);

/** The wage types that have an amount. */
const amountsOf = (wageTypes: readonly WageTypeRow[], sums: Sums): { type: WageTypeRow; amount: number }[] =>
  wageTypes.map((type) => ({ type, amount: amountOf(type, sums) })).filter(({ amount }) => amount !== 0);

/** These are figures of a month. Those of single days add up to something else. */
const monthly = ['overtime', 'payout'];

const mostSecondsPerLine = 24 * 3600;

/** Lohn und Gehalt: an amount of each day for each user and wage type. Amounts of a month have no day. */
export const lohnUndGehaltFile = (month: DatevMonth): Buffer => {
  const { consultantNumber, clientNumber, range, wageTypes, months } = month;
  const ofMonth = wageTypes.filter(({ source }) => monthly.includes(source));
  const ofDays = wageTypes.filter(({ source }) => !monthly.includes(source));
  return inCp1252([
    `${consultantNumber};${clientNumber};${range.from.slice(5, 7)}/${range.from.slice(0, 4)}`,
    ...months.flatMap((user) => [
      ...user.days.flatMap((day) => lineOf(user, ofDays, sumsOf(day), day.date.slice(8))),
      ...lineOf(user, ofMonth, user.sums, ''),
    ]),
  ]);
};

const lineOf = (user: ClosedMonth, types: readonly WageTypeRow[], sums: Sums, day: string): string[] =>
  amountsOf(types, sums).flatMap(({ type, amount }) =>
    pieces(amount, type.unit).map((piece) => {
      const value = decimal(piece, type.unit);
      const [hours, days] = type.unit === 'days' ? ['', value] : [value, ''];
      return [user.staffNumber, day, type.absence_key ?? '', type.number, hours, days, '', '', '', user.costCentre, ''].join(';'); // prettier-ignore
    }),
  );

/** A line holds at most 24 hours. */
function pieces(amount: number, unit: string): number[] {
  if (unit === 'days' || amount <= mostSecondsPerLine) return [amount];
  return [mostSecondsPerLine, ...pieces(amount - mostSecondsPerLine, unit)];
}

/** The sums of a single day. */
const sumsOf = (day: ClosedDay): Sums => ({
  totals: day,
  nightAndHoliday: day.nightAndHoliday,
  absences: day.absences,
});
