import type { Figures, Rounds } from './rounds.ts';

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)]!;
  return sorted.length === 0 ? NaN : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** A column of words and columns of figures, as a table that is also Markdown. */
export function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]!.length)));
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [row(head), rule, ...lines.map(row)].join('\n');
}

const rate = (value: number): string => (Number.isNaN(value) ? '' : value >= 100 ? value.toFixed(0) : value.toFixed(1));
export const ratio = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(2));

/** The median of the ratios of two speeds. Each ratio compares two speeds of the same round. */
export function timesAsFast(
  figures: Figures,
  one: readonly [row: string, server: string],
  other: readonly [row: string, server: string],
): number {
  const speeds = ([row, server]: readonly [string, string]) => figures[row]?.[server]?.answersPerSecond ?? [];
  const base = speeds(other);
  return median(speeds(one).flatMap((speed, round) => (base[round] === undefined ? [] : [speed / base[round]])));
}

/** Rows of responses per second, the ratios between servers, and Punchcard's CPU time per response. */
export function figuresTable(
  figures: Figures,
  about: Readonly<Record<string, string>>,
  servers: readonly string[],
  ratios: readonly (readonly [one: string, other: string])[],
): string {
  const known = servers.filter((name) => Object.values(figures).some((byServer) => byServer[name] !== undefined));
  const compared = ratios.filter((pair) => pair.every((name) => known.includes(name)));
  const atWork = known.filter((name) => name === 'ours');
  const medianOf = (byServer: Record<string, Rounds>, name: string, what: keyof Rounds): number =>
    median(byServer[name]?.[what] ?? []);
  const lines = Object.entries(figures).map(([row, byServer]) => [
    about[row] ?? row,
    ...known.map((name) => rate(medianOf(byServer, name, 'answersPerSecond'))),
    ...compared.map(([one, other]) => ratio(timesAsFast(figures, [row, one], [row, other]))),
    ...atWork.map((name) => ratio(medianOf(byServer, name, 'millisecondsAtWork'))),
  ]);
  const head = [...known, ...compared.map((pair) => pair.join(' / ')), ...atWork.map((name) => `CPU ms, ${name}`)];
  return tableOf(['answers per second', ...head], lines);
}
