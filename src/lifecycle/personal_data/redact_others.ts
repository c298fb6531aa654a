/* Rows of a copy without the names of other people. */

export type Row = Readonly<Record<string, unknown>>;

/** A row without some of its columns. */
export const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/** Notes of the service begin with the name of the one who acted. The history has the same with their id. */
export const copiedNote = (row: Row): Row =>
  row['type'] === 'SystemNote' ? without(row, ['content', 'author']) : without(row, ['author']);

/** Deleted records have the rows of notes and attachments. */
export const copiedDeletedRecord = (row: Row): Row => ({
  ...without(row, ['deleted_by']),
  stored_rows: Object.fromEntries(
    Object.entries(row['stored_rows'] as Record<string, readonly Row[]>).map(([table, rows]) => [
      table,
      table === 'notes'
        ? rows.map(copiedNote)
        : table === 'attachments'
          ? rows.map((item) => without(item, ['author']))
          : rows,
    ]),
  ),
});

/** Messages begin with the name of the one who acted. */
export const copiedEvent = (row: Row): Row =>
  row['record_type'] === 'notification' ? { ...row, changes: without(row['changes'] as Row, ['message']) } : row;
