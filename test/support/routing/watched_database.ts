import { sql, type CompiledQuery, type DatabaseConnection } from 'kysely';
import { loadModule } from 'libpg-query';
import type { Database, Db } from '../../../src/platform/db/connection.ts';
import { handleWith } from '../../../src/platform/db/driver/handles.ts';
import type { Readers } from '../../../src/platform/db/readers/readers.ts';
import { sharedTables } from '../../../src/platform/db/transactions.ts';
import { mayChangeInExpression, mayFailOnReader, mayLackAccount } from './exceptions.ts';
import {
  changedTables,
  mentionedTables,
  silentInserts,
  tablesChangedInExpressions,
  unroutedMentions,
} from './routing.ts';

/*
 * Stands in for a database that is distributed by account: the app and the jobs of the tests send their statements through a
 * handle that reads each of them. A test file that has sent a statement without the account fails.
 */

/** The statements that would fail or go wrong there, sent since they were last taken, each with its faults. */
const sent = new Map<string, readonly string[]>();

/** The same database through a handle that reads every statement. */
export async function watched(database: Database): Promise<Database> {
  const tenantTables = await tenantTablesOf(database.db);
  return { ...database, db: await watching(database.db, (text) => faultsIn(text, tenantTables)) };
}

/** Readers that stand in for the servers which have the rows of accounts. They have nothing else, and no read writes there. */
export async function watchedReaders({ db }: Database): Promise<Readers> {
  const forReads = await watching(db, faultsOfReads);
  const forWrites = await watching(db, (text) => {
    const missing = mentionedTables(text).find(isShared);
    if (missing) throw Object.assign(new Error(`relation "${missing}" does not exist`), { code: '42P01' });
    return [];
  });
  return {
    kind: 'workers',
    place: 'a stand-in',
    counts: { answered: 0, passed: 0 },
    dbFor: async (_accountId, isWrite) => (isWrite ? forWrites : forReads),
    close: async () => {},
  };
}

/** Whether the server in DATABASE_URL alone has a table. */
const isShared = (table: string): boolean => sharedTables.includes(table) || table.startsWith('pgboss.');

const faultsOfReads = (text: string): string[] => [
  ...(mayFailOnReader(text) ? [] : mentionedTables(text)).filter(isShared).map((table) => `${table} in a read`),
  ...changedTables(text).map((table) => `${table} changed by a read`),
];

async function watching(db: Db, faultsOf: (text: string) => readonly string[]): Promise<Db> {
  await loadModule();
  const known = new Map<string, readonly string[]>();
  const read = ({ sql: text }: CompiledQuery): void => {
    if (!known.has(text)) known.set(text, faultsOf(text));
    const faults = known.get(text)!;
    if (faults.length > 0) sent.set(text, faults);
  };
  const executor = db.getExecutor();
  return handleWith(db, {
    provideConnection: (consume) => executor.provideConnection((connection) => consume(reading(connection, read))),
  });
}

/** What a distributed database cannot do with a statement, in words. */
const faultsIn = (text: string, tenantTables: ReadonlySet<string>): string[] => [
  ...(mayLackAccount(text) ? [] : unroutedMentions(text, tenantTables)),
  ...silentInserts(text)
    .filter((table) => tenantTables.has(table))
    .map((table) => `insert into ${table} without returning`),
  ...(mayChangeInExpression(text) ? [] : tablesChangedInExpressions(text))
    .filter((table) => tenantTables.has(table))
    .map((table) => `${table} changed in a common table expression`),
];

/** Throws if such statements were sent since the last call. */
export function requireRouted(): void {
  const faulty = [...sent].map(([text, faults]) => `${faults.join(', ')}\n  in: ${text.trim()}`);
  sent.clear();
  if (faulty.length > 0) throw new Error([rule, ...faulty].join('\n\n'));
}

const rule =
  'Every table of a tenant needs "account_id = $n" (accounts: "id = $n") of its own, in every join and sub-select, and an insert writes the account as a value. On a database that is distributed by account, these statements would not run on one server. A common table expression only reads: a change is a statement of its own. An insert of selected rows ends with "returning account_id". An operation that only reads and needs a table that belongs to no account has "x-reads-primary" in the contract. A statement over all accounts belongs into test/support/routing/exceptions.ts.';

/** The tables whose rows belong to accounts. */
async function tenantTablesOf(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select class.relname as name from pg_class class
    join pg_policy policy on policy.polrelid = class.oid and policy.polname = 'tenant'`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

const reading = (connection: DatabaseConnection, read: (query: CompiledQuery) => void): DatabaseConnection => ({
  executeQuery(query) {
    read(query);
    return connection.executeQuery(query);
  },
  streamQuery: (query, size) => connection.streamQuery(query, size),
});
