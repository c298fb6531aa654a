import { median, ratio, tableOf } from '../table.ts';
import type { LedgerFigures, LedgersByDatabase, State } from './measure.ts';

const states: Readonly<Record<State, string>> = {
  empty: 'no month is cached',
  changed: 'an old record has changed',
};

/** How much longer the request takes with ten years of history than with one, in the median of all rounds. */
const growthOf = ({ milliseconds }: LedgerFigures, state: State): number =>
  median(milliseconds[state][10].map((ten, round) => ten / milliseconds[state][1][round]!));

/** The median of the rounds, as everywhere: the longest of all can be the fault of another process. */
const blockOf = ({ blocked }: LedgerFigures, what: State | 'job'): number => median(blocked[what]);

export function ledgerTable(ledgers: LedgersByDatabase): string {
  const lines = Object.entries(ledgers).flatMap(([database, figures]) => [
    ...Object.entries(states).map(([name, about]) => {
      const state = name as State;
      const { 1: one, 10: ten } = figures.milliseconds[state];
      const cells = [median(one).toFixed(1), median(ten).toFixed(1), ratio(growthOf(figures, state))];
      return [`${database}, ${about}`, ...cells, blockOf(figures, state).toFixed(0)];
    }),
    [`${database}, the job caches the months`, '', '', '', blockOf(figures, 'job').toFixed(0)],
  ]);
  const head = ['two days of one user', '1 year, ms', '10 years, ms', '10 years / 1 year', 'longest block, ms'];
  return tableOf(head, lines);
}

export const ledgerFloors = (ledgers: LedgersByDatabase) =>
  Object.entries(ledgers).flatMap(([database, figures]) => [
    ...Object.entries(states).flatMap(([name, about]) => {
      const title = `two days, ${database}, ${about}`;
      return [
        { about: `${title}: time, 10 years over 1`, value: growthOf(figures, name as State), atMost: 3 },
        { about: `${title}: longest block, ms`, value: blockOf(figures, name as State), atMost: 50 },
      ];
    }),
    { about: `months cached, ${database}: longest block, ms`, value: blockOf(figures, 'job'), atMost: 50 },
  ]);
