import { describe, expect, it } from 'vitest';
import { tokenHash } from '../../../../../src/platform/core/secrets.ts';
import { pointersIn } from '../../../../support/client.ts';
import { newEmail, password, signIn } from '../../../../support/people.ts';
import { service, serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { generalToken, invite, join, personalToken } from '../invitations/support.ts';
import {
  confirm,
  confirmationToken,
  create,
  mailsTo,
  resetToken,
  setPassword,
  squatter,
  welcomeToken,
} from './support.ts';
import { call } from '../../../../support/client.ts';

/** Whether another account is refused the address. */
async function isProven(email: string): Promise<boolean> {
  const { status, body } = await create(await newWorld(), email);
  if (status === 400) expect(body.errors[0]).toMatchObject({ code: 'taken', source: { pointer: 'email' } });
  return status === 400;
}

describe('an address is proven', () => {
  it('by the link that a sign-up mails, which also confirms the account', async () => {
    const { email, call: callAs } = await squatter();
    expect(await isProven(email)).toBe(false);
    const token = await confirmationToken(email);
    const answer = await confirm(token);
    expect([answer.status, answer.body.meta.success]).toEqual([200, 'The e-mail address is confirmed.']);
    expect(await isProven(email)).toBe(true);
    const { body } = await callAs('listEvents');
    const named = (name: string) =>
      body.data.filter(({ attributes }: { attributes: { name: string } }) => attributes.name === name);
    expect(named('account.updated')).toHaveLength(1);
    expect(named('user.updated')).toMatchObject([{ attributes: { changes: { email_confirmed: [false, true] } } }]);
    const again = await confirm(token);
    expect([again.status, pointersIn(again)]).toEqual([400, ['confirmation_token']]);
  });

  it('by setting a password with a mailed link', async () => {
    const invited = newEmail();
    await create(await newWorld(), invited);
    expect((await setPassword(await welcomeToken(invited))).status).toBe(200);
    expect(await isProven(invited)).toBe(true);

    const { email } = await squatter();
    await call('v3', 'requestPasswordReset', { body: bodyOf('user', { email }) });
    expect((await setPassword(await resetToken(email, 'Reset your password'))).status).toBe(200);
    expect(await isProven(email)).toBe(true);
  });

  it('by joining with a personal invitation under the address that it was mailed to, and no other', async () => {
    const world = await newWorld();
    const join1 = { email: newEmail() };
    const created = await create(world, join1.email);
    const token = await personalToken(world, { id: created.body.data.id, email: join1.email });
    expect((await join({ token, email: join1.email.toUpperCase() })).status).toBe(200);
    expect(await isProven(join1.email)).toBe(true);

    const [mailed, chosen] = [newEmail(), newEmail()];
    const other = await create(world, mailed);
    const second = await personalToken(world, { id: other.body.data.id, email: mailed });
    expect((await join({ token: second, email: chosen })).status).toBe(200);
    expect(await isProven(chosen)).toBe(false);
    expect((await confirm(await confirmationToken(chosen))).status).toBe(200);
    expect(await isProven(chosen)).toBe(true);
  });

  it('not by joining with a general invitation, which mails a link', async () => {
    const email = newEmail();
    expect((await join({ token: await generalToken(await newWorld()), email })).status).toBe(200);
    expect(await isProven(email)).toBe(false);
    expect((await confirm(await confirmationToken(email))).status).toBe(200);
    expect(await isProven(email)).toBe(true);
  });

  it('anew after it has changed, but not for another case of its letters', async () => {
    const world = await newWorld();
    const email = newEmail();
    const { body } = await create(world, email);
    await setPassword(await welcomeToken(email));
    const update = (to: string) =>
      world.admin.call('updateUser', { params: { user_id: body.data.id }, body: bodyOf('user', { email: to }) });
    expect((await update(email.toUpperCase())).status).toBe(200);
    expect(await isProven(email)).toBe(true);
    const next = newEmail();
    expect((await update(next)).status).toBe(200);
    expect(await isProven(next)).toBe(false);
    const token = await confirmationToken(next);
    expect((await update(newEmail())).status).toBe(200);
    expect((await confirm(token)).status).toBe(400);
  });
});

describe('confirmEmail', () => {
  it('400 for a token that is unknown, expired, of another kind, or of somebody inactive', async () => {
    const { db } = (await service()).database;
    const [late, gone] = [await squatter(), await squatter()];
    const [expired, orphaned] = [await confirmationToken(late.email), await confirmationToken(gone.email)];
    await db
      .updateTable('reset_tokens')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('hash', '=', tokenHash(expired))
      .execute();
    await db.updateTable('users').set({ status: 'inactive' }).where('email', '=', gone.email).execute();
    const email = newEmail();
    await create(await newWorld(), email);
    for (const token of ['unknown', tokenHash(expired), expired, orphaned, await welcomeToken(email)]) {
      const answer = await confirm(token);
      expect([answer.status, pointersIn(answer), answer.body.errors[0].code]).toEqual([
        400,
        ['confirmation_token'],
        'invalid_token',
      ]);
    }
    // The other kind is not accepted here either, and still works where it belongs.
    const { email: mine } = await squatter();
    const token = await confirmationToken(mine);
    expect((await setPassword(token)).status).toBe(400);
    expect((await confirm(token)).status).toBe(200);
    expect((await setPassword(await welcomeToken(email))).status).toBe(200);
  });

  it('200 for one of two who use a token at once', async () => {
    const { email } = await squatter();
    const token = await confirmationToken(email);
    const statuses = (await Promise.all([confirm(token), confirm(token)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400]);
  });

  it('429 after too many wrong tokens', async () => {
    const at = await serviceWith({ SIGN_IN_FAILURES_PER_ADDRESS: '2', TRUST_PROXY: 'true' });
    const headers = { 'X-Forwarded-For': '10.99.98.97' };
    for (const status of [400, 400, 429]) expect((await confirm('guessed', { at, headers })).status).toBe(status);
  });

  it('mails one link, of which only the hash is kept, and no address goes into the queue', async () => {
    const { email } = await squatter();
    const { database } = await service();
    const { rows } = await database.pool.query<{ data: object }>(
      "select data from pgboss.job where name = 'email_confirmation'",
    );
    for (const { data } of rows) expect(Object.keys(data).sort()).toEqual(['accountId', 'userId']);
    const token = await confirmationToken(email);
    expect(await mailsTo(email)).toHaveLength(1);
    const stored = await database.db
      .selectFrom('reset_tokens')
      .selectAll()
      .where('hash', '=', tokenHash(token))
      .execute();
    expect(stored).toMatchObject([{ email, confirms_only: true }]);
    expect((await signIn({ email, password })).status).toBe(200);
  });
});

describe('a link to an address', () => {
  it('is void where the address was changed while it was mailed', async () => {
    const world = await newWorld();
    const email = newEmail();
    const { body } = await create(world, email);
    const token = await welcomeToken(email);
    const { db } = (await service()).database;
    // As if the token had been stored after the change.
    const row = await db
      .selectFrom('reset_tokens')
      .selectAll()
      .where('hash', '=', tokenHash(token))
      .executeTakeFirstOrThrow();
    await world.admin.call('updateUser', {
      params: { user_id: body.data.id },
      body: bodyOf('user', { email: newEmail() }),
    });
    await db.insertInto('reset_tokens').values(row).execute();
    expect((await setPassword(token)).status).toBe(400);
    expect((await invite(world, { user_ids: [body.data.id] })).status).toBe(200);
  });
});
