import { contenders, type Contender } from './contenders.ts';
import type { LoadGenerator, Sent } from './loading.ts';
import type { Options } from './options.ts';
import { secondsAtWork, type Server } from './processes.ts';
import type { ReadRow, WriteRow } from './rows.ts';
import { verifySameBytes, verifySameShape } from './verify.ts';

/** The result of each round. */
export interface Rounds {
  readonly answersPerSecond: number[];
  /** CPU milliseconds of the servers per response, without the database. */
  readonly millisecondsAtWork: number[];
}

/** By row and contender. */
export type Figures = Record<string, Record<string, Rounds>>;

/** One server, or several that share the requests. */
export type Servers = Record<string, readonly Pick<Server, 'url' | 'pid'>[]>;

type Pace = Pick<Options, 'rounds' | 'seconds' | 'warmUpAnswers' | 'connections'>;
type Say = (text: string) => void;

/** A row of the table, as rounds measure it. */
interface Asked {
  readonly name: string;
  /** The requests that one connection sends to one server in one round. */
  readonly lane: (who: number, lane: number, round: number) => readonly Sent[];
  /** How many requests belong together. */
  readonly group: number;
}

const turned = <T>(items: readonly T[], by: number): T[] => [
  ...items.slice(by % items.length),
  ...items.slice(0, by % items.length),
];

/**
 * Measures rows in rounds. In each round every row is requested from every server in turn, so that a slow phase of the machine
 * slows all of them. The first three rounds do not count: one estimates the number of requests that fill the time, two warm up.
 * A round has a number of requests instead of a time, so that no request is cut off.
 */
async function measure(
  generator: LoadGenerator,
  servers: Servers,
  rows: readonly Asked[],
  pace: Pace,
  say: Say,
): Promise<Figures> {
  const figures: Figures = {};
  const names = Object.keys(servers);
  const perLane = new Map<string, number>();
  const sent = new Map<string, number>();
  for (let round = -2; round <= pace.rounds; round++) {
    for (const { name, lane, group } of rows) {
      for (const [index, who] of turned([...names.entries()], round + 2)) {
        const key = `${name} ${who}`;
        const count = perLane.get(key) ?? 2 * group;
        const sentBefore = sent.get(key) ?? 0;
        sent.set(key, sentBefore + count);
        // Every round continues where the previous one ended.
        const lanes = Array.from({ length: pace.connections }, (_, position) =>
          turned(lane(index, position, round + 2), sentBefore).slice(0, count),
        );
        const timeBefore = timeOf(servers[who]!);
        const rate = await generator.answersPerSecond({
          urls: servers[who]!.map(({ url }) => url),
          lanes,
          perLane: count,
        });
        const { answersPerSecond, millisecondsAtWork } = ((figures[name] ??= {})[who] ??= {
          answersPerSecond: [],
          millisecondsAtWork: [],
        });
        if (round > 0) {
          answersPerSecond.push(rate);
          millisecondsAtWork.push(((timeOf(servers[who]!) - timeBefore) * 1000) / (count * pace.connections));
        }
        // The JIT needs many runs, so the warm-up is longer than a round, within limits for slow rows.
        const time =
          round < 0 ? Math.max(pace.seconds, Math.min(pace.warmUpAnswers / rate, 3 * pace.seconds)) : pace.seconds;
        if (round <= 0) perLane.set(key, Math.max(1, Math.round((rate * time) / pace.connections / group)) * group);
      }
      if (round > -2) say(`${round <= 0 ? 'Warming up' : `Round ${round} of ${pace.rounds}`}: ${name}.`);
    }
  }
  return figures;
}

/** Measures reads of any servers. */
export const measureReads = (
  generator: LoadGenerator,
  servers: Servers,
  rows: readonly ReadRow[],
  pace: Pace,
  say: Say,
) =>
  measure(
    generator,
    servers,
    rows.map(({ name, requests }) => ({ name, group: 1, lane: (_who, lane) => turned(requests, lane) })),
    pace,
    say,
  );

const timeOf = (servers: Servers[string]): number => servers.reduce((sum, { pid }) => sum + secondsAtWork(pid), 0);

const each = (servers: Record<Contender, Server>): Servers =>
  Object.fromEntries(contenders.map((name) => [name, [servers[name]]]));

/** Compares the answers of all contenders, then measures them. */
export async function compareReads(
  generator: LoadGenerator,
  servers: Record<Contender, Server>,
  rows: readonly ReadRow[],
  pace: Pace,
  say: Say,
): Promise<Figures> {
  for (const { requests } of rows) await verifySameBytes(servers, requests.slice(0, 5));
  if (rows.length > 0) say('All contenders answer with the same bytes.');
  return measureReads(generator, each(servers), rows, pace, say);
}

/** The same for writes, whose answers differ in ids and times. */
export async function compareWrites(
  generator: LoadGenerator,
  servers: Record<Contender, Server>,
  rows: readonly WriteRow[],
  pace: Pace,
  say: Say,
): Promise<Figures> {
  for (const { lane, group } of askedOf(rows, contenders.length, pace)) {
    for (let step = 0; step < group; step++)
      await verifySameShape(servers, (contender) => lane(contender, 0, 0)[step]!);
  }
  return measureWrites(generator, each(servers), rows, pace, say);
}

/** Measures writes of any servers. Each writes for its own users. */
export const measureWrites = (
  generator: LoadGenerator,
  servers: Servers,
  rows: readonly WriteRow[],
  pace: Pace,
  say: Say,
) => measure(generator, servers, askedOf(rows, Object.keys(servers).length, pace), pace, say);

const askedOf = (rows: readonly WriteRow[], count: number, pace: Pace): Asked[] =>
  rows.map(({ name, group, lane }) => ({
    name,
    group,
    lane: (who, position, round) =>
      lane({ contender: who, contenders: count, lane: position, lanes: pace.connections, round }),
  }));
