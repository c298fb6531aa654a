import { notFound } from '../core/errors.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';

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

/** Creates an account with its default data profile. Returns the id. */
export async function createAccount(db: Db, name: string, now: Date): Promise<number> {
  const stamps = { created_at: now, updated_at: now };
  const account = await db
    .insertInto('accounts')
    .values({ account_name: name, ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow();
  const profile = await db
    .insertInto('data_profiles')
    .values({ account_id: account.id, title: 'Personal data', ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('custom_fields')
    .values(
      defaultCustomFields.map((field, index) => ({
        ...field,
        account_id: account.id,
        data_profile_id: profile.id,
        position: index + 1,
      })),
    )
    .execute();
  return account.id;
}

/** Notes that an admin of the account has shown that they receive mails at their address. */
export const confirmAccount = async (db: Db, accountId: number, now: Date): Promise<void> => {
  await db
    .updateTable('accounts')
    .set({ confirmed_at: now })
    .where('id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .execute();
};

export type AccountRow = Awaited<ReturnType<typeof findAccount>>;

/** The actor's account. */
export async function findAccount(db: Db, actor: Pick<Actor, 'accountId'>) {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', actor.accountId).executeTakeFirst();
  if (!row) throw notFound('account');
  return row;
}

/** Changes the account's name. */
export async function updateAccount(
  db: Db,
  actor: Actor,
  change: { name?: string | undefined },
  now: Date,
): Promise<AccountRow> {
  if (change.name !== undefined) {
    await db
      .updateTable('accounts')
      .set({ account_name: change.name, updated_at: now })
      .where('id', '=', actor.accountId)
      .execute();
  }
  return findAccount(db, actor);
}
