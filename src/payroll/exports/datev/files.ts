import type { ClosedDay, Sums } from '../../../days/balance/period_sums.ts';
import { hundredthsOf, wholeDay } from '../../../days/calendar/amounts.ts';
import { absenceTypeIn, type WageTypeRow } from '../../wage_types/wage_types.ts';
import { inCp1252 } from './characters.ts';
import type { ClosedMonth, DatevMonth } from './months.ts';

/* The two text files that DATEV programs read: cp1252, lines that end with CR and LF, decimal commas. */

/** The seconds, or parts of a day, of a wage type in a month or on a day. */
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

/** The amounts of a wage type in hundredths of hours or days, which add up to their rounded sum. */
const shownAmounts = (type: WageTypeRow, sums: readonly Sums[]): number[] =>
  hundredthsOf(
    sums.map((one) => amountOf(type, one)),
    type.unit === 'days' ? wholeDay : 3600,
  );

/** Hundredths as a number with two decimals and a comma. */
const decimal = (hundredths: number): string => (hundredths / 100).toFixed(2).replace('.', ',');

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
      month.wageTypes
        .map((type) => ({ type, amount: shownAmounts(type, [user.sums])[0]! }))
        .filter(({ amount }) => amount !== 0)
        .map(
          ({ type, amount }) =>
            `1;${dayMonthYear(month.range.from)};${user.staffNumber};${type.number};${type.unit === 'days' ? 2 : 1};${decimal(amount)};${user.costCentre};`,
        ),
    ),
  ]);

/** These are figures of a month. Those of single days add up to something else. */
const monthly = ['overtime', 'payout'];

/** 24 hours. */
const mostPerLine = 2400;

/** Lohn und Gehalt: an amount of each day for each user and wage type. Amounts of a month have no day. */
export const lohnUndGehaltFile = (month: DatevMonth): Buffer => {
  const { consultantNumber, clientNumber, range, wageTypes, months } = month;
  const ofMonth = wageTypes.filter(({ source }) => monthly.includes(source));
  const ofDays = wageTypes.filter(({ source }) => !monthly.includes(source));
  return inCp1252([
    `${consultantNumber};${clientNumber};${range.from.slice(5, 7)}/${range.from.slice(0, 4)}`,
    ...months.flatMap((user) => {
      const daily = user.days.map(sumsOf);
      const amounts = ofDays.map((type) => shownAmounts(type, daily));
      return [
        ...user.days.flatMap(({ date }, day) =>
          ofDays.flatMap((type, index) => linesOf(user, type, amounts[index]![day]!, date.slice(8))),
        ),
        ...ofMonth.flatMap((type) => linesOf(user, type, shownAmounts(type, [user.sums])[0]!, '')),
      ];
    }),
  ]);
};

/** The lines of an amount in hundredths. An amount that is rounded to nothing has none. */
const linesOf = (user: ClosedMonth, type: WageTypeRow, amount: number, day: string): string[] =>
  pieces(amount, type.unit).map((piece) => {
    const [hours, days] = type.unit === 'days' ? ['', decimal(piece)] : [decimal(piece), ''];
    return [user.staffNumber, day, type.absence_key ?? '', type.number, hours, days, '', '', '', user.costCentre, ''].join(';'); // prettier-ignore
  });

/** A line holds at most 24 hours. */
function pieces(amount: number, unit: string): number[] {
  if (amount === 0) return [];
  if (unit === 'days' || amount <= mostPerLine) return [amount];
  return [mostPerLine, ...pieces(amount - mostPerLine, unit)];
}

/** The sums of a single day. */
const sumsOf = (day: ClosedDay): Sums => ({
  totals: day,
  nightAndHoliday: day.nightAndHoliday,
  absences: day.absences,
});
