import { notFound } from '../../platform/core/errors.ts';
import { sql, type Selectable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lockAccount } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { actFor } from '../../platform/db/transactions.ts';
import { eventsOf, type EventActor } from '../../platform/events/record.ts';

/** The custom fields of a new account. */
const defaultCustomFields = [
  { key: 'phone', title: 'Phone', kind: 'text' },
  { key: 'start_of_work', title: 'Start of work', kind: 'date' },
  { key: 'trial_period', title: 'Trial period', kind: 'text' },
  { key: 'end_of_contract', title: 'End of contract', kind: 'date' },
  { key: 'desc', title: 'Description', kind: 'text' },
  { key: 'cost_center', title: 'Cost centre', kind: 'text' },
  { key: 'cost_object', title: 'Cost object', kind: 'text' },
];

export type AccountRow = Selectable<DB['accounts']>;

export const accountEvents = eventsOf<AccountRow>()('account', [
  'account_name',
  'phone',
  'country',
  'locale',
  'modules',
  'confirmed_at',
]);

/**
 * Creates an account with its default data profile, and returns its id. From its first row on, the transaction acts for it. The
 * caller records it, once there is somebody who acts.
 */
export async function createAccount(
  tx: OpenTransaction,
  { name, isConfirmed }: { readonly name: string; readonly isConfirmed: boolean },
  now: Date,
): Promise<number> {
  const stamps = { created_at: now, updated_at: now };
  const id = await newAccountId(tx);
  await actFor(tx, id);
  await tx
    .insertInto('accounts')
    .values({ id, account_name: name, confirmed_at: isConfirmed ? now : null, ...stamps })
    .execute();
  const profile = await tx
    .insertInto('data_profiles')
    .values({ account_id: id, title: 'Personal data', ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('custom_fields')
    .values(
      defaultCustomFields.map((field, index) => ({
        ...field,
        account_id: id,
        data_profile_id: profile.id,
        position: index + 1,
      })),
    )
    .execute();
  return id;
}

async function newAccountId(tx: OpenTransaction): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('accounts', 'id')) as id`.execute(
    tx,
  );
  return rows[0]!.id;
}

/** Notes that an admin of the account has shown that they receive mails at their address. */
export async function confirmAccount(tx: OpenTransaction, actor: EventActor, now: Date): Promise<void> {
  const after = await tx
    .updateTable('accounts')
    .set({ confirmed_at: now })
    .where('id', '=', actor.accountId)
    .where('confirmed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (after) accountEvents.record(tx, actor, 'updated', { before: { ...after, confirmed_at: null }, after }, now);
}

/** The actor's account. */
export async function findAccount(db: Db, actor: Pick<Actor, 'accountId'>): Promise<AccountRow> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', actor.accountId).executeTakeFirst();
  if (!row) throw notFound('account');
  return row;
}

/** Changes the account's name. */
export async function updateAccount(
  db: OpenTransaction,
  actor: Actor,
  change: { name?: string | undefined },
  now: Date,
): Promise<AccountRow> {
  if (change.name === undefined) return findAccount(db, actor);
  await lockAccount(db, actor);
  const before = await findAccount(db, actor);
  const after = await db
    .updateTable('accounts')
    .set({ account_name: change.name, updated_at: now })
    .where('id', '=', actor.accountId)
    .returningAll()
    .executeTakeFirstOrThrow();
  accountEvents.record(db, actor, 'updated', { before, after }, now);
  return after;
}
