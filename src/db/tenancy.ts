import { sql } from 'kysely';
import type { Db } from './connection.ts';

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
export async function actFor(transaction: Db, accountId: number): Promise<void> {
  await sql`
    select set_config('app.account', ${String(accountId)}, true),
      set_config('role', coalesce((select rolname from pg_roles where rolname = ${tenantRole} and pg_has_role(oid, 'member')), current_user), true)
  `.execute(transaction);
}

/** Does work in one transaction, for one account. */
export const forAccount = <T>(db: Db, accountId: number, work: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (transaction) => {
    await actFor(transaction, accountId);
    return work(transaction);
  });
