import type { Language, Table } from '../table.ts';
import type { Sheet } from '../tables/timesheets.ts';

/** The type of a file of each format. */
export const contentTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  txt: 'text/plain',
} as const;

/* The packages are loaded when the first file of their format is made, so that a service starts without them. */

export async function* csv(table: Table, language: Language): AsyncGenerator<Buffer> {
  const { csvOf } = await import('./csv.ts');
  yield* csvOf(table, language);
}

export async function* xlsx(table: Table, language: Language, title: string): AsyncGenerator<Buffer> {
  const { xlsxOf } = await import('./xlsx.ts');
  yield* xlsxOf(table, language, title);
}

export async function* pdf(sheets: AsyncIterable<Sheet>, language: Language): AsyncGenerator<Buffer> {
  const { pdfOf } = await import('./pdf.ts');
  yield* pdfOf(sheets, language);
}
