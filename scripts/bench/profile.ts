import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startOursAndWait } from './contenders.ts';
import type { LoadGenerator, Sent } from './loading.ts';
import type { Options } from './options.ts';
import type { ReadRow, WriteRow } from './rows.ts';
import { tableOf } from './table.ts';

/** What V8 writes: a tree of calls, and which node of it was on top at each sample. */
interface Profile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
  readonly startTime: number;
  readonly endTime: number;
}

export interface Chosen {
  readonly reads: readonly ReadRow[];
  readonly writes: readonly WriteRow[];
  readonly row: string;
}

function lanesOf({ reads, writes, row }: Chosen, lanes: number): Sent[][] {
  const read = reads.find(({ name }) => name === row);
  const write = writes.find(({ name }) => name === row);
  if (!read && !write)
    throw new Error(`Unknown row "${row}". Rows: ${[...reads, ...writes].map(({ name }) => name).join(', ')}.`);
  return Array.from({ length: lanes }, (_, lane) =>
    read ? [...read.requests] : write!.lane({ contender: 0, contenders: 1, lane, lanes, round: 0 }),
  );
}

/** Profiles our server under load, and prints its own time by package and by function. */
export async function profileOf(
  generator: LoadGenerator,
  databaseUrl: string,
  chosen: Chosen,
  { connections, seconds }: Options,
): Promise<string> {
  const lanes = lanesOf(chosen, connections);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-profile-'));
  try {
    const server = await startOursAndWait({ DATABASE_URL: databaseUrl }, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
    const load = (perLane: number): Promise<number> =>
      generator.answersPerSecond({ urls: [server.url], lanes, perLane });
    const fills = (rate: number): number => 2 * Math.ceil((rate * seconds) / lanes.length / 2);
    const estimate = await load(20);
    const warm = await load(fills(estimate));
    const begin = performance.now();
    const rate = await load(2 * fills(warm));
    const end = performance.now();
    await server.stop();
    const exit = performance.now();
    const profile = JSON.parse(readFileSync(path.join(folder, readdirSync(folder)[0]!), 'utf8')) as Profile;
    // The profile ends with the process, so the time of the load is counted back from its end.
    const [from, to] = [profile.endTime - (exit - begin) * 1000, profile.endTime - (exit - end) * 1000];
    return summaryOf(profile, from, to, rate);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function summaryOf({ nodes, samples, timeDeltas, startTime }: Profile, from: number, to: number, rate: number): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [byPackage, byFunction] = [new Map<string, number>(), new Map<string, number>()];
  let [time, total] = [startTime, 0];
  for (const [index, sample] of samples.entries()) {
    time += timeDeltas[index]!;
    if (time < from || time > to) continue;
    const { functionName, url, lineNumber } = frames.get(sample)!;
    if (functionName === '(idle)') continue;
    total += timeDeltas[index]!;
    const place = placeOf(functionName, url);
    add(byPackage, place, timeDeltas[index]!);
    add(
      byFunction,
      `${functionName || '(anonymous)'} — ${url === '' ? place : `${shortened(url)}:${lineNumber + 1}`}`,
      timeDeltas[index]!,
    );
  }
  const lines = (times: Map<string, number>, count: number): string[][] =>
    [...times].sort(([, a], [, b]) => b - a).slice(0, count).map(([name, own]) => [name, `${((own / total) * 100).toFixed(1)} %`]); // prettier-ignore
  const busy = `${((total / (to - from)) * 100).toFixed(0)} % of one core, ${(total / 1000 / rate / ((to - from) / 1e6)).toFixed(3)} ms for each of ${rate.toFixed(0)} answers per second.`;
  return [
    busy,
    tableOf(['own time by package', 'share'], lines(byPackage, 20)),
    tableOf(['own time by function', 'share'], lines(byFunction, 40)),
  ].join('\n\n');
}

const add = (times: Map<string, number>, key: string, time: number): void =>
  void times.set(key, (times.get(key) ?? 0) + time);

const shortened = (url: string): string =>
  url.replace(/^.*\/node_modules\//, '').replace(/^file:\/\/.*?\/(src|generated)\//, '$1/');

function placeOf(functionName: string, url: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native code';
  if (url.startsWith('node:')) return `node: ${url.slice(5).split('/').slice(0, 2).join('/')}`;
  const inPackages = url.split('/node_modules/').at(-1)!.split('/');
  if (url.includes('/node_modules/'))
    return inPackages[0]!.startsWith('@') ? `${inPackages[0]}/${inPackages[1]}` : inPackages[0]!;
  return shortened(url).split('/').slice(0, 2).join('/');
}
