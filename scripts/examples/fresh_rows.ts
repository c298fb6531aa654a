import type pg from 'pg';

interface Table {
  readonly name: string;
  readonly columns: string;
}

/** How often each table was written to. */
const writesOf = async (pool: pg.Pool): Promise<Map<string, string>> => {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ name: string; writes: string }>(`
    select quote_ident(relname) as name, n_tup_ins + n_tup_upd + n_tup_del as writes
    from pg_stat_user_tables where schemaname = 'public'`);
  return new Map(rows.map(({ name, writes }) => [name, writes]));
};

/** Remembers what is in an embedded database, and returns a function that puts it back. */
export async function rememberRows(pool: pg.Pool): Promise<() => Promise<void>> {
  const { rows: tables } = await pool.query<Table>(`
    select quote_ident(c.relname) as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.relname`);
  const { rows: sequences } = await pool.query<{ name: string; last: string | null }>(`
    select quote_ident(sequencename) as name, last_value as last from pg_sequences where schemaname = 'public'`);
  const copies = tables.map(({ name }) => `create table fresh.${name} as table public.${name}`);
  await pool.query(['create schema fresh', ...copies].join(';'));
  const counters = sequences.map(
    ({ name, last }) => `select setval('public.${name}', ${last ?? 1}, ${String(last !== null)})`,
  );
  let before = await writesOf(pool);
  return async () => {
    const now = await writesOf(pool);
    const written = tables.filter(({ name }) => now.get(name) !== before.get(name));
    const rows = written.flatMap(({ name, columns }) => [
      `delete from public.${name}`,
      `insert into public.${name} (${columns}) overriding system value select ${columns} from fresh.${name}`,
    ]);
    // Without triggers and without checks of references.
    const start = ['begin', 'set local session_replication_role = replica', 'delete from pgboss.job'];
    await pool.query([...start, ...rows, ...counters, 'commit'].join(';'));
    before = await writesOf(pool);
  };
}
