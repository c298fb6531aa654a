import type { Figures } from './rounds.ts';

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length === 0
    ? NaN
    : sorted.length % 2 === 1
      ? sorted[Math.floor(middle)]!
      : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** A column of words and columns of figures, as a table that is also Markdown. */
export function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]!.length)));
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [row(head), rule, ...lines.map(row)].join('\n');
}

export const rate = (value: number): string =>
  Number.isNaN(value) ? '' : value >= 100 ? value.toFixed(0) : value.toFixed(1);
export const ratio = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(2));

/** The median of the ratios of two speeds. Each ratio compares two speeds of the same round. */
export function timesAsFast(
  figures: Figures,
  one: readonly [row: string, who: string],
  other: readonly [row: string, who: string],
): number {
  const [first, second] = [one, other].map(([row, who]) => figures[row]?.[who]?.answersPerSecond ?? []) as [
    number[],
    number[],
  ];
  return median(first.flatMap((value, round) => (second[round] === undefined ? [] : [value / second[round]])));
}

/** Rows of responses per second, with the ratios between contenders. */
export function figuresTable(
  figures: Figures,
  about: Readonly<Record<string, string>>,
  asked: readonly string[],
  ratios: readonly (readonly [one: string, other: string])[],
): string {
  const known = askedIn(figures, asked);
  const compared = ratios.filter(([one, other]) => known.includes(one) && known.includes(other));
  const lines = Object.entries(figures).map(([name, byWhom]) => [
    about[name] ?? name,
    ...known.map((who) => rate(median(byWhom[who]?.answersPerSecond ?? []))),
    ...compared.map(([one, other]) => ratio(timesAsFast(figures, [name, one], [name, other]))),
  ]);
  return tableOf(['answers per second', ...known, ...compared.map(([one, other]) => `${one} / ${other}`)], lines);
}

/** Rows of CPU time per response of the servers, without the database. */
export function workTable(figures: Figures, about: Readonly<Record<string, string>>, asked: readonly string[]): string {
  const known = askedIn(figures, asked);
  const lines = Object.entries(figures).map(([name, byWhom]) => [
    about[name] ?? name,
    ...known.map((who) => ratio(median(byWhom[who]?.millisecondsAtWork ?? []))),
  ]);
  return tableOf(["milliseconds of a processor's time", ...known], lines);
}

const askedIn = (figures: Figures, asked: readonly string[]): string[] =>
  asked.filter((who) => Object.values(figures).some((byWhom) => byWhom[who] !== undefined));
