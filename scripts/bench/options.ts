import { parseArgs } from 'node:util';
import { fullDataSet, quickDataSet, type DataSet } from './data_set.ts';

export interface Options {
  readonly dataSet: DataSet;
  readonly rounds: number;
  readonly seconds: number;
  /** How many answers a contender gives on a row before they count. */
  readonly warmUpAnswers: number;
  readonly connections: number;
  readonly batchSize: number;
  readonly memoryRequests: number;
  /** Rows are taken whose name begins with one of these; all where there is none. */
  readonly rows: readonly string[];
  readonly folder: string | undefined;
  readonly json: string | undefined;
  readonly page: string | undefined;
  readonly profile: string | undefined;
}

export const help = `npm run bench -- [options] [row …]

Measures Punchcard side by side with a bare server (limit), with Fastify and fastify-openapi-glue, and with Express and
openapi-backend, on one data set, and prints a table of medians. Rows are named, or all are taken; a name also stands for
all that begin with it: show, list, list_user, list_range, list_page_1000, absences, punch, create, batch, start, memory,
embedded, pgbouncer, two_processes.

  --quick            a small data set and two short rounds, to see that all works; its figures say little
  --rounds N         how many rounds; at least 5 count, and 5 is what is done
  --seconds N        how long each contender is asked in a round; 3
  --connections N    how many connections ask at once; 8
  --data DIR         keeps the PostgreSQL with the loaded data set in this folder, for the next run
  --json FILE        writes every figure of every round
  --page FILE        puts the tables between the marks in a page, such as openapi/guides/performance.md
  --profile ROW      profiles our server on one row and shows where its time goes, instead of measuring
  --help             this text

Without DATABASE_URL it starts a PostgreSQL of its own from the binaries installed here. With it, it makes databases named
punchcard_bench_… on that server, whose user must be allowed to. Loading takes some minutes, everything about half an hour.`;

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
