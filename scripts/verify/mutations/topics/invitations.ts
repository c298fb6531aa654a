import type { Mutation } from '../mutation.ts';

const joining = ['test/v3/invitations/joining.test.ts'];
const personal = ['test/v3/invitations/personal_invitations.test.ts'];

/** Invitations, and what their tokens show and allow. */
export const invitationMutations: readonly Mutation[] = [
  {
    file: 'src/invitations/pending.ts',
    find: "          eb('invitation.used_at', 'is', null),\n          eb('membership.user_id', 'is not', null),",
    replace: "          eb('invitation.used_at', 'is', null),\n          eb('invitation.user_id', 'is not', null),",
    breaks: 'Somebody joins a workspace that they were removed from after the invitation.',
    tests: personal,
  },
  {
    file: 'src/invitations/pending.ts',
    find: "and([eb('invitation.user_id', 'is', null), eb('invitation.expires_at', '>', now)]),",
    replace: "eb('invitation.user_id', 'is', null),",
    breaks: 'The page behind a general invitation is shown after it has expired.',
    tests: ['test/v3/invitations/general_invitations.test.ts'],
  },
  {
    file: 'src/invitations/join.ts',
    find: 'if (taken.length > 0) await countRefusal(db, caller, now);',
    replace: '',
    breaks: 'With one invitation, any number of addresses can be tried out.',
    tests: joining,
  },
  {
    file: 'src/invitations/invited_users.ts',
    find: "userId === null ? sql<string>`''` : sql<string>`coalesce(users.email, '')`",
    replace: "sql<string>`coalesce(users.email, '')`",
    breaks: 'A general invitation shows the addresses of all invited users.',
    tests: joining,
  },
  {
    file: 'src/invitations/mails.ts',
    find: '.set({ hash })',
    replace: '.set({ hash: before.hash ?? hash })',
    breaks: 'The token of a second invitation does not work.',
    tests: personal,
  },
  {
    file: 'src/users/user_changes.ts',
    find: '  await withdrawInvitation(db, actor, user.id, now);\n',
    replace: '',
    breaks: 'An invitation that was mailed to an old address still works.',
    tests: personal,
  },
];
