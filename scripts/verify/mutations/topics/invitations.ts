import type { Mutation } from '../mutation.ts';

const joining = ['test/api/v3/access/invitations/joining.test.ts'];
const personal = ['test/api/v3/access/invitations/personal_invitations.test.ts'];

/** Invitations, and what their tokens show and allow. */
export const invitationMutations: readonly Mutation[] = [
  {
    file: 'src/access/invitations/pending.ts',
    find: "          eb('invitation.used_at', 'is', null),\n          eb('membership.user_id', 'is not', null),",
    replace: "          eb('invitation.used_at', 'is', null),\n          eb('invitation.user_id', 'is not', null),",
    breaks: 'Somebody joins a workspace that they were removed from after the invitation.',
    tests: personal,
  },
  {
    file: 'src/access/invitations/pending.ts',
    find: "and([eb('invitation.user_id', 'is', null), eb('invitation.expires_at', '>', now)]),",
    replace: "eb('invitation.user_id', 'is', null),",
    breaks: 'The page behind a general invitation is shown after it has expired.',
    tests: ['test/api/v3/access/invitations/general_invitations.test.ts'],
  },
  {
    file: 'src/access/invitations/join.ts',
    find: 'if (taken.length > 0) await countRefusal(db, caller, now);',
    replace: '',
    breaks: 'With one invitation, any number of addresses can be tried out.',
    tests: joining,
  },
  {
    file: 'src/access/invitations/invited_users.ts',
    find: "userId === null ? sql<string>`''` : sql<string>`coalesce(users.email, '')`",
    replace: "sql<string>`coalesce(users.email, '')`",
    breaks: 'A general invitation shows the addresses of all invited users.',
    tests: joining,
  },
  {
    file: 'src/access/invitations/mails.ts',
    find: '.set({ hash })',
    replace: '.set({ hash: before.hash ?? hash })',
    breaks: 'The token of a second invitation does not work.',
    tests: personal,
  },
  {
    file: 'src/organisation/users/user_changes.ts',
    find: '  await withdrawInvitation(db, actor, user.id, now);\n',
    replace: '',
    breaks: 'An invitation that was mailed to an old address still works.',
    tests: personal,
  },
  {
    file: 'src/access/auth/proven_addresses.ts',
    find: 'if (account !== null && !isTaken)',
    replace: 'if (false)',
    breaks: 'An address is taken from somebody who signs in with it, without a question.',
    tests: ['test/api/v3/access/addresses/taking.test.ts'],
  },
  {
    file: 'src/organisation/users/emails.ts',
    find: 'return owner && !(isInvited && owner.provenAt === null)',
    replace: 'return owner && !isInvited',
    breaks: 'An account invites somebody with an address that another user has proven.',
    tests: ['test/api/v3/access/addresses/proving.test.ts'],
  },
  {
    file: 'src/access/auth/address_limits.ts',
    find: 'for (const key of keys) await requireAttemptsLeft(db, key, limit, now);',
    replace: '',
    breaks: 'An account that was refused too many addresses still learns which ones are free.',
    tests: ['test/api/v3/access/addresses/address_refusals.test.ts'],
  },
];
