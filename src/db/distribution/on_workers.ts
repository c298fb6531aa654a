import { sql, type Kysely } from 'kysely';
import type { DB } from '../../../generated/db.ts';

interface Answer {
  /** The host and the port of the worker. */
  readonly name: string;
  readonly success: boolean;
  /** The first value, or the error. */
  readonly result: string;
}

/** What some workers lack. */
interface Lack {
  /** Selects a row for each thing that a worker lacks. */
  readonly missing: string;
  /** Statements that make up for it. */
  readonly statements: readonly string[];
  /** What it means if a worker refuses. */
  readonly failure: string;
}

/** Has the workers make up for what they lack. Returns how many of them lacked anything. A worker that is down has its turn later. */
export async function makeUpOnWorkers(db: Kysely<DB>, { missing, statements, failure }: Lack): Promise<number> {
  const found = await onWorkers(db, `select count(*) from (${missing}) missing`);
  const names = found.filter(({ success, result }) => success && result !== '0').map(({ name }) => name);
  if (names.length === 0) return 0;
  for (const statement of statements) {
    const refused = (await onWorkers(db, statement)).filter(({ name, success }) => !success && names.includes(name));
    if (refused.length > 0)
      throw new Error(`${failure} ${refused.map(({ name, result }) => `${name}: ${result}`).join(' ')}`);
  }
  return names.length;
}

/** Runs a statement on every worker, and returns what each of them answers. */
export async function onWorkers(db: Kysely<DB>, text: string): Promise<Answer[]> {
  const { rows } = await sql<Answer>`
    select nodename || ':' || nodeport as name, success, result from run_command_on_workers(${sql.lit(text)})`.execute(
    db,
  );
  return rows;
}
