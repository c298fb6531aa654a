import os from 'node:os';
import type { BatchFigures } from './batch.ts';
import { contenders } from './contenders.ts';
import type { MemoryFigures } from './memory.ts';
import type { Options } from './options.ts';
import type { Figures } from './rounds.ts';
import type { StartFigures } from './start.ts';
import { figuresTable, median } from './table.ts';
import { targetsOf, targetsTable, type Target } from './targets.ts';

/** Everything that was measured; what was not chosen is not there. */
export interface Measured {
  readonly options: Options;
  readonly figures: Figures;
  batch?: BatchFigures;
  around?: Figures;
  memory?: MemoryFigures;
  start?: StartFigures;
  embedded?: Figures;
}

/** The tables, each ready to be pasted into a page. */
export function reportOf(measured: Measured, about: Readonly<Record<string, string>>): string {
  const { options, figures, batch, around, memory, start, embedded } = measured;
  const [processor] = os.cpus();
  const machine = `${os.cpus().length} × ${processor?.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const pace = `${options.rounds} rounds of ${options.seconds} s, ${options.connections} connections, data set "${options.dataSet.name}"`;
  const targets: Target[] = [
    ...targetsOf(figures),
    ...(batch
      ? [
          {
            about: `batch confirm of ${options.batchSize}: time over one UPDATE`,
            value: median(batch.ours.map((time, round) => time / batch.update[round]!)),
            atMost: 3,
          },
        ]
      : []),
    ...(start ? [{ about: 'ready on an existing embedded database, seconds', value: median(start.ready), atMost: 2 }] : []),
    ...(memory
      ? [
          {
            about: `memory in use after ${memory.requests.at(-1)} requests over that after ${memory.requests[0]}`,
            value: memory.heap.at(-1)! / memory.heap[0]!,
            atMost: 1.1,
          },
        ]
      : []),
  ];
  return [
    `${machine}; ${pace}.`,
    ...(Object.keys(figures).length > 0 ? [figuresTable(figures, about, contenders, contenders.slice(0, -1).map((other) => ['ours', other] as const))] : []),
    ...(around ? [figuresTable(around, about, ['direct', 'PgBouncer', 'two processes'], [['PgBouncer', 'direct'], ['two processes', 'direct']])] : []),
    ...(embedded ? [figuresTable(embedded, about, ['PostgreSQL', 'embedded'], [['embedded', 'PostgreSQL']])] : []),
    ...(batch ? [`Batch of ${options.batchSize}: ${median(batch.ours).toFixed(2)} s; one UPDATE: ${median(batch.update).toFixed(2)} s.`] : []),
    ...(start ? [`Start on an existing embedded database: ready after ${median(start.ready).toFixed(2)} s, first list answered after ${median(start.answered).toFixed(2)} s, ${median(start.atWork).toFixed(2)} s of a processor's time until ready.`] : []),
    ...(memory ? [`Memory in use (resident) after ${memory.requests.join(', ')} requests: ${memory.heap.map((heap, step) => `${heap.toFixed(1)} (${memory.resident[step]!.toFixed(0)})`).join(', ')} MiB.`] : []),
    ...(targets.some(({ value }) => !Number.isNaN(value)) ? [targetsTable(targets)] : []),
  ].map((part) => `\n${part}`).join('\n'); // prettier-ignore
}
