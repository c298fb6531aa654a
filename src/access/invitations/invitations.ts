import { randomUUID } from 'node:crypto';
import type { components } from '../../../generated/v3.ts';
import { refuse, type Problem } from '../../platform/core/errors.ts';
import { numericIds, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { newResetToken, tokenHash } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lockUsers, lockWorkspace } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { enqueueAll } from '../../platform/jobs/queue.ts';
import { recordInvitations, registerInvitation } from '../../organisation/users/emails.ts';
import { memberProblems } from '../../organisation/users/memberships.ts';

type Schemas = components['schemas'];
type Texts = Schemas['InvitationCreation']['data']['attributes'];
type Batch = Schemas['InvitationBatch']['data']['attributes'];

const daysOfGeneralInvitation = 14;

/** The address of the page on which people join with a token. */
export const joinAddress = (appUrl: string, token: string, locale: string): string =>
  `${appUrl}/join-workspace/${token}?lang=${encodeURIComponent(locale)}`;

/** Creates the general invitation of the actor's workspace, which withdraws the one before. Returns its address. */
export async function createInvitation(
  db: OpenTransaction,
  actor: WorkspaceActor,
  { checkin = false, welcome_message = null }: Texts,
  appUrl: string,
  now: Date,
): Promise<string> {
  const { accountId, workspace } = actor;
  const token = newResetToken();
  const invitation = {
    id: randomUUID(),
    hash: tokenHash(token),
    checkin,
    welcome_message,
    expires_at: new Date(now.getTime() + daysOfGeneralInvitation * 24 * 3_600_000),
    used_at: null,
    created_at: now,
  };
  const before = await lockGeneralInvitation(db, actor);
  await registerInvitation(db, accountId, invitation.hash, before?.hash);
  const after = await db
    .insertInto('invitations')
    .values({ ...invitation, account_id: accountId, workspace_id: workspace.id })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'workspace_id']).where('user_id', 'is', null).doUpdateSet(invitation),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  if (before) recordInvitations(db, actor, 'deleted', [{ before, after: null }], now);
  recordInvitations(db, actor, 'created', [{ before: null, after }], now);
  const { locale } = await db
    .selectFrom('workspaces')
    .select('locale')
    .where('account_id', '=', accountId)
    .where('id', '=', workspace.id)
    .executeTakeFirstOrThrow();
  return joinAddress(appUrl, token, locale);
}

/** The general invitation of the workspace, if there is one. The workspace is locked, so that no two requests replace the same one. */
async function lockGeneralInvitation(tx: OpenTransaction, { accountId, workspace }: WorkspaceActor) {
  await lockWorkspace(tx, { accountId, id: workspace.id });
  return tx
    .selectFrom('invitations')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('user_id', 'is', null)
    .executeTakeFirst();
}

/** Invites users of the actor's workspace by mail: those who are named, or all who can be invited. Returns their number. */
export async function inviteUsers(
  db: OpenTransaction,
  actor: WorkspaceActor,
  { all = false, user_ids = [], checkin = false, welcome_message = null }: Batch,
  now: Date,
): Promise<number> {
  const { accountId, workspace } = actor;
  if (!all) refuse(await invitationProblems(db, actor, user_ids));
  const invitable = members(db, actor)
    .where('users.email', 'is not', null)
    .where('users.status', '=', 'active')
    .where('users.password_hash', 'is', null);
  const chosen = all ? invitable : invitable.where(isAnyOf('users.id', numericIds(user_ids).numbers));
  const ids = (await chosen.select('users.id').execute()).map(({ id }) => id);
  const replaced = await lockInvitations(db, accountId, ids);
  if (ids.length === 0) return 0;
  const invited = await db
    .insertInto('invitations')
    .values(
      ids.map((id) => ({
        account_id: accountId,
        workspace_id: workspace.id,
        user_id: id,
        id: randomUUID(),
        checkin,
        welcome_message,
        created_at: now,
      })),
    )
    // The token that was mailed before works until the new mail replaces it.
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'user_id'])
        .where('user_id', 'is not', null)
        .doUpdateSet(({ ref }) => ({
          id: ref('excluded.id'),
          workspace_id: ref('excluded.workspace_id'),
          checkin: ref('excluded.checkin'),
          welcome_message: ref('excluded.welcome_message'),
          used_at: null,
          created_at: ref('excluded.created_at'),
        })),
    )
    .returningAll()
    .execute();
  recordInvitations(
    db,
    actor,
    'deleted',
    replaced.map((before) => ({ before, after: null })),
    now,
  );
  // A row that was replaced still has its former token, which the new invitation does not have.
  const created = invited.map((row) => ({ before: null, after: { ...row, hash: null } }));
  recordInvitations(db, actor, 'created', created, now);
  const mails = invited.map(({ id }) => ({ accountId, invitationId: id }));
  await enqueueAll(db, 'workspace_invitation', accountId, mails);
  return invited.length;
}

/** The unused invitations of users. The users are locked, so that no two requests invite the same one at once. */
async function lockInvitations(tx: OpenTransaction, accountId: number, userIds: readonly number[]) {
  await lockUsers(tx, { accountId, ids: userIds });
  return tx
    .selectFrom('invitations')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(isAnyOf('user_id', userIds))
    .where('used_at', 'is', null)
    .execute();
}

const members = (db: Db, { accountId, workspace }: WorkspaceActor) =>
  db
    .selectFrom('users')
    .innerJoin('memberships', (join) =>
      join
        .on('memberships.account_id', '=', accountId)
        .on('memberships.workspace_id', '=', workspace.id)
        .onRef('memberships.user_id', '=', 'users.id'),
    )
    .where('users.account_id', '=', accountId)
    .where('users.deleted_at', 'is', null);

/** The problems of users who cannot be invited. Each problem lists its users. */
async function invitationProblems(db: Db, actor: WorkspaceActor, ids: readonly Id[]): Promise<Problem[]> {
  const named = await members(db, actor)
    .select(['users.id', 'users.email', 'users.status'])
    .select((eb) => eb('users.password_hash', 'is not', null).as('has_password'))
    .where(isAnyOf('users.id', numericIds(ids).numbers))
    .orderBy('users.id')
    .execute();
  const problem = (who: string, users: typeof named): Problem[] =>
    users.length === 0
      ? []
      : [
          {
            code: 'unusable_reference',
            pointer: 'user_ids',
            title: `user_ids names users ${who}: ${users.map(({ id }) => id).join(', ')}.`,
          },
        ];
  return [
    ...(await memberProblems(db, actor, 'user_ids', ids)),
    ...problem(
      'without an e-mail address',
      named.filter(({ email }) => !email),
    ),
    ...problem(
      'who are inactive',
      named.filter(({ status }) => status !== 'active'),
    ),
    ...problem(
      'who have signed in before',
      named.filter(({ has_password }) => has_password),
    ),
  ];
}
