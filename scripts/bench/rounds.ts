import type { LoadGenerator } from './loading.ts';
import type { Pace } from './options.ts';
import type { Row } from './requests.ts';
import { secondsAtWork, type Server } from './servers.ts';

/** The result of each round. */
export interface Rounds {
  readonly answersPerSecond: number[];
  /** CPU milliseconds of the servers per response, without the database. */
  readonly millisecondsAtWork: number[];
}

/** By row and server. */
export type Figures = Record<string, Record<string, Rounds>>;

/** One server, or several that share the requests, by name. */
export type Servers = Record<string, readonly Pick<Server, 'url' | 'pid'>[]>;

/** The servers that a row is measured on. */
export const takingPart = (servers: object, { without = [] }: Row): string[] =>
  Object.keys(servers).filter((name) => !without.includes(name));

const turned = <T>(items: readonly T[], by: number): T[] => [
  ...items.slice(by % items.length),
  ...items.slice(0, by % items.length),
];

/**
 * Measures rows in rounds. In each round every row is requested from every server in turn, so that a slow phase of the machine
 * slows all of them. The first three rounds do not count: one estimates the number of requests that fill the time, two warm up.
 * A round has a number of requests instead of a time, so that no request is cut off.
 */
export async function measure(
  generator: LoadGenerator,
  servers: Servers,
  rows: readonly Row[],
  { rounds, seconds, warmUpAnswers, connections }: Pace,
  say: (text: string) => void,
): Promise<Figures> {
  const figures: Figures = {};
  const progress = new Map<string, { perLane: number; sent: number }>();
  for (let round = -2; round <= rounds; round++) {
    for (const row of rows) {
      const names = takingPart(servers, row);
      for (const [index, name] of turned([...names.entries()], round + 2)) {
        const key = `${row.name} ${name}`;
        const { perLane, sent } = progress.get(key) ?? { perLane: 2 * row.group, sent: 0 };
        const lanes = Array.from({ length: connections }, (_, lane) => {
          const share = { server: index, servers: names.length, lane, lanes: connections, round: round + 2 };
          // Every round continues where the previous one ended.
          return turned(row.lane(share), sent).slice(0, perLane);
        });
        const urls = servers[name]!.map(({ url }) => url);
        const before = timeOf(servers[name]!);
        const rate = await generator.answersPerSecond({ urls, lanes, perLane });
        const result = ((figures[row.name] ??= {})[name] ??= { answersPerSecond: [], millisecondsAtWork: [] });
        if (round > 0) {
          result.answersPerSecond.push(rate);
          result.millisecondsAtWork.push(((timeOf(servers[name]!) - before) * 1000) / (perLane * connections));
        }
        // The JIT needs many runs, so the warm-up is longer than a round, within limits for slow rows.
        const time = round < 0 ? Math.max(seconds, Math.min(warmUpAnswers / rate, 3 * seconds)) : seconds;
        const groups = Math.max(1, Math.round((rate * time) / connections / row.group));
        progress.set(key, { perLane: round <= 0 ? groups * row.group : perLane, sent: sent + perLane });
      }
      if (round > -2) say(`${round <= 0 ? 'Warming up' : `Round ${round} of ${rounds}`}: ${row.name}.`);
    }
  }
  return figures;
}

const timeOf = (servers: Servers[string]): number => servers.reduce((sum, { pid }) => sum + secondsAtWork(pid), 0);
