import type { Database } from './sections.ts';

/** One line of the table: what was tried or measured, how much of it, and how often it failed. */
export interface Line {
  readonly section: string;
  readonly database: Database;
  readonly what: string;
  readonly count: number;
  readonly failures: number;
}

const columns: readonly [string, (line: Line) => string, 'left' | 'right'][] = [
  ['section', ({ section }) => section, 'left'],
  ['database', ({ database }) => database, 'left'],
  ['what', ({ what }) => what, 'left'],
  ['count', ({ count }) => count.toLocaleString('en'), 'right'],
  ['failures', ({ failures }) => failures.toLocaleString('en'), 'right'],
];

/** The figures of all sections as plain text. */
export function tableOf(lines: readonly Line[]): string {
  const cells = columns.map(([title, value, side]) => {
    const texts = [title, ...lines.map(value)];
    const width = Math.max(...texts.map((text) => text.length));
    const [first, ...rest] = texts.map((text) => (side === 'left' ? text.padEnd(width) : text.padStart(width)));
    return [first!, '-'.repeat(width), ...rest];
  });
  return cells[0]!
    .map((_cell, row) =>
      cells
        .map((column) => column[row])
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
