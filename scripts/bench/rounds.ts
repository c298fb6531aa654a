import { contenders, type Contender } from './contenders.ts';
import type { LoadGenerator, Sent } from './loading.ts';
import type { Options } from './options.ts';
import type { Server } from './processes.ts';
import type { ReadRow, WriteRow } from './rows.ts';
import { verifySameBytes, verifySameShape } from './verify.ts';

/** Answers per second in each round, by row and by whoever was asked. */
export type Figures = Record<string, Record<string, number[]>>;

type Pace = Pick<Options, 'rounds' | 'seconds' | 'connections'>;
type Say = (text: string) => void;

/** A row as it is asked in rounds. */
interface Asked {
  readonly name: string;
  /** What one connection sends to one of those asked, in one round. */
  readonly lane: (who: number, lane: number, round: number) => readonly Sent[];
  /** How many requests belong together. */
  readonly group: number;
}

const turned = <T>(items: readonly T[], by: number): T[] => [...items.slice(by % items.length), ...items.slice(0, by % items.length)];

/**
 * Asks servers for rows in rounds: in each round every row is asked of everybody, one after the other, so that what slows the
 * machine for a while slows all of them. Two rounds come first that do not count: one finds out how many requests fill the time,
 * one warms up. A round has a number of requests rather than a time, so that nothing is cut off, however slow.
 */
async function measure(generator: LoadGenerator, servers: Record<string, readonly string[]>, rows: readonly Asked[], pace: Pace, say: Say): Promise<Figures> {
  const figures: Figures = {};
  const names = Object.keys(servers);
  const perLane = new Map<string, number>();
  for (let round = -1; round <= pace.rounds; round++) {
    for (const { name, lane, group } of rows) {
      for (const [index, who] of turned([...names.entries()], round + 1)) {
        const key = `${name} ${who}`;
        const count = perLane.get(key) ?? 2 * group;
        const lanes = Array.from({ length: pace.connections }, (_, position) => turned(lane(index, position, round + 1), (round + 1) * count));
        const rate = await generator.answersPerSecond({ urls: servers[who]!, lanes, perLane: count });
        if (round > 0) ((figures[name] ??= {})[who] ??= []).push(rate);
        else perLane.set(key, Math.max(1, Math.round((rate * pace.seconds) / pace.connections / group)) * group);
      }
      if (round >= 0) say(`${round === 0 ? 'Warming up' : `Round ${round} of ${pace.rounds}`}: ${name}.`);
    }
  }
  return figures;
}

/** Measures reads of any servers. */
export const measureReads = (generator: LoadGenerator, servers: Record<string, readonly string[]>, rows: readonly ReadRow[], pace: Pace, say: Say) =>
  measure(
    generator,
    servers,
    rows.map(({ name, requests }) => ({ name, group: 1, lane: (_who, lane) => turned(requests, lane) })),
    pace,
    say,
  );

const urlsOf = (servers: Record<Contender, Server>): Record<string, string[]> => Object.fromEntries(contenders.map((name) => [name, [servers[name].url]]));

/** Holds the answers of all contenders against each other, then measures them. */
export async function compareReads(
  generator: LoadGenerator,
  servers: Record<Contender, Server>,
  rows: readonly ReadRow[],
  pace: Pace,
  say: Say,
): Promise<Figures> {
  for (const { requests } of rows) await verifySameBytes(servers, requests.slice(0, 5));
  if (rows.length > 0) say('All contenders answer with the same bytes.');
  return measureReads(generator, urlsOf(servers), rows, pace, say);
}

/** The same for writes, whose answers differ in ids and times. */
export async function compareWrites(
  generator: LoadGenerator,
  servers: Record<Contender, Server>,
  rows: readonly WriteRow[],
  pace: Pace,
  say: Say,
): Promise<Figures> {
  const asked = rows.map(({ name, group, lane }) => ({
    name,
    group,
    lane: (who: number, position: number, round: number) =>
      lane({ contender: who, contenders: contenders.length, lane: position, lanes: pace.connections, round }),
  }));
  for (const { lane, group } of asked) {
    for (let step = 0; step < group; step++) await verifySameShape(servers, (contender) => lane(contender, 0, 0)[step]!);
  }
  return measure(generator, urlsOf(servers), asked, pace, say);
}
