import { parseArgs } from 'node:util';
import { fullDataSet, quickDataSet, type DataSet } from './data_set.ts';

/** How long rows are measured. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** The number of answers before the measurement of a row starts. */
  readonly warmUpAnswers: number;
  readonly connections: number;
}

export interface Options extends Pace {
  readonly dataSet: DataSet;
  readonly batchSize: number;
  readonly isChosen: (name: string) => boolean;
  readonly folder: string | undefined;
  readonly page: string | undefined;
}

export const help = `npm run bench -- [options] [row …]

Compares Punchcard with a bare server (limit) and with Fastify on one data set, and prints tables of medians and the floors.
By default it measures everything but "distribution", or the rows whose names begin with an argument: show, list_small,
list_large, list_user, list_range, list_page_1000, list_cursor_1000, account, punch, create, batch, ledger, start,
two_processes, standby, distribution.

  --quick            a small data set and two short rounds, to see that it works; the figures mean little
  --rounds N         number of rounds; default 5
  --seconds N        duration of a round for each server; default 3
  --connections N    number of concurrent connections; default 8
  --data DIR         keep the PostgreSQL with the loaded data set in this folder, for the next run
  --page FILE        write the tables between the marks of a page, such as docs/performance.md
  --help             show this

The row "distribution" compares eight companies on the workers of a Citus coordinator with the same companies on the
coordinator alone, each with a connection of its own.

Without DATABASE_URL it starts temporary servers from the installed binaries of PostgreSQL and Citus. With it, it creates
databases named punchcard_bench_… on that server, which for "distribution" is a coordinator with three workers.`;

export function readOptions(): Options | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      data: { type: 'string' },
      page: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const numberIn = (name: 'rounds' | 'seconds' | 'connections', usual: number, quick: number): number => {
    const number = Number(values[name] ?? (values.quick ? quick : usual));
    if (!(number > 0)) throw new Error(`--${name} must be a number above 0, but was "${values[name]}".`);
    return number;
  };
  return {
    dataSet: values.quick ? quickDataSet : fullDataSet,
    rounds: numberIn('rounds', 5, 2),
    seconds: numberIn('seconds', 3, 0.25),
    warmUpAnswers: values.quick ? 200 : 5_000,
    connections: numberIn('connections', 8, 8),
    batchSize: values.quick ? 1_000 : 10_000,
    isChosen: (name) =>
      positionals.length === 0 ? name !== 'distribution' : positionals.some((row) => name.startsWith(row)),
    folder: values.data,
    page: values.page,
  };
}
