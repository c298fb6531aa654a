import { CompiledQuery, sql } from 'kysely';
import type { Db } from './connection.ts';
import { onConnection, together } from './pipeline.ts';
import { isDatabaseError } from './violations.ts';

/*
 * The second wall between tenants. Every query of a verb filters by account; should one ever forget, row-level security lets
 * it see and write nothing of anybody else's. The policies hold for the role below, which transactions take on together with
 * the account they act for, and give up when they end.
 */

/** The role that the policies hold for. It cannot sign in; connections take it on. */
export const tenantRole = 'punchcard_app';

/** Tables without a policy: directories that lead to an account, what is the same for everybody, and the queue's own schema. */
export const sharedTables: readonly string[] = [
  'access_tokens',
  'api_keys',
  'api_tokens',
  'attempts',
  'directory_emails',
  'directory_workspaces',
  'industry_examples',
  'kysely_migration',
  'kysely_migration_lock',
  'pgboss.*',
  'reset_tokens',
  'roles',
  'service_settings',
];

/**
 * From here to its end, the transaction sees and writes rows of this account alone. Where the operator's database user may not
 * take on the role, only the first wall stands.
 */
export async function actFor(transaction: Db, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ role: string }>`
    select set_config('app.account', ${String(accountId)}, true),
      set_config('role', coalesce((select rolname from pg_roles where rolname = ${tenantRole} and pg_has_role(oid, 'member')), current_user), true) as role
  `.execute(transaction);
  return rows[0]!.role === tenantRole;
}

/** The databases on which the role was taken on before: there, nobody has to ask whether it can be. */
const fenced = new WeakSet<Db>();

/** What transactions that are under way leave to their ends. */
const endings = new WeakMap<Db, CompiledQuery[]>();

/** Does work in one transaction, for one account. */
export const forAccount = <T>(db: Db, accountId: number, work: (transaction: Db) => Promise<T>): Promise<T> =>
  onConnection(db, async (connection) => {
    const ending: CompiledQuery[] = [];
    endings.set(connection, ending);
    try {
      await begin(db, connection, accountId);
      const result = await work(Object.assign(connection, { transaction: refuseAnother }));
      await together([...ending, CompiledQuery.raw('commit')].map((query) => connection.executeQuery(query)));
      return result;
    } catch (error) {
      // Where the connection is lost, the transaction is too, and the error that told so is the one that matters.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
      if (isDatabaseError(error) && isAboutRole(error)) fenced.delete(db);
      throw error;
    }
  });

/**
 * Leaves a statement to the end of the transaction, with which it goes out in one message: nobody waits for its answer alone.
 * What it does is seen by others with the rest, or not at all.
 */
export async function lastly(transaction: Db, query: CompiledQuery): Promise<void> {
  const ending = endings.get(transaction);
  if (ending) ending.push(query);
  else await transaction.executeQuery(query);
}

/** The end of the inner one would be the end of both. */
const refuseAnother = (): never => {
  throw new Error('A transaction cannot begin inside another one.');
};

/** The role is not there, or may not be taken on any more: the next transaction asks anew. */
const isAboutRole = ({ code }: { readonly code: string }): boolean => code === '22023' || code === '42501';

/** Begins the transaction and sets who it is for; in one message, once it is known that this can be done. */
async function begin(db: Db, connection: Db, accountId: number): Promise<void> {
  if (fenced.has(db)) {
    await connection.executeQuery(
      CompiledQuery.raw(`begin; set local app.account = '${BigInt(accountId)}'; set local role ${tenantRole}`),
    );
    return;
  }
  await connection.executeQuery(CompiledQuery.raw('begin'));
  if (await actFor(connection, accountId)) fenced.add(db);
}
