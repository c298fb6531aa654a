import { CompiledQuery, sql, type DatabaseConnection, type DialectAdapter } from 'kysely';
import pg from 'pg';
import type { Db } from './connection.ts';
import { holdInPlace, isDistributed } from './distribution/citus.ts';
import type { OpenTransaction } from './open_transaction.ts';
import { handleWith } from './driver/handles.ts';
import { beginningOf } from './driver/statement_timeout.ts';
import { pipeline, sendTogether, type PipelinedQuery, type RowsOfEach } from './pipeline.ts';
import { tenantRoleOf } from './tenant_role.ts';
import { isDatabaseError } from './violations.ts';

/*
 * Transactions and row-level security. Every query of a verb filters by account. If one forgets to, row-level security still
 * hides the rows of other accounts and refuses to write them. The policies apply to the role of tenant_role.ts. A transaction takes
 * on the role and the account that it acts for, and gives both up when it ends.
 */

/** Tables without a policy: directories that lead to an account, data that is the same for everyone, and the queue's own schema. */
export const sharedTables: readonly string[] = [
  'access_tokens',
  'api_keys',
  'api_tokens',
  'attempts',
  'directory_calendar_feeds',
  'directory_emails',
  'directory_invitations',
  'directory_workspaces',
  'industry_examples',
  'kysely_migration',
  'kysely_migration_lock',
  'pgboss.*',
  'reset_tokens',
  'roles',
  'service_settings',
];

/** Runs work in one transaction that acts for one account. Rows that are distributed stay in place meanwhile. */
export const forAccount = <T>(db: Db, accountId: number, work: (tx: OpenTransaction) => Promise<T>): Promise<T> =>
  inTransaction(db, (connection) => beginningFor(db, connection, accountId, true), work);

/** The same for work that only reads, which does not wait while rows are copied to another place. */
export const readForAccount = <T>(db: Db, accountId: number, work: (tx: OpenTransaction) => Promise<T>): Promise<T> =>
  inTransaction(db, (connection) => beginningFor(db, connection, accountId, false), work);

/** Runs work in one transaction that acts for no account yet; `actFor` names one once it is known. */
export const forNoAccount = <T>(db: Db, work: (tx: OpenTransaction) => Promise<T>): Promise<T> =>
  inTransaction(db, async () => beginningOf(db).map((text) => CompiledQuery.raw(text)), work);

/**
 * From here to its end, the transaction sees and writes rows of this account only. Returns the role that it has taken on.
 * Returns undefined where the operator's database user may take on none: then nothing but the filters of each query separates
 * accounts.
 */
export async function actFor(tx: OpenTransaction, accountId: number): Promise<string | undefined> {
  const role = await tenantRoleOf(tx);
  await runAll(tx, settingsFor(accountId, role));
  return role;
}

/** As statements: what `set_config` sets does not reach the workers of a distributed database. */
const settingsFor = (accountId: number, role: string | undefined): string[] => [
  `set local app.account = '${BigInt(accountId)}'`,
  ...(role === undefined ? [] : [`set local role ${pg.escapeIdentifier(role)}`]),
];

/** Whether transactions can really take on the tenant role and read with it. */
export async function rowLevelSecurityWorks(db: Db): Promise<boolean> {
  try {
    return await forNoAccount(db, async (tx) => {
      if ((await actFor(tx, 0)) === undefined) return false;
      // Nothing is read, so no worker of a distributed database has to be up.
      await tx
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', 0)
        .where(sql<boolean>`false`)
        .execute();
      return true;
    });
  } catch (error) {
    if (isDatabaseError(error) && isAboutRole(error)) return false;
    throw error;
  }
}

/** How far an open transaction is. */
interface Progress {
  readonly connection: DatabaseConnection;
  readonly beginning: readonly CompiledQuery[];
  /** The answer to the beginning. Undefined until the first query sends it. */
  begun?: Promise<unknown>;
  readonly atCommit: PipelinedQuery[];
}

const progressOf = new WeakMap<OpenTransaction, Progress>();

/**
 * Sends queries that only read and lock, as `pipeline` does. If they are the first of the transaction, `begin` goes out with them.
 * Every other query waits until `begin` is answered: if the server cancelled exactly that, what is written would not be undone.
 */
export async function lookUp<const Queries extends readonly PipelinedQuery[]>(
  tx: OpenTransaction,
  queries: Queries,
): Promise<RowsOfEach<Queries>> {
  const progress = progressOf.get(tx)!;
  if (progress.begun) return pipeline(tx, queries);
  const { connection, beginning } = progress;
  const answers: Promise<unknown[][]> = sendTogether(connection, [...beginning, ...queries]);
  progress.begun = answers;
  return (await answers).slice(beginning.length) as RowsOfEach<Queries>;
}

/**
 * Leaves queries to the end of the transaction, where they go out in one message with the commit. Their rows are not returned, and
 * others see their effect together with the rest or not at all.
 */
export function runAtCommit(tx: OpenTransaction, ...queries: PipelinedQuery[]): void {
  progressOf.get(tx)!.atCommit.push(...queries);
}

/** Undoes the work if it throws, with the queries that it left to the commit, and leaves the transaction usable. */
export async function inSavepoint<T>(tx: OpenTransaction, work: () => Promise<T>): Promise<T> {
  const { atCommit } = progressOf.get(tx)!;
  const queriesBefore = atCommit.length;
  await run(tx, 'savepoint work');
  try {
    const result = await work();
    await run(tx, 'release savepoint work');
    return result;
  } catch (error) {
    atCommit.length = queriesBefore;
    await run(tx, 'rollback to savepoint work');
    throw error;
  }
}

async function inTransaction<T>(
  db: Db,
  beginningOn: (connection: DatabaseConnection) => Promise<readonly CompiledQuery[]>,
  work: (tx: OpenTransaction) => Promise<T>,
): Promise<T> {
  return db.getExecutor().provideConnection(async (connection) => {
    const progress: Progress = { connection, beginning: await beginningOn(connection), atCommit: [] };
    const tx = begunFirst(db, progress);
    progressOf.set(tx, progress);
    try {
      const result = await work(tx);
      await pipeline(tx, [...progress.atCommit, CompiledQuery.raw('commit')]);
      return result;
    } catch (error) {
      // If the connection is lost, so is the transaction, and the error that said so is the one that matters.
      if (progress.begun) await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
      if (isDatabaseError(error) && isAboutRole(error)) beginnings.delete(db.getExecutor().adapter);
      throw error;
    }
  });
}

/** A handle whose queries wait until the transaction has begun. */
function begunFirst(db: Db, progress: Progress): OpenTransaction {
  const { connection, beginning } = progress;
  const tx = handleWith(db, {
    async provideConnection(consume) {
      await (progress.begun ??= sendTogether(connection, beginning));
      return consume(connection);
    },
  });
  return Object.assign(tx, { transaction: refuseAnother }) as Db as OpenTransaction;
}

/** An inner commit would commit both. */
const refuseAnother = (): never => {
  throw new Error('A transaction cannot begin inside another one.');
};

interface Beginning {
  readonly role: string | undefined;
  readonly isDistributed: boolean;
}

/**
 * How transactions began before, so that there is no need to ask again which role can be taken on. All handles on one database
 * share its adapter.
 */
const beginnings = new WeakMap<DialectAdapter, Beginning>();

/** The role does not exist, or may not be taken on any more: the next transaction asks again. */
const isAboutRole = ({ code }: { readonly code: string }): boolean => code === '22023' || code === '42501';

async function beginningFor(
  db: Db,
  connection: DatabaseConnection,
  accountId: number,
  isHeld: boolean,
): Promise<CompiledQuery[]> {
  const { adapter } = db.getExecutor();
  const known = beginnings.get(adapter);
  if (known) return messagesFor(db, accountId, isHeld, known);
  // On the connection that it has: another one may not be free.
  const handle = handleOn(db, connection);
  const beginning = { role: await tenantRoleOf(handle), isDistributed: await isDistributed(handle) };
  if (beginning.role !== undefined) beginnings.set(adapter, beginning);
  return messagesFor(db, accountId, isHeld, beginning);
}

/**
 * The messages that begin a transaction for an account. Where rows are distributed, each statement is one, because Citus passes each
 * setting on by itself. The rows are held before the role is taken on, because only the owner of a table may hold them.
 */
function messagesFor(db: Db, accountId: number, isHeld: boolean, { role, isDistributed }: Beginning): CompiledQuery[] {
  const held = isDistributed && isHeld ? [holdInPlace(accountId)] : [];
  const texts = [...beginningOf(db), ...held, ...settingsFor(accountId, role)];
  return (isDistributed ? texts : [texts.join('; ')]).map((text) => CompiledQuery.raw(text));
}

const run = async (connection: Db, text: string): Promise<void> => {
  await connection.executeQuery(CompiledQuery.raw(text));
};

const runAll = async (connection: Db, texts: readonly string[]): Promise<void> => {
  for (const text of texts) await run(connection, text);
};

/**
 * Takes a connection for as long as the work takes. Kysely's own handle on a connection would hold each statement back until
 * the one before it is answered, which rules out pipelining.
 */
export const onConnection = <T>(db: Db, work: (connection: Db) => Promise<T>): Promise<T> =>
  db.getExecutor().provideConnection((connection) => work(handleOn(db, connection)));

const handleOn = (db: Db, connection: DatabaseConnection): Db =>
  handleWith(db, { provideConnection: (consume) => consume(connection) });
