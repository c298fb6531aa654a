import { ownerOfEmail } from '../../organisation/users/emails.ts';
import { recordUser } from '../../organisation/users/events/user_events.ts';
import { storeUserChange } from '../../organisation/users/user_changes.ts';
import { userNamed } from '../../organisation/users/users.ts';
import { rank } from '../../platform/core/ranks.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import { jobActor } from '../../platform/events/record.ts';
import type { JobHandlers } from '../../platform/jobs/queue.ts';
import { notifyAll } from '../../platform/notifications/notifications.ts';

/** The job for a user whose unproven address somebody of another account has proven: they keep everything else. */
export const lostAddressJobs = (db: Db, clock: () => Date): JobHandlers => ({
  address_lost: ({ accountId, userId }: { accountId: number; userId: number }) =>
    forAccount(db, accountId, async (tx) => {
      const now = clock();
      await lockUsers(tx, { accountId, ids: [userId] });
      const user = await userNamed(tx, { accountId, workspace: null, rank: rank.accountAdmin }, userId);
      if (!user?.email || !(await isLost(tx, accountId, userId, user.email))) return;
      const actor = { ...jobActor(accountId), workspace: null };
      await storeUserChange(tx, actor, user, { email: null }, now);
      recordUser(tx, actor, 'updated', { before: user, after: { ...user, email: null } }, now);
      await tellAdmins(tx, accountId, user, now);
    }),
});

/** Whether the address belongs to somebody else, or to nobody any more. Their admins may have given them another one meanwhile. */
async function isLost(tx: OpenTransaction, accountId: number, userId: number, email: string): Promise<boolean> {
  const owner = await ownerOfEmail(tx, email);
  if (!owner) return true;
  return owner.provenAt !== null && !(owner.accountId === accountId && owner.userId === userId);
}

async function tellAdmins(
  tx: OpenTransaction,
  accountId: number,
  { username, workspace_ids }: { readonly username: string; readonly workspace_ids: readonly number[] },
  now: Date,
): Promise<void> {
  const admins = await tx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('is_account_admin', '=', true)
    .where('status', '=', 'active')
    .orderBy('id')
    .execute();
  const [workspaceId = await firstWorkspace(tx, accountId)] = workspace_ids;
  const notices = admins.map(({ id }) => ({
    user_id: id,
    title: 'A user has lost their e-mail address',
    message: `Somebody in another account has followed a link that was mailed to the address of ${username}, which nobody had confirmed here. ${username} keeps their account, but cannot sign in with this address any more. Give them an address that they confirm.`,
    owner: null,
  }));
  await notifyAll(tx, accountId, workspaceId, notices, now);
}

async function firstWorkspace(tx: OpenTransaction, accountId: number): Promise<number> {
  const { id } = await tx
    .selectFrom('workspaces')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  return id;
}
