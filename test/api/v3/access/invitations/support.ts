import { call, type RequestOptions } from '../../../../support/client.ts';
import { issueApiKey, newEmail, password } from '../../../../support/people.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, type World } from '../../../../support/world.ts';

let apiKey: Promise<string> | undefined;

/** Calls an operation that needs no more than an Api-Key. */
export async function callWithKey(operationId: string, options: RequestOptions = {}) {
  apiKey ??= issueApiKey();
  return call('v3', operationId, { ...options, headers: { 'Api-Key': await apiKey, ...options.headers } });
}

export const tokenIn = (text: string): string =>
  /https:\/\/app\.example\.com\/join-workspace\/([\w-]{43})\?lang=\w+/.exec(text)![1]!;

/** The mails with an invitation to an address, once everything that is due has been sent. */
export async function invitationsTo(email: string) {
  const { jobs, mails } = await service();
  await jobs.drain();
  return mails.filter(({ to, subject }) => to === email && subject === 'Join your workspace');
}

/** A member of the workspace who has never signed in. */
export async function newInvitee({ admin }: Pick<World, 'admin'>, username = 'Jamie') {
  const email = newEmail();
  const { body } = await admin.call('createUser', { body: bodyOf('user', { username, email }) });
  return { id: body.data.id as string, email, username };
}

export const invite = ({ admin }: Pick<World, 'admin'>, attributes: object) =>
  admin.call('batchInvitations', { body: bodyOf('invitation', attributes) });

/** Invites a user and returns the token in the mail. */
export async function personalToken(world: World, invitee: { id: string; email: string }, texts: object = {}) {
  await invite(world, { all: false, user_ids: [invitee.id], ...texts });
  return tokenIn((await invitationsTo(invitee.email)).at(-1)!.text);
}

/** Creates the general invitation of the workspace and returns its token. */
export async function generalToken({ admin }: Pick<World, 'admin'>, texts: object = {}): Promise<string> {
  const { body } = await admin.call('createInvitation', { body: bodyOf('invitation', texts) });
  return tokenIn(body.meta.message);
}

export const join = (attributes: object, options: RequestOptions = {}) =>
  callWithKey('joinWorkspace', {
    body: bodyOf('user', { username: 'Jamie', email: newEmail(), password, ...attributes }),
    ...options,
  });

export const lookUps = (token: string) =>
  [
    ['getInvitedUser', { query: { invite_token: token } }],
    ['getInvitation', { params: { invite_token: token } }],
    ['listInvitedUsers', { query: { invite_token: token } }],
  ] as const;
