import pg from 'pg';

/**
 * How many statements the databases are sent while something is done. The job queue, which looks after itself now and then, is
 * left out, and so is the question who is asking, whose answer is kept for a moment.
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<number> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  let count = 0;
  prototype.query = function (this: pg.Client, ...values: unknown[]) {
    if (!/pgboss|pg_listening_channels|access_tokens/.test(textOf(values[0]))) count++;
    return (original as (...values: unknown[]) => unknown).apply(this, values);
  } as typeof original;
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return count;
}

const textOf = (query: unknown): string => (typeof query === 'string' ? query : ((query as { text?: string }).text ?? ''));
