import type { Recorder } from '../recorder.ts';

const person = <Attributes extends object>(attributes: Attributes) => ({ data: { type: 'user' as const, attributes } });

/** A user signs up, resets their password and signs out. */
export async function signingIn(record: Recorder): Promise<void> {
  const { server } = record;
  const email = 'dana@example.com';
  await record('getStatus', {});
  await record(
    'signUp',
    { body: person({ email, password: 'correct horse battery', username: 'Dana Miller' }) },
    {
      400: { body: person({ email: 'admin@example.com', password: 'short', username: 'Dana Miller' }) },
      403: { at: await server.startVariant({ settings: { SIGN_UP: 'off' } }) },
      429: {
        at: await server.startVariant({ settings: { SIGN_UPS_PER_HOUR: '1' } }),
        body: person({ email: 'quinn@example.com', password: 'correct horse battery', username: 'Quinn Miller' }),
        times: 2,
      },
    },
  );
  const strict = await server.startVariant({ settings: { SIGN_IN_FAILURES_PER_ADDRESS: '1' } });
  await server.drain();
  const { text } = server.mails.find(({ to }) => to === email)!;
  const confirmation_token = /confirmation_token=([\w-]+)/.exec(text)![1]!;
  await record(
    'confirmEmail',
    { body: person({ confirmation_token }) },
    {
      400: { body: person({ confirmation_token: 'used-before' }) },
      429: { at: strict, body: person({ confirmation_token: 'guessed' }), times: 2 },
    },
  );
  await record(
    'signIn',
    { body: person({ email: 'admin@example.com', password: 'demo-password' }) },
    {
      400: { body: person({ email: 'admin@example.com' }) },
      401: { body: person({ email: 'admin@example.com', password: 'not the password' }) },
      429: {
        at: await server.startVariant({ settings: { SIGN_IN_FAILURES_PER_PAIR: '1' } }),
        body: person({ email, password: 'not the password' }),
        times: 2,
      },
    },
  );
  await record(
    'requestPasswordReset',
    { body: person({ email }) },
    {
      400: { body: person({ email: 'dana' }) },
      429: { at: strict, body: person({ email: 'nobody@example.com' }), times: 2 },
    },
  );
  await server.drain();
  const reset_password_token = /reset_password_token=([\w-]+)/.exec(server.mails.at(-1)!.text)![1]!;
  await record(
    'checkPasswordToken',
    { body: person({ reset_password_token }) },
    {
      400: { body: person({ reset_password_token: 'used-before' }) },
      429: { at: strict, body: person({ reset_password_token: 'guessed' }), times: 2 },
    },
  );
  const { data } = await record(
    'updatePassword',
    { body: person({ email, reset_password_token, password: 'an even better one' }) },
    {
      400: { body: person({ email, reset_password_token: 'used-before', password: 'an even better one' }) },
      429: {
        at: strict,
        body: person({ email, reset_password_token: 'guessed', password: 'an even better one' }),
        times: 2,
      },
    },
  );
  await record('signOut', { token: data.attributes.access_token });
}

/** Signs up a person of another account, and returns their token. */
export async function signUpDana(record: Recorder): Promise<string> {
  const dana = { email: 'dana@example.com', password: 'correct horse battery', username: 'Dana Miller' };
  await record.sendOnly('signUp', { body: person(dana) });
  await record.server.drain();
  const { text } = record.server.mails.findLast(({ to }) => to === dana.email)!;
  const confirmation_token = /confirmation_token=([\w-]+)/.exec(text)![1]!;
  await record.sendOnly('confirmEmail', { body: person({ confirmation_token }) });
  const { data } = await record.sendOnly('signIn', { body: person(dana) });
  return data.attributes.access_token;
}
