import os from 'node:os';
import type { AssignmentFigures } from './measures/assignments.ts';
import type { BatchFigures } from './measures/batch.ts';
import { contenders } from './contenders.ts';
import type { measureDistribution } from './distribution.ts';
import type { MemoryFigures } from './measures/memory.ts';
import type { Options } from './options.ts';
import type { Figures } from './rounds.ts';
import type { StartFigures } from './measures/start.ts';
import { figuresTable, median, workTable } from './table.ts';
import {
  publicListTargets,
  searchTargets,
  targetsOf,
  targetsTable,
  timeAccountTargets,
  type Target,
} from './targets.ts';

/** All measurements. Those that were not selected are absent. */
export interface Measured {
  readonly options: Options;
  readonly figures: Figures;
  accounts?: Figures;
  assignments?: AssignmentFigures;
  publicLists?: Figures;
  searches?: Figures;
  batch?: BatchFigures;
  around?: Figures;
  standby?: Figures;
  distribution?: Awaited<ReturnType<typeof measureDistribution>>;
  memory?: MemoryFigures;
  start?: StartFigures;
  embedded?: Figures;
}

/** The tables, each ready to be pasted into a page, and the sentences between them. */
export function reportOf(measured: Measured, about: Readonly<Record<string, string>>): string {
  const { options, figures, accounts, publicLists, assignments, batch, around, memory, start, embedded } = measured;
  const parts = [machineOf(options)];
  const targets = targetsOf(figures);
  const overOthers = contenders.slice(0, -1).map((other) => ['ours', other] as const);
  if (Object.keys(figures).length > 0)
    parts.push(figuresTable(figures, about, contenders, overOthers), workTable(figures, about, contenders));
  if (accounts) {
    parts.push(figuresTable(accounts, about, ['ours'], []));
    targets.push(...timeAccountTargets(accounts));
  }
  if (publicLists) {
    parts.push(figuresTable(publicLists, about, ['ours'], []));
    targets.push(...publicListTargets(publicLists));
  }
  if (measured.searches) {
    parts.push(figuresTable(measured.searches, about, ['ours'], []));
    targets.push(...searchTargets(measured.searches));
  }
  if (around) parts.push(figuresTable(around, about, ['direct', 'PgBouncer', 'two processes'], [['PgBouncer', 'direct'], ['two processes', 'direct']])); // prettier-ignore
  if (measured.standby) parts.push(figuresTable(measured.standby, about, ['alone', 'standby'], [['standby', 'alone']]));
  if (measured.distribution) parts.push(figuresTable(measured.distribution.figures, measured.distribution.about, ['plain', 'Citus'], [['Citus', 'plain']])); // prettier-ignore
  if (embedded) parts.push(figuresTable(embedded, about, ['PostgreSQL', 'embedded'], [['embedded', 'PostgreSQL']]));
  if (batch) {
    parts.push(
      `A batch that confirms ${options.batchSize} trackings takes ${seconds(batch.ours)}, one UPDATE of as many ${seconds(batch.update)}.`,
    );
    const ratios = batch.ours.map((time, round) => time / batch.update[round]!);
    targets.push({
      about: `batch confirm of ${options.batchSize}: time over one UPDATE`,
      value: median(ratios),
      atMost: 4,
    });
  }
  if (assignments) {
    const { shifts, failed, seconds: times } = assignments;
    parts.push(`${shifts} requests for assignments at the same moment are answered within ${seconds(times)}.`);
    targets.push({ about: `${shifts} requests for assignments at once: not answered`, value: failed, atMost: 0 });
  }
  if (start) {
    const ready = `ready after ${seconds(start.ready)}, of which ${seconds(start.atWork)} of a processor's time`;
    parts.push(
      `Started on an existing embedded database it is ${ready}, and has answered a list after ${seconds(start.answered)}.`,
    );
    targets.push({ about: 'ready on an existing embedded database, seconds', value: median(start.ready), atMost: 2 });
  }
  if (memory) {
    parts.push(memoryOf(memory));
    const [first, last] = [memory.requests[0], memory.requests.at(-1)];
    const about = `memory in use after ${last} requests over that after ${first}`;
    targets.push({ about, value: memory.heap.at(-1)! / memory.heap[0]!, atMost: 1.1 } satisfies Target);
  }
  return [...parts, targetsTable(targets)].map((part) => `\n${part}`).join('\n');
}

/** A page with the report in the place that is marked for it. */
export function withFigures(page: string, report: string): string {
  const place = /(<!-- figures -->\n)[^]*(<!-- end of figures -->)/;
  if (!place.test(page))
    throw new Error(
      'The page has no place for the figures: it needs the lines "<!-- figures -->" and "<!-- end of figures -->".',
    );
  return page.replace(place, (_all, begin: string, end: string) => `${begin}${report}\n\n${end}`);
}

const seconds = (values: readonly number[]): string => `${median(values).toFixed(2)} s`;

function machineOf({ rounds, seconds: length, connections, dataSet }: Options): string {
  const processors = os.cpus();
  const machine = `${processors.length} × ${processors[0]?.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  return `${machine}; ${rounds} rounds of ${length} s, ${connections} connections, data set "${dataSet.name}".`;
}

function memoryOf({ requests, heap, resident }: MemoryFigures): string {
  const figures = heap.map((megabytes, step) => `${megabytes.toFixed(1)} (${resident[step]!.toFixed(0)})`);
  return `MiB in use (resident) after ${requests.join(', ')} requests: ${figures.join(', ')}.`;
}
