import pg from 'pg';

/**
 * How many statements, or those alone that a pattern fits, the databases are sent while something is done. The job queue, which looks after itself now and then, is
 * left out, and so are the question who is asking, whose answer is kept for a moment, and what a new connection is told.
 */
export async function statementsDuring(work: () => Promise<unknown>, only = /(?:)/): Promise<number> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  let count = 0;
  prototype.query = function (this: pg.Client, ...values: unknown[]) {
    const text = textOf(values[0]);
    if (only.test(text) && !/pgboss|pg_listening_channels|access_tokens|plan_cache_mode/.test(text)) count++;
    return (original as (...values: unknown[]) => unknown).apply(this, values);
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

/** Does something with the conditions on account and workspace struck from every statement, as if they had all been forgotten. */
export async function withoutFilters<T>(work: () => Promise<T>): Promise<T> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  const struck = (text: string): string =>
    text.replaceAll(/(?:"?\w+"?\.)?"?(?:account_id|workspace_id)"? = (\$\d+)/g, '$1::bigint is not null');
  prototype.query = function (this: pg.Client, ...values: unknown[]) {
    const [first, ...rest] = values;
    // Under its name, a statement would be the one that was prepared before.
    const query =
      typeof first === 'string'
        ? struck(first)
        : isNamed(first)
          ? Object.assign(first, { name: undefined, text: struck(first.text) })
          : first;
    return (original as (...values: unknown[]) => unknown).apply(this, [query, ...rest]);
  } as typeof original;
  try {
    return await work();
  } finally {
    prototype.query = original;
  }
}

const isNamed = (query: unknown): query is pg.Query & { text: string } => query instanceof pg.Query && 'name' in query;
