import type { components } from '../../../generated/v3.ts';
import { notFound } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { requireSelf } from '../current_user/oneself.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listComputed } from '../../platform/db/list/computed_list.ts';
import type { Selection } from '../../platform/db/list/list.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf } from '../../platform/events/record.ts';

type Attributes = components['schemas']['Preference']['attributes'];
type Key = Attributes['key'];
type Value = Attributes['value'];

export interface Preference extends Attributes {
  readonly id: string;
}

/** The lists of a client with their columns. The position of a list, from 1 on, is the id of its preference. */
const columnsOf: Readonly<Record<Key, readonly string[]>> = {
  absence_list: ['days', 'info', 'tags', 'type', 'areas', 'dates', 'hours', 'status', 'employee', 'confirmed_by'],
  employee_list: ['tags', 'areas', 'email', 'roles', 'status', 'username', 'workspace', 'custom_field'],
  time_tracking_list: ['days', 'tags', 'type', 'dates', 'employee'],
};

const keys = Object.keys(columnsOf) as Key[];

const preferenceEvents = eventsOf<Preference & { readonly user_id: number }>()('preference', ['value']);

const defaultOf = (key: Key): Value => Object.fromEntries(columnsOf[key].map((column) => [column, true]));

/** The preferences of the actor, who alone may read them. */
export async function listPreferences(db: Db, actor: Actor, userRef: Id, selection: Selection) {
  const userId = await requireSelf(db, actor, userRef);
  const stored = await db
    .selectFrom('preferences')
    .select(['key', 'value'])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .execute();
  const values = new Map(stored.map(({ key, value }) => [key, value as Value]));
  const { rows, paging } = await listComputed(
    db,
    {
      rows: keys.map((key, index) => ({ id: String(index + 1), key })),
      kinds: { id: 'text', key: 'text' },
      timeZone: 'UTC',
      defaultSort: ['id'],
    },
    selection,
  );
  return {
    rows: rows.map((row): Preference => ({ ...row, value: values.get(row.key) ?? defaultOf(row.key) })),
    paging,
  };
}

/** Replaces the value of a preference of the actor. */
export async function updatePreference(
  db: OpenTransaction,
  actor: Actor,
  userRef: Id,
  ref: Id,
  value: Value,
  now: Date,
): Promise<Preference> {
  const userId = await requireSelf(db, actor, userRef);
  const { id, key } = findPreference(ref);
  const before = await valueOf(db, actor, userId, key);
  const json = JSON.stringify(value);
  await db
    .insertInto('preferences')
    .values({ account_id: actor.accountId, user_id: userId, key, value: json })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id', 'key']).doUpdateSet({ value: json }))
    .execute();
  recordChange(db, actor, { id, key, value }, before, now);
  return { id, key, value };
}

/** Sets a preference of the actor back to its default. */
export async function resetPreference(
  db: OpenTransaction,
  actor: Actor,
  userRef: Id,
  ref: Id,
  now: Date,
): Promise<Preference> {
  const userId = await requireSelf(db, actor, userRef);
  const { id, key } = findPreference(ref);
  const before = await valueOf(db, actor, userId, key);
  await db
    .deleteFrom('preferences')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute();
  recordChange(db, actor, { id, key, value: defaultOf(key) }, before, now);
  return { id, key, value: defaultOf(key) };
}

async function valueOf(db: Db, { accountId }: Actor, userId: number, key: Key): Promise<Value> {
  const stored = await db
    .selectFrom('preferences')
    .select('value')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
  return (stored?.value as Value | undefined) ?? defaultOf(key);
}

function recordChange(tx: OpenTransaction, actor: Actor, preference: Preference, before: Value, now: Date): void {
  const after = { ...preference, user_id: actor.userId! };
  preferenceEvents.record(tx, actor, 'updated', { before: { ...after, value: before }, after }, now);
}

function findPreference(ref: Id): { readonly id: string; readonly key: Key } {
  const key = keys[(numericId(ref) ?? 0) - 1];
  if (!key) throw notFound('preference');
  return { id: String(ref), key };
}
