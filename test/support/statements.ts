import pg from 'pg';

/** How many statements the databases are sent while something is done, beside those by which the job queue minds itself. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<number> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  let count = 0;
  prototype.query = function (this: pg.Client, ...values: unknown[]) {
    const text = typeof values[0] === 'string' ? values[0] : ((values[0] as { text?: string }).text ?? '');
    if (!/pgboss|pg_listening_channels/.test(text)) count++;
    return (original as (...values: unknown[]) => unknown).apply(this, values);
  } as typeof original;
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return count;
}
