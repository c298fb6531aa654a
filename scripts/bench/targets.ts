import type { Figures } from './rounds.ts';
import { ratio, tableOf, timesAsFast } from './table.ts';

/** A target and the measured value; NaN where it was not measured. */
export interface Target {
  readonly about: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

const isMet = ({ value, atLeast = -Infinity, atMost = Infinity }: Target): boolean =>
  value >= atLeast && value <= atMost;

/** The targets of the reads and the punch. */
export function targetsOf(figures: Figures): Target[] {
  const over = (row: string, who: string): number => timesAsFast(figures, [row, 'ours'], [row, who]);
  /** The ratio of the times of two rows. */
  const timeOf = (row: string, base: string): number => timesAsFast(figures, [base, 'ours'], [row, 'ours']);
  const lists = ['small', 'middle', 'large'].flatMap((size): Target[] => [
    {
      about: `list 20 with totals, ${size} workspace: throughput over limit`,
      value: over(`list_${size}`, 'limit'),
      atLeast: 0.7,
    },
    {
      about: `list 20 with totals, ${size} workspace: over Fastify`,
      value: over(`list_${size}`, 'fastify'),
      atLeast: 1,
    },
    {
      about: `list 20 with totals, ${size} workspace: over openapi-backend`,
      value: over(`list_${size}`, 'openapi-backend'),
      atLeast: 1,
    },
  ]);
  return [
    { about: 'show one: throughput over limit', value: over('show', 'limit'), atLeast: 0.6 },
    { about: 'show one: over openapi-backend', value: over('show', 'openapi-backend'), atLeast: 1 },
    ...lists,
    {
      about: 'default list: time of the large workspace over the small one',
      value: timeOf('list_large', 'list_small'),
      atMost: 1.3,
    },
    {
      about: 'list by user: time of the large workspace over the small one',
      value: timeOf('list_user_large', 'list_user_small'),
      atMost: 1.3,
    },
    {
      about: 'list by date range: time of the large workspace over the small one',
      value: timeOf('list_range_large', 'list_range_small'),
      atMost: 1.3,
    },
    { about: 'page 1,000: time over page 1', value: timeOf('list_page_1000', 'list_large'), atMost: 3 },
    {
      about: 'punch: throughput over a bare insert and update in one transaction',
      value: over('punch', 'limit'),
      atLeast: 0.7,
    },
  ];
}

/** The targets of time accounts. */
export function timeAccountTargets(figures: Figures): Target[] {
  const timeOf = (row: string, base: string): number => timesAsFast(figures, [base, 'ours'], [row, 'ours']);
  return [
    {
      about: 'summary of one user: time with much history over that with little',
      value: timeOf('summary_large', 'summary_small'),
      atMost: 1.3,
    },
    {
      about: 'summaries of 500 users and a month: time over the summary of one',
      value: timeOf('summary_many', 'summary_large'),
      atMost: 10,
    },
    {
      about: 'summaries of 500 users and a month: time over the days of one user and a year',
      value: timeOf('summary_many', 'ledger_year'),
      atMost: 10,
    },
  ];
}

/** What lists of the public API have to reach. */
export const publicListTargets = (figures: Figures): Target[] => [
  {
    about: 'v1 working sessions of a month: time of the large location over the small one',
    value: timesAsFast(figures, ['sessions_small', 'ours'], ['sessions_large', 'ours']),
    atMost: 1.3,
  },
];

/** What searches have to reach. */
export const searchTargets = (figures: Figures): Target[] => [
  {
    about: 'search among 5,000 users: time over a plain list of them',
    value: timesAsFast(figures, ['searches_list', 'ours'], ['searches', 'ours']),
    atMost: 3,
  },
];

export function targetsTable(targets: readonly Target[]): string {
  const measured = targets.filter(({ value }) => !Number.isNaN(value));
  const goal = ({ atLeast, atMost }: Target): string => (atLeast !== undefined ? `≥ ${atLeast}` : `≤ ${atMost}`);
  return tableOf(
    ['target', 'wanted', 'measured', ''],
    measured.map((target) => [target.about, goal(target), ratio(target.value), isMet(target) ? 'met' : 'NOT met']),
  );
}
