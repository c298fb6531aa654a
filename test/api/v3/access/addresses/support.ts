import { call, type RequestOptions } from '../../../../support/client.ts';
import { callWithTokenOf, newEmail, password, signUp } from '../../../../support/people.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, type World } from '../../../../support/world.ts';

/** All mails to an address, once everything that is due has been sent. */
export async function mailsTo(email: string, subject?: string) {
  const { jobs, mails } = await service();
  await jobs.drain();
  return mails.filter((mail) => mail.to === email && (subject === undefined || mail.subject === subject));
}

const tokenIn = (mail: { text: string } | undefined, name: string): string =>
  new RegExp(`${name}=([\\w-]{43})`).exec(mail!.text)![1]!;

export const confirmationToken = async (email: string): Promise<string> =>
  tokenIn((await mailsTo(email, 'Confirm your e-mail address')).at(-1), 'confirmation_token');

export const resetToken = async (email: string, subject: string): Promise<string> =>
  tokenIn((await mailsTo(email, subject)).at(-1), 'reset_password_token');

export const welcomeToken = (email: string) => resetToken(email, 'Welcome to Punchcard');

export const confirm = (confirmation_token: string, options: RequestOptions = {}) =>
  call('v3', 'confirmEmail', { body: bodyOf('user', { confirmation_token }), ...options });

export const setPassword = (reset_password_token: string, attributes: object = {}) =>
  call('v3', 'updatePassword', {
    body: bodyOf('user', { reset_password_token, password: 'a password of mine', ...attributes }),
  });

export const checkToken = (reset_password_token: string) =>
  call('v3', 'checkPasswordToken', { body: { reset_password_token } });

/** Somebody who has signed up with an address, which may not be theirs. */
export async function squatter(email = newEmail(), username = 'Squat Ltd') {
  const answer = await signUp({ email, password, username });
  const me = await callWithTokenOf(answer, 'getCurrentUser');
  const workspace_id = me.body.data.relationships.workspaces.data[0].id as string;
  const callIn = (operation: string, options: RequestOptions = {}) =>
    callWithTokenOf(answer, operation, { ...options, params: { workspace_id, ...options.params } });
  return { email, call: callIn, workspace_id, id: me.body.data.id as string };
}

export const create = ({ admin }: Pick<World, 'admin'>, email: string, username = 'Robin') =>
  admin.call('createUser', { body: bodyOf('user', { username, email }) });
