import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type Dialect,
} from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Db } from './connection.ts';
import type { OpenTransaction } from './open_transaction.ts';
import { pipeline } from './pipeline.ts';
import { isDatabaseError } from './violations.ts';

/*
 * Transactions and row-level security. Every query of a verb filters by account. If one forgets to, row-level security still
 * hides the rows of other accounts and refuses to write them. The policies apply to the role below. A transaction takes on the
 * role and the account that it acts for, and gives both up when it ends.
 */

/** The role that the policies apply to. It cannot sign in; connections take it on. */
export const tenantRole = 'punchcard_app';

/** Tables without a policy: directories that lead to an account, data that is the same for everyone, and the queue's own schema. */
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

/** Runs work in one transaction that acts for one account. */
export const forAccount = <T>(db: Db, accountId: number, work: (tx: OpenTransaction) => Promise<T>): Promise<T> =>
  inTransaction(db, (connection) => beginFor(db, connection, accountId), work);

/** Runs work in one transaction that acts for no account yet; `actFor` names one once it is known. */
export const forNoAccount = <T>(db: Db, work: (tx: OpenTransaction) => Promise<T>): Promise<T> =>
  inTransaction(db, (connection) => run(connection, 'begin'), work);

/**
 * From here to its end, the transaction sees and writes rows of this account only. Returns false where the operator's database
 * user may not take on the role: then nothing but the filters of each query separates accounts.
 */
export async function actFor(tx: OpenTransaction, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ role: string }>`
    select set_config('app.account', ${String(accountId)}, true),
      set_config('role', coalesce((select rolname from pg_roles where rolname = ${tenantRole} and pg_has_role(oid, 'member')), current_user), true) as role
  `.execute(tx);
  return rows[0]!.role === tenantRole;
}

/** The queries that open transactions run at commit. */
const queriesAtCommit = new WeakMap<OpenTransaction, CompiledQuery[]>();

/**
 * Leaves a query to the end of the transaction, where it goes out in one message with the commit. Its rows are not returned, and
 * others see its effect together with the rest or not at all.
 */
export function runAtCommit(tx: OpenTransaction, query: CompiledQuery): void {
  queriesAtCommit.get(tx)!.push(query);
}

/**
 * `begin` is answered before the work starts. If it went out together with the first statements and the server cancelled
 * exactly it, those statements would run outside a transaction, each committed by itself.
 */
async function inTransaction<T>(
  db: Db,
  begin: (tx: OpenTransaction) => Promise<void>,
  work: (tx: OpenTransaction) => Promise<T>,
): Promise<T> {
  return onConnection(db, async (connection) => {
    const tx = Object.assign(connection, { transaction: refuseAnother }) as Db as OpenTransaction;
    const atCommit: CompiledQuery[] = [];
    queriesAtCommit.set(tx, atCommit);
    try {
      await begin(tx);
      const result = await work(tx);
      await pipeline(tx, [...atCommit, CompiledQuery.raw('commit')]);
      return result;
    } catch (error) {
      // If the connection is lost, so is the transaction, and the error that said so is the one that matters.
      await run(tx, 'rollback').catch(() => {});
      if (isDatabaseError(error) && isAboutRole(error)) roleIsGranted.delete(db);
      throw error;
    }
  });
}

/** An inner commit would commit both. */
const refuseAnother = (): never => {
  throw new Error('A transaction cannot begin inside another one.');
};

/** The databases on which the role was taken on before, so that there is no need to ask again whether it can be. */
const roleIsGranted = new WeakSet<Db>();

/** The role does not exist, or may not be taken on any more: the next transaction asks again. */
const isAboutRole = ({ code }: { readonly code: string }): boolean => code === '22023' || code === '42501';

/** Begins the transaction and sets whom it acts for; in one message, once it is known that the role can be taken on. */
async function beginFor(db: Db, tx: OpenTransaction, accountId: number): Promise<void> {
  if (roleIsGranted.has(db))
    return run(tx, `begin; set local app.account = '${BigInt(accountId)}'; set local role ${tenantRole}`);
  await run(tx, 'begin');
  if (await actFor(tx, accountId)) roleIsGranted.add(db);
}

const run = async (connection: Db, text: string): Promise<void> => {
  await connection.executeQuery(CompiledQuery.raw(text));
};

/**
 * Takes a connection for as long as the work takes. Kysely's own handle on a connection would hold each statement back until
 * the one before it is answered, which rules out pipelining.
 */
export const onConnection = <T>(db: Db, work: (connection: Db) => Promise<T>): Promise<T> =>
  db.getExecutor().provideConnection((connection) => {
    const executor = db.getExecutor().withConnectionProvider({ provideConnection: (consume) => consume(connection) });
    return work(new Kysely<DB>({ executor, config: { dialect }, dialect, driver: new DummyDriver() }));
  });

/** The connection is open already; only the compiler of the dialect is used. */
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};
