import type { Show } from '../show.ts';

const person = <Attributes extends object>(attributes: Attributes) => ({ data: { type: 'user' as const, attributes } });

/** Somebody signs up, forgets her password, and leaves. */
export async function gettingIn(show: Show): Promise<void> {
  const { stage } = show;
  const email = 'dana@example.com';
  await show('getStatus', {});
  await show(
    'signUp',
    { body: person({ email, password: 'correct horse battery', username: 'Dana Miller' }) },
    {
      400: { body: person({ email: 'admin@example.com', password: 'short', username: 'Dana Miller' }) },
      403: { at: await stage.variant({ SIGN_UP: 'off' }) },
      429: {
        at: await stage.variant({ SIGN_UPS_PER_HOUR: '1' }),
        body: person({ email: 'quinn@example.com', password: 'correct horse battery', username: 'Quinn Miller' }),
        times: 2,
      },
    },
  );
  await show(
    'signIn',
    { body: person({ email: 'admin@example.com', password: 'demo-password' }) },
    {
      400: { body: person({ email: 'admin@example.com' }) },
      401: { body: person({ email: 'admin@example.com', password: 'not the password' }) },
      429: {
        at: await stage.variant({ SIGN_IN_FAILURES_PER_PAIR: '1' }),
        body: person({ email, password: 'not the password' }),
        times: 2,
      },
    },
  );
  await show('requestPasswordReset', { body: person({ email }) }, { 400: { body: person({ email: 'dana' }) } });
  await stage.drain();
  const reset_password_token = /reset_password_token=([\w-]+)/.exec(stage.mails.at(-1)!.text)![1]!;
  const { data } = await show(
    'updatePassword',
    { body: person({ email, reset_password_token, password: 'an even better one' }) },
    { 400: { body: person({ email, reset_password_token: 'used-before', password: 'an even better one' }) } },
  );
  await show('signOut', { token: data.attributes.access_token });
}
