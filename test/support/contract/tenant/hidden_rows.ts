import { newResetToken, tokenHash } from '../../../../src/platform/core/secrets.ts';
import { cacheMonthsOf } from '../../../../src/days/balance/month_cache_job.ts';
import { givePassword } from '../../people.ts';
import { bodyOf } from '../../world.ts';
import type { Maker } from './maker.ts';
import type { Organisation } from './organisation.ts';

/** Rows that no operation shows: secrets that were mailed, and what the service keeps for itself. */
export async function makeHiddenRows(
  { world, mark, asked }: Maker,
  { ids: { user }, otherWorkspaceId, areaAdmin }: Organisation,
) {
  const { admin, db, accountId: account_id } = world;
  const invitation = await asked(admin, 'createInvitation', {
    params: { workspace_id: otherWorkspaceId },
    body: bodyOf('invitation', { welcome_message: mark }),
  });
  const inviteToken = /join-workspace\/([\w-]+)/.exec(invitation.meta.message)![1]!;
  await cacheMonthsOf(db, account_id, [areaAdmin.id], '2026-03-01');
  const assumed = { account_id, workspace_id: otherWorkspaceId, user_id: user };
  await db.insertInto('assumed_roles').values(assumed).execute();
  await db.insertInto('event_removals').values({ account_id, epoch: 0, transaction_id: '0', id: 0 }).execute();
  await db.insertInto('removed_objects').values({ account_id, object_key: mark }).execute();
  await givePassword(db, { id: user });
  const [resetToken, confirmationToken] = [newResetToken(), newResetToken()];
  const mailed = { account_id, user_id: user, expires_at: new Date(Date.now() + 3_600_000) };
  await db
    .insertInto('reset_tokens')
    .values([
      { ...mailed, hash: tokenHash(resetToken), confirms_only: false },
      { ...mailed, hash: tokenHash(confirmationToken), confirms_only: true },
    ])
    .execute();
  return { inviteToken, resetToken, confirmationToken };
}
