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

/** Tells the followers of a record that it changed, all but the actor himself. */
export async function notifyFollowers(db: Db, { accountId, userId }: Actor, owner: Owner, title: string, message: string, now: Date): Promise<void> {
  const [owners, followers] = 'time_tracking_id' in owner ? ['time_trackings', 'time_tracking_followers'] : ['absences', 'absence_followers'];
  const column = sql.ref(ownerColumn(owner));
  await sql`
    insert into notifications (account_id, workspace_id, type, user_id, title, message, ${column}, created_at, updated_at)
    select ${accountId}, owner.workspace_id, 'notification', follower.user_id, ${title}, ${message}, owner.id, ${now}, ${now}
    from ${sql.table(followers!)} follower
    join ${sql.table(owners!)} owner on owner.account_id = ${accountId} and owner.id = follower.${column}
    where follower.account_id = ${accountId} and follower.${column} = ${ownerId(owner)} and follower.user_id is distinct from ${userId}
    order by follower.user_id`.execute(db);
}

export interface Warning {
  readonly rule: string;
  readonly title: string;
  readonly message: string;
}

/** Makes the warnings of a tracking exactly these: new ones are raised, standing ones kept, others withdrawn. */
export async function setWarnings(
  db: Db,
  accountId: number,
  workspaceId: number,
  timeTracking: { readonly id: number; readonly user_id: number },
  warnings: readonly Warning[],
  now: Date,
): Promise<void> {
  const { id, user_id } = timeTracking;
  await sql`
    delete from notifications
    where account_id = ${accountId} and time_tracking_id = ${id} and rule is not null and rule <> all(${warnings.map(({ rule }) => rule)}::text[])`.execute(db);
  if (warnings.length === 0) return;
  await db
    .insertInto('notifications')
    .values(
      warnings.map((warning) => ({
        account_id: accountId,
        workspace_id: workspaceId,
        type: 'trigger_warning',
        user_id,
        ...warning,
        time_tracking_id: id,
        created_at: now,
        updated_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'time_tracking_id', 'rule'])
        .where('rule', 'is not', null)
        .doUpdateSet((eb) => ({
          user_id: eb.ref('excluded.user_id'),
          title: eb.ref('excluded.title'),
          message: eb.ref('excluded.message'),
          updated_at: eb.ref('excluded.updated_at'),
        }))
        // What stands and still says the same is left alone.
        .where(
          sql<boolean>`(notifications.user_id, notifications.title, notifications.message) is distinct from (excluded.user_id, excluded.title, excluded.message)`,
        ),
    )
    .execute();
}
