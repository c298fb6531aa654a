import { bodyOf, here, type Recorder } from '../recorder.ts';

/** An admin invites people to the workspace, and one of them joins. */
export async function invitations(record: Recorder): Promise<void> {
  const { server } = record;
  const texts = { checkin: true, welcome_message: 'Welcome aboard! Ask Sam for your keys.' };
  await record(
    'createInvitation',
    { path: here, body: bodyOf('invitation', texts) },
    { 400: { body: bodyOf('invitation', { checkin: 'often' }) } },
  );
  const riley = { username: 'Riley Fisher', email: 'riley@example.com' };
  await record(
    'batchInvitations',
    { path: here, body: bodyOf('invitation', { all: false, user_ids: ['4'], ...texts }) },
    { 400: { body: bodyOf('invitation', { all: false, user_ids: ['4', '4711'] }) } },
  );
  const { data: user } = await record.sendOnly('createUser', { path: here, body: bodyOf('user', riley) });
  const ofRiley = bodyOf('invitation', { all: false, user_ids: [user.id], ...texts });
  await record.sendOnly('batchInvitations', { path: here, body: ofRiley });
  await server.drain();
  const token = server.mails.map(({ text }) => /join-workspace\/([\w-]+)/.exec(text)?.[1]).findLast(Boolean)!;
  const withoutKey = { headers: { 'Api-Key': 'unknown' } };
  const at = await server.startVariant({ settings: { SIGN_IN_FAILURES_PER_ADDRESS: '1' } });
  const [query, wrong] = [{ invite_token: token }, { invite_token: 'withdrawn' }];
  const refusals = { 400: { query: wrong }, 401: withoutKey, 429: { at, query: wrong, times: 2 } };
  await record('getInvitedUser', { query }, refusals);
  await record(
    'getInvitation',
    { path: query },
    { 400: { path: wrong }, 401: withoutKey, 429: { at, path: wrong, times: 2 } },
  );
  await record('listInvitedUsers', { query }, refusals);
  const joining = { ...riley, password: 'correct horse battery', token };
  await record(
    'joinWorkspace',
    { body: bodyOf('user', joining) },
    {
      400: { body: bodyOf('user', { ...joining, email: 'admin@example.com' }) },
      401: withoutKey,
      429: { at, body: bodyOf('user', { ...joining, token: 'guessed' }), times: 2 },
    },
  );
}
