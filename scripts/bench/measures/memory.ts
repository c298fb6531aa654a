import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startOursAndWait } from '../contenders.ts';
import type { DataSet } from '../data_set.ts';
import type { LoadGenerator, Sent } from '../loading.ts';
import type { Options } from '../options.ts';
import type { Server } from '../processes.ts';
import { writeRows, type ReadRow } from '../rows.ts';

/** Megabytes in use after garbage collection, at five points of a long run of mixed requests. */
export interface MemoryFigures {
  readonly requests: number[];
  readonly heap: number[];
  readonly resident: number[];
}

const steps = 5;

export async function measureMemory(
  generator: LoadGenerator,
  databaseUrl: string,
  rows: readonly ReadRow[],
  { dataSet, connections, memoryRequests }: Options,
  say: (text: string) => void,
): Promise<MemoryFigures> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-memory-'));
  const file = path.join(folder, 'memory.json');
  const probe = ['--expose-gc', '--import', path.join(import.meta.dirname, 'memory_probe.ts')];
  const server = await startOursAndWait({ DATABASE_URL: databaseUrl, MEMORY_FILE: file }, probe);
  const figures: MemoryFigures = { requests: [], heap: [], resident: [] };
  try {
    const lanes = Array.from({ length: connections }, (_, lane) => mixed(dataSet, rows, lane, connections));
    const perLane = 2 * Math.ceil(memoryRequests / steps / connections / 2);
    for (let step = 1; step <= steps; step++) {
      await generator.answersPerSecond({ urls: [server.url], lanes, perLane });
      const { heapUsed, rss } = await memoryOf(server, file);
      figures.requests.push(step * perLane * connections);
      figures.heap.push(heapUsed / 2 ** 20);
      figures.resident.push(rss / 2 ** 20);
      say(
        `Memory after ${figures.requests.at(-1)} requests: ${figures.heap.at(-1)!.toFixed(1)} MiB in use, ${figures.resident.at(-1)!.toFixed(0)} MiB resident.`,
      );
    }
    return figures;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All reads, with many variations of pages and filters, and punches, in pairs so that a run can end after any of them. */
function mixed(dataSet: DataSet, rows: readonly ReadRow[], lane: number, lanes: number): Sent[] {
  const reads = rows.flatMap(({ requests }) => requests.slice(0, 20));
  const varied = reads.map((request, index) => {
    const separator = request.path.includes('?') ? '&' : '?';
    return {
      ...request,
      path: `${request.path}${separator}items=${1 + ((index + lane) % 30)}&sort=${['starts_at', '-updated_at', 'created_at'][index % 3]}`,
    };
  });
  const punches = writeRows(dataSet)[0]!.lane({ contender: 0, contenders: 1, lane, lanes, round: 0 });
  return reads.flatMap((request, index) => [request, varied[index]!, ...punches.slice(2 * index, 2 * index + 2)]);
}

async function memoryOf({ pid }: Server, file: string): Promise<NodeJS.MemoryUsage> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 50));
  return JSON.parse(readFileSync(file, 'utf8')) as NodeJS.MemoryUsage;
}
