import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { ownerColumn, ownerColumns, ownerId, type Owner } from '../notes/owner.ts';

export interface News {
  /** The addressee. */
  readonly user_id: number;
  readonly title: string;
  readonly message: string;
  /** What it is about. */
  readonly owner: Owner | null;
}

/** Tells one user something that concerns him. */
export async function notify(db: Db, accountId: number, workspaceId: number, { user_id, title, message, owner }: News, now: Date): Promise<void> {
  await db
    .insertInto('notifications')
    .values({
      account_id: accountId,
      workspace_id: workspaceId,
      type: 'notification',
      user_id,
      title,
      message,
      ...(owner && ownerColumns(owner)),
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** What the followers of a record are told. */
export interface Change<O extends Owner = Owner> {
  readonly owner: O;
  readonly title: string;
  readonly message: string;
}

/** Tells the followers of a record that it changed, all but the actor himself. */
export const notifyFollowers = (db: Db, actor: Actor, owner: Owner, title: string, message: string, now: Date): Promise<void> =>
  notifyFollowersOf(db, actor, [{ owner, title, message }], now);

/** Tells the followers of many records of one kind. */
export async function notifyFollowersOf(db: Db, { accountId, userId }: Actor, changes: readonly Change[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  const [{ owner }] = changes as readonly [Change];
  const [owners, followers] = 'time_tracking_id' in owner ? ['time_trackings', 'time_tracking_followers'] : ['absences', 'absence_followers'];
  const column = sql.ref(ownerColumn(owner));
  const [ids, titles, messages] = [changes.map((change) => ownerId(change.owner)), changes.map(({ title }) => title), changes.map(({ message }) => message)];
  await sql`
    insert into notifications (account_id, workspace_id, type, user_id, title, message, ${column}, created_at, updated_at)
    select ${accountId}, owner.workspace_id, 'notification', follower.user_id, change.title, change.message, owner.id, ${now}, ${now}
    from unnest(${ids}::bigint[], ${titles}::text[], ${messages}::text[]) change (id, title, message)
    join ${sql.table(followers!)} follower on follower.account_id = ${accountId} and follower.${column} = change.id
    join ${sql.table(owners!)} owner on owner.account_id = ${accountId} and owner.id = change.id
    where follower.user_id is distinct from ${userId}
    order by change.id, follower.user_id`.execute(db);
}

export interface Warning {
  readonly rule: string;
  readonly title: string;
  readonly message: string;
}

export interface StandingWarning extends Warning {
  readonly id: number;
  readonly user_id: number;
}

/** The warnings that a tracking is to have, and those it has. */
export interface Judgement {
  readonly timeTracking: { readonly id: number; readonly user_id: number };
  readonly warnings: readonly Warning[];
  readonly standing: readonly StandingWarning[];
}

/** Makes the warnings of each tracking exactly these: new ones are raised, standing ones kept, others withdrawn. */
export async function setWarnings(db: Db, accountId: number, workspaceId: number, judgements: readonly Judgement[], now: Date): Promise<void> {
  const withdrawn = judgements.flatMap(({ warnings, standing }) => standing.filter(({ rule }) => warnings.every((warning) => warning.rule !== rule)));
  if (withdrawn.length > 0) {
    const ids = withdrawn.map(({ id }) => id);
    await db.deleteFrom('notifications').where('account_id', '=', accountId).where('id', 'in', ids).execute();
  }
  // What stands and still says the same is left alone.
  const raised = judgements.flatMap(({ timeTracking: { id, user_id }, warnings, standing }) =>
    warnings
      .filter((warning) => !standing.some((other) => other.user_id === user_id && isSame(warning, other)))
      .map((warning) => ({ user_id, time_tracking_id: id, ...warning })),
  );
  if (raised.length === 0) return;
  const rows = raised.map((warning) => ({
    ...warning,
    account_id: accountId,
    workspace_id: workspaceId,
    type: 'trigger_warning',
    created_at: now,
    updated_at: now,
  }));
  await db
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'time_tracking_id', 'rule'])
        .where('rule', 'is not', null)
        .doUpdateSet((eb) => ({
          user_id: eb.ref('excluded.user_id'),
          title: eb.ref('excluded.title'),
          message: eb.ref('excluded.message'),
          updated_at: eb.ref('excluded.updated_at'),
        })),
    )
    .execute();
}

const isSame = (one: Warning, other: Warning): boolean => one.rule === other.rule && one.title === other.title && one.message === other.message;
