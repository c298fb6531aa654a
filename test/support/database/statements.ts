import pg from 'pg';

/**
 * The job queue, which polls, the look-up of the credential, the settings of new connections, the looks at a cluster, which are
 * repeated, and the checkpoints of embedded databases, one a minute for each that is open.
 */
const background = /pgboss|access_tokens|plan_cache_mode|pg_dist_|get_shard_id|pg_roles|^checkpoint|^vacuum/;

/** Counts the statements that are sent to the databases during some work: those that match a pattern, or all but those of the background. */
export async function statementsDuring(work: () => Promise<unknown>, only?: RegExp): Promise<number> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  let count = 0;
  prototype.query = function (this: pg.Client, ...values: unknown[]) {
    const text = textOf(values[0]);
    if (only ? only.test(text) : !background.test(text)) count++;
    return (original as (...values: unknown[]) => unknown).apply(this, values);
  } as typeof original;
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return count;
}

/** Counts the rows that statements return during some work: those that match a pattern. */
export async function rowsDuring(work: () => Promise<unknown>, only: RegExp): Promise<number> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  let count = 0;
  prototype.query = function (this: pg.Client, ...values: unknown[]) {
    const answer = (original as (...values: unknown[]) => unknown).apply(this, values);
    if (only.test(textOf(values[0])) && answer instanceof Promise)
      void answer.then(
        ({ rows }: pg.QueryResult) => (count += rows.length),
        () => {},
      );
    return answer;
  } as typeof original;
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return count;
}

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');

/** Runs work with the conditions on account and workspace removed from every statement. */
export async function withoutFilters<T>(work: () => Promise<T>): Promise<T> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  const withoutConditions = (text: string): string =>
    text.replaceAll(/(?:"?\w+"?\.)?"?(?:account_id|workspace_id)"? = (\$\d+)/g, '$1::bigint is not null');
  prototype.query = function (this: pg.Client, ...values: unknown[]) {
    const [first, ...rest] = values;
    // A named statement would run as it was prepared before.
    const query =
      typeof first === 'string'
        ? withoutConditions(first)
        : isNamed(first)
          ? Object.assign(first, { name: undefined, text: withoutConditions(first.text) })
          : first;
    return (original as (...values: unknown[]) => unknown).apply(this, [query, ...rest]);
  } as typeof original;
  try {
    return await work();
  } finally {
    prototype.query = original;
  }
}

const isNamed = (query: unknown): query is { name: string; text: string } =>
  typeof query === 'object' && query !== null && 'name' in query && 'text' in query;
