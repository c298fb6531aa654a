import os from 'node:os';
import type { BatchFigures } from './batch.ts';
import { eightTenants, type DataSet } from './data_set.ts';
import { floorsOf, floorsTable } from './floors.ts';
import { ledgerTable } from './ledger/figures.ts';
import type { LedgersByDatabase } from './ledger/measure.ts';
import type { Options } from './options.ts';
import { allRows } from './requests.ts';
import type { Figures } from './rounds.ts';
import { figuresTable, median } from './table.ts';

/** All measurements. Those that were not chosen are absent. */
export interface Measured {
  readonly options: Options;
  readonly figures: Figures;
  accounts?: Figures;
  ledgers?: LedgersByDatabase;
  batch?: BatchFigures;
  start?: readonly number[];
  deployments?: Figures;
  distribution?: Figures;
}

/** What the rows of a data set are, by their names. */
const aboutOf = (dataSet: DataSet): Record<string, string> =>
  Object.fromEntries(Object.values(allRows(dataSet)).flatMap((rows) => rows.map(({ name, about }) => [name, about])));

/** The tables, and the sentences between them. */
export function reportOf(measured: Measured): string {
  const { options, figures, accounts, ledgers, batch, start, deployments, distribution } = measured;
  const parts = [machineOf(options)];
  const about = aboutOf(options.dataSet);
  if (Object.keys(figures).length > 0)
    parts.push(figuresTable(figures, about, ['limit', 'fastify', 'ours'], [['ours', 'limit'], ['ours', 'fastify']])); // prettier-ignore
  if (accounts) parts.push(figuresTable(accounts, about, ['ours'], []));
  if (ledgers) parts.push(ledgerTable(ledgers));
  if (deployments)
    parts.push(figuresTable(deployments, about, ['one process', 'two processes', 'standby'], [['two processes', 'one process'], ['standby', 'one process']])); // prettier-ignore
  if (distribution)
    parts.push(figuresTable(distribution, aboutOf(eightTenants), ['plain', 'Citus'], [['Citus', 'plain']]));
  if (batch)
    parts.push(
      `A batch that confirms ${options.batchSize} time trackings takes ${seconds(batch.ours)}, one UPDATE of as many ${seconds(batch.update)}.`,
    );
  if (start) parts.push(`Started on an existing embedded database, it is ready after ${seconds(start)}.`);
  return [...parts, floorsTable(floorsOf(measured))].map((part) => `\n${part}`).join('\n');
}

/** A page with the report in the place that is marked for it. */
export function withFigures(page: string, report: string): string {
  const place = /(<!-- figures -->\n)[^]*(<!-- end of figures -->)/;
  if (!place.test(page))
    throw new Error('The page needs the lines "<!-- figures -->" and "<!-- end of figures -->" for the figures.');
  return page.replace(place, (_all, begin: string, end: string) => `${begin}${report}\n\n${end}`);
}

const seconds = (values: readonly number[]): string => `${median(values).toFixed(2)} s`;

function machineOf({ rounds, seconds: length, connections, dataSet }: Options): string {
  const processors = os.cpus();
  const machine = `${processors.length} × ${processors[0]?.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  return `${machine}; ${rounds} rounds of ${length} s, ${connections} connections, data set "${dataSet.name}".`;
}
