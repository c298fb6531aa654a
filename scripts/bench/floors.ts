import { ledgerFloors } from './ledger/figures.ts';
import { median, ratio, tableOf, timesAsFast } from './table.ts';
import type { Measured } from './report.ts';

/** What has to be reached at least, or must not be exceeded; NaN where it was not measured. */
interface Floor {
  readonly about: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

const lists = {
  list_small: 'list, small workspace',
  list_large: 'list, large workspace',
  list_user_small: 'list by user, small workspace',
  list_user_large: 'list by user, large workspace',
  list_range_small: 'list by date range, small workspace',
  list_range_large: 'list by date range, large workspace',
  list_page_1000: 'list, page 1,000',
};

const distributed = { show: 0.5, list_large: 0.45, punch: 0.3, create: 0.25 };

/** The floors of everything that was measured. */
export function floorsOf({ options, figures, ledgers = {}, batch, start, distribution = {} }: Measured): Floor[] {
  const over = (row: string, who: string): number => timesAsFast(figures, [row, 'ours'], [row, who]);
  /** The time of a row divided by that of another. */
  const time = (row: string, base: string): number => timesAsFast(figures, [base, 'ours'], [row, 'ours']);
  return [
    { about: 'show: speed over limit', value: over('show', 'limit'), atLeast: 0.5 },
    ...Object.entries(lists).flatMap(([row, about]) => [
      { about: `${about}: speed over limit`, value: over(row, 'limit'), atLeast: 0.62 },
      { about: `${about}: speed over Fastify`, value: over(row, 'fastify'), atLeast: 1 },
    ]),
    { about: 'list: time, large over small workspace', value: time('list_large', 'list_small'), atMost: 1.3 },
    { about: 'list by user: time, large over small', value: time('list_user_large', 'list_user_small'), atMost: 1.3 },
    { about: 'list by date range: time, large over small', value: time('list_range_large', 'list_range_small'), atMost: 1.3 }, // prettier-ignore
    { about: 'list: time, page 1,000 over page 1', value: time('list_page_1000', 'list_large'), atMost: 3 },
    {
      about: 'list: time, page 1,000 by cursor over page 1',
      value: time('list_cursor_1000', 'list_large'),
      atMost: 1.2,
    },
    { about: 'punch: speed over limit', value: over('punch', 'limit'), atLeast: 0.4 },
    { about: 'create: speed over limit', value: over('create', 'limit'), atLeast: 0.25 },
    {
      about: `batch of ${options.batchSize}: time over one UPDATE`,
      value: median(batch?.ours.map((seconds, round) => seconds / batch.update[round]!) ?? []),
      atMost: 4,
    },
    ...ledgerFloors(ledgers),
    { about: 'warm start, seconds', value: median(start ?? []), atMost: 3 },
    ...Object.entries(distributed).map(([row, atLeast]) => ({
      about: `${row.replace('_large', '')}: speed on Citus over plain PostgreSQL`,
      value: timesAsFast(distribution, [row, 'Citus'], [row, 'plain']),
      atLeast,
    })),
  ].filter(({ value }) => !Number.isNaN(value));
}

const isReached = ({ value, atLeast = -Infinity, atMost = Infinity }: Floor): boolean =>
  value >= atLeast && value <= atMost;

export const floorsTable = (floors: readonly Floor[]): string =>
  tableOf(
    ['floor', 'wanted', 'measured', ''],
    floors.map((floor) => [
      floor.about,
      floor.atLeast === undefined ? `≤ ${floor.atMost}` : `≥ ${floor.atLeast}`,
      ratio(floor.value),
      isReached(floor) ? 'met' : 'NOT met',
    ]),
  );
