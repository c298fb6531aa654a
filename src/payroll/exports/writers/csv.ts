import { stringify, type Options } from 'csv-stringify/sync';
import type { Cell, Column, Language, Table } from '../table.ts';

/*
 * CSV as spreadsheets of each language open it with a double click: German ones want a semicolon, a decimal comma and a byte
 * order mark. Numbers stay numbers.
 */

/** Every line that a spreadsheet would take for a formula gets an apostrophe in front, also where its reader knows no quotation marks. */
const defused = (text: string): string => text.replaceAll(/^(?=[=+\-@\t\r＝＋－＠])/gm, "'");

const common = { record_delimiter: 'windows', quoted_match: /[\r\n]/ } as const;

const forms: Readonly<Record<Language, Options>> = {
  de: {
    ...common,
    delimiter: ';',
    cast: { string: defused, number: (value) => numberText(value).replace('.', ',') },
  },
  en: {
    ...common,
    delimiter: ',',
    cast: { string: defused, number: (value) => numberText(value) },
  },
};

/** Not in exponential form, which spreadsheets of few languages read. */
const numberText = (value: number): string => String(Number(value.toFixed(4)));

/** The bytes of a table as CSV, a piece for each page. */
export async function* csvOf({ columns, pages }: Table, language: Language): AsyncGenerator<Buffer> {
  const form = forms[language];
  yield Buffer.from(stringify([columns.map(({ heading }) => heading[language])], { ...form, bom: language === 'de' }));
  for await (const page of pages)
    yield Buffer.from(
      stringify(
        page.map((row) => row.map((cell, index) => shown(cell, columns[index]!, language))),
        form,
      ),
    );
}

const flags = { de: { true: 'ja', false: 'nein' }, en: { true: 'yes', false: 'no' } } as const;

function shown(cell: Cell, { kind }: Column, language: Language): string | number | null {
  if (typeof cell === 'boolean') return flags[language][`${cell}`];
  if (kind === 'time' && typeof cell === 'string') return cell.replace('T', ' ');
  return cell;
}
