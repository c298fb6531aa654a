import { sql } from 'kysely';
import { timeAccountRules } from '../../generated/time_account_rules.ts';
import type { LocalDate } from '../calendar/dates.ts';
import type { KnownBalance } from '../calendar/day_ledger.ts';
import type { Db } from '../db/connection.ts';
import { lock } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { statement } from '../db/statement.ts';

/*
 * Balances at the beginning of months. With one of them, a balance needs the days since then and not all days since the start of
 * accounting. A job keeps them. Triggers forget them in the transaction that changes what they depend on: see migration 0014.
 */

/** Changes with the arithmetic and with the zones that Node knows. Balances of other rules are not used. */
const rules = `${timeAccountRules} ${process.versions['tz']}`;

/** The latest kept balance of each user until a day, by the user's id. */
export async function keptBalances(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  until: LocalDate,
): Promise<ReadonlyMap<number, KnownBalance>> {
  const rows = await latestRows(db, { accountId, userIds, until, rules });
  return new Map(
    rows.map(({ user_id, date, all_s, confirmed_s }) => [
      user_id,
      { date, balance: { all: all_s, confirmed: confirmed_s } },
    ]),
  );
}

interface KeptRow {
  readonly user_id: number;
  readonly date: LocalDate;
  readonly all_s: number;
  readonly confirmed_s: number;
}

const latestRows = statement<
  { accountId: number; userIds: readonly number[]; until: LocalDate; rules: string },
  KeptRow
>(
  (_db, { accountId, userIds, until, rules: known }) => sql<KeptRow>`
    select latest.* from unnest(${userIds}::bigint[]) wanted (user_id)
    cross join lateral (
      select kept.user_id, kept.date, kept.all_s, kept.confirmed_s from kept_balances kept
      where kept.account_id = ${accountId} and kept.user_id = wanted.user_id and kept.date <= ${until}::date
        and kept.rules = ${known}
      order by kept.date desc limit 1) latest`,
);

/**
 * Locks the balances of users against changes, and returns the users whose balances nobody is changing. Changes that begin now
 * wait for the end of the transaction, and forget what it keeps.
 */
export async function lockUnchangedBalances(
  tx: OpenTransaction,
  accountId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const [account] = await lockAccountBalances(tx, { accountId });
  if (!account!.is_free) return [];
  return (await lockUserBalances(tx, { accountId, userIds })).filter(({ is_free }) => is_free).map(({ id }) => id);
}

const lockAccountBalances = lock(
  statement<{ accountId: number }, { is_free: boolean }>(
    (_db, { accountId }) =>
      sql<{ is_free: boolean }>`select pg_try_advisory_xact_lock(balance_lock(${accountId}, 0)) as is_free`,
  ),
);

const lockUserBalances = lock(
  statement<{ accountId: number; userIds: readonly number[] }, { id: number; is_free: boolean }>(
    (_db, { accountId, userIds }) => sql<{ id: number; is_free: boolean }>`
      select id, pg_try_advisory_xact_lock(balance_lock(${accountId}, id)) as is_free
      from unnest(${userIds}::bigint[]) wanted (id)`,
  ),
);

/** Keeps balances. The caller holds the lock of their users. */
export async function storeBalances(
  tx: OpenTransaction,
  accountId: number,
  balances: readonly (KnownBalance & { readonly userId: number })[],
): Promise<void> {
  await sql`
    insert into kept_balances (account_id, user_id, date, all_s, confirmed_s, rules)
    select ${accountId}, kept.*, ${rules}
    from unnest(${balances.map(({ userId }) => userId)}::bigint[], ${balances.map(({ date }) => date)}::date[],
      ${balances.map(({ balance }) => balance.all)}::bigint[], ${balances.map(({ balance }) => balance.confirmed)}::bigint[]) kept
    on conflict (account_id, user_id, date) do update
      set all_s = excluded.all_s, confirmed_s = excluded.confirmed_s, rules = excluded.rules`.execute(tx);
}

/** Some users without a kept balance of this day, in the order of accounts and users. */
export async function usersWithoutBalance(
  db: Db,
  date: LocalDate,
  after: { readonly account_id: number; readonly id: number },
  limit: number,
): Promise<{ account_id: number; id: number }[]> {
  const { rows } = await sql<{ account_id: number; id: number }>`
    select account_id, id from users
    where deleted_at is null and (account_id, id) > (${after.account_id}, ${after.id}) and start_of_accounting < ${date}::date
      and not exists (
        select from kept_balances kept
        where kept.account_id = users.account_id and kept.user_id = users.id and kept.date = ${date}::date and kept.rules = ${rules})
    order by account_id, id limit ${limit}`.execute(db);
  return rows;
}
