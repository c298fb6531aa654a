import type { Cell, ColumnOf, Table } from '../table.ts';
import { cellsOf } from '../table.ts';

const pageRows = 1_000;

/** A table of records, which are read page by page by their ids. `isRead` is told how many are done. */
export function tableOfRecords<Row>(
  columns: readonly ColumnOf<Row>[],
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
  isRead: (share: number) => void,
): Table {
  return { columns, pages: pagesOf(columns, ids, read, isRead) };
}

async function* pagesOf<Row>(
  columns: readonly ColumnOf<Row>[],
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
  isRead: (share: number) => void,
): AsyncGenerator<Cell[][]> {
  for (let start = 0; start < ids.length; start += pageRows) {
    const rows = await read(ids.slice(start, start + pageRows));
    yield rows.map((row) => cellsOf(columns, row));
    isRead(Math.min(1, (start + pageRows) / ids.length));
  }
}
