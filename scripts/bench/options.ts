import { parseArgs } from 'node:util';
import { fullDataSet, quickDataSet, type DataSet } from './data_set.ts';

export interface Options {
  readonly dataSet: DataSet;
  readonly rounds: number;
  readonly seconds: number;
  /** The number of answers before the measurement of a row starts. */
  readonly warmUpAnswers: number;
  readonly connections: number;
  readonly batchSize: number;
  readonly memoryRequests: number;
  /** Measure the rows whose names begin with one of these; all if empty. */
  readonly rows: readonly string[];
  readonly folder: string | undefined;
  readonly json: string | undefined;
  readonly page: string | undefined;
  readonly profile: string | undefined;
}

export const help = `npm run bench -- [options] [row …]

Compares Punchcard with a bare server (limit), with Fastify and fastify-openapi-glue, and with Express and openapi-backend
on one data set, and prints a table of medians. It measures all rows by default, or those whose names begin with an
argument: show, list, list_user, list_range, list_page_1000, absences, ledger_year, summary, sessions, searches, punch, create,
assignments, batch, start, memory, embedded, pgbouncer, two_processes, standby, distribution.

  --quick            a small data set and two short rounds, to see that it works; the figures mean little
  --rounds N         number of rounds; default 5
  --seconds N        duration of a round for each contender; default 3
  --connections N    number of concurrent connections; default 8
  --data DIR         keep the PostgreSQL with the loaded data set in this folder, for the next run
  --json FILE        write every figure of every round
  --page FILE        write the tables between the marks of a page, such as docs/performance.md
  --profile ROW      profile Punchcard on one row instead of measuring
  --help             show this

Without DATABASE_URL it starts a temporary PostgreSQL from the installed binaries. With it, it creates databases named
punchcard_bench_… on that server. Loading takes some minutes, a whole run about half an hour.`;

export function readOptions(): Options | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'string' },
      page: { type: 'string' },
      profile: { type: 'string' },
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
    memoryRequests: values.quick ? 2_000 : 100_000,
    rows: positionals,
    folder: values.data,
    json: values.json,
    page: values.page,
    profile: values.profile,
  };
}
