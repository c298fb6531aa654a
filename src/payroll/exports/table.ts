/* What an export consists of, before a writer gives it the form of a file. */

/** The languages of headings and of the forms of numbers. */
export const languages = ['de', 'en'] as const;
export type Language = (typeof languages)[number];

/** The language of a locale, such as `de-AT`. */
export const languageIn = (locale: string): Language => (locale.startsWith('de') ? 'de' : 'en');

export type Cell = string | number | boolean | null;

/** `hours` are numbers with two decimals, `day` and `time` texts in ISO form, without a zone. */
export type CellKind = 'text' | 'number' | 'hours' | 'day' | 'time' | 'flag';

export interface Column {
  readonly heading: Readonly<Record<Language, string>>;
  readonly kind: CellKind;
}

/** Rows in pages, so that no more than one page is in memory. */
export interface Table {
  readonly columns: readonly Column[];
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** A column together with how its value is read from a row. */
export interface ColumnOf<Row> extends Column {
  readonly value: (row: Row) => Cell;
}

/** A column of a table of such rows. */
export const column = <Row>(en: string, de: string, kind: CellKind, value: (row: Row) => Cell): ColumnOf<Row> => ({
  heading: { en, de },
  kind,
  value,
});

/** The cells of a row. */
export const cellsOf = <Row>(columns: readonly ColumnOf<Row>[], row: Row): Cell[] =>
  columns.map(({ value }) => value(row));
