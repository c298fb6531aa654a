import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { tokenHash } from '../../../../../src/platform/core/secrets.ts';
import { call, pointersIn, titlesIn, type RequestOptions } from '../../../../support/client.ts';
import { callWithTokenOf, givePassword, newEmail, password, signIn } from '../../../../support/people.ts';
import { service, serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

const requestReset = (email: string, others: object = {}) =>
  call('v3', 'requestPasswordReset', { body: bodyOf('user', { email, ...others }) });
const setPassword = (token: unknown, chosen: unknown = 'a new password') =>
  call('v3', 'updatePassword', { body: bodyOf('user', { reset_password_token: token, password: chosen }) });

/** The mails to an address, once everything that is due has been sent. */
async function mailsTo(email: string) {
  const { jobs, mails } = await service();
  await jobs.drain();
  return mails.filter(({ to }) => to === email);
}

const tokenIn = (mail: { text: string }): string =>
  /https:\/\/app\.example\.com\/password\?reset_password_token=([\w-]+)/.exec(mail.text)![1]!;

async function resetTokenFor(email: string): Promise<string> {
  await requestReset(email);
  return tokenIn((await mailsTo(email)).at(-1)!);
}

const storedTokens = async (token: string) =>
  (await service()).database.db.selectFrom('reset_tokens').selectAll().where('hash', '=', tokenHash(token)).execute();
const hoursUntil = (time: Date): number => (time.getTime() - Date.now()) / 3_600_000;

describe('requestPasswordReset', () => {
  it('200 and a mail with a token that is valid for 2 hours, of which only the hash is kept', async () => {
    const { employee } = await newWorld();
    const answer = await requestReset(employee.email.toUpperCase(), { password: '', reset_password_token: '' });
    expect(answer.status).toBe(200);
    expect(answer.body.meta.success).toBe(
      'If the address is known here, instructions to reset the password were sent to it.',
    );
    expect(answer.body.data).toBeUndefined();
    const mails = await mailsTo(employee.email);
    expect(mails).toMatchObject([{ subject: 'Reset your password' }]);
    const [stored] = await storedTokens(tokenIn(mails[0]!));
    expect(stored!.user_id).toBe(employee.id);
    expect(hoursUntil(stored!.expires_at)).toBeCloseTo(2, 1);
  });

  it('200 with the same body, and no mail, for an address that nobody has', async () => {
    const { employee } = await newWorld();
    const email = newEmail();
    await (await service()).jobs.drain();
    const [known, unknown] = [await requestReset(employee.email), await requestReset(email)];
    expect(unknown.status).toBe(200);
    expect(unknown.body.meta.success).toBe(known.body.meta.success);
    // Both did the same work on the way.
    const { rows } = await (
      await service()
    ).database.pool.query("select data from pgboss.job where name = 'password_reset' and state = 'created'");
    expect(rows).toHaveLength(2);
    expect(await mailsTo(email)).toEqual([]);
  });

  it('200 and no mail for somebody who is inactive', async () => {
    const { db, employee } = await newWorld();
    await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', employee.id).execute();
    expect((await requestReset(employee.email)).status).toBe(200);
    expect(await mailsTo(employee.email)).toEqual([]);
  });

  it('200 and no second mail within an hour', async () => {
    const { employee } = await newWorld();
    const answers = [];
    for (let count = 0; count < 7; count++)
      answers.push(await requestReset(count % 2 ? employee.email : employee.email.toUpperCase()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.meta.success)).size).toBe(1);
    expect(await mailsTo(employee.email)).toHaveLength(1);
  });

  it('400 without an address', async () => {
    for (const email of ['', 'nobody', null, 5])
      expect(pointersIn(await requestReset(email as string))).toEqual(['email']);
  });

  it('puts no address and no token into the queue', async () => {
    const { db, employee } = await newWorld();
    await requestReset(employee.email);
    const { rows } = await (
      await service()
    ).database.pool.query<{ data: object }>(
      "select data from pgboss.job where name = 'password_reset' and state = 'created'",
    );
    expect(rows.map(({ data }) => Object.keys(data).sort())).toContainEqual(['accountId', 'userId']);
    expect(JSON.stringify(rows)).not.toContain('@');
    await db.deleteFrom('reset_tokens').where('user_id', '=', employee.id).execute();
  });
});

describe('updatePassword', () => {
  it('200 sets the password, signs in, and ends every session there was', async () => {
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const answer = await setPassword(await resetTokenFor(employee.email));
    expect(answer.status).toBe(200);
    expect(answer.headers['authorization']).toBe(`Bearer ${answer.body.data.attributes.access_token}`);
    expect((await callWithTokenOf(answer, 'getCurrentUser')).body.data.id).toBe(String(employee.id));
    const { status, body } = await employee.call('getCurrentUser');
    expect([status, body.errors[0].code]).toEqual([401, 'session_revoked']);
    const sessions = await callWithTokenOf(answer, 'listSessions');
    expect(sessions.body.data).toMatchObject([{ attributes: { kind: 'password', is_current: true } }]);
    expect((await signIn({ email: employee.email, password })).status).toBe(401);
    expect((await signIn({ email: employee.email, password: 'a new password' })).status).toBe(200);
  });

  it('400 for a token that was used, and for the others that were mailed before', async () => {
    const { admin } = await newWorld();
    const email = newEmail();
    await admin.call('createUser', { body: bodyOf('user', { username: 'Robin', email }) });
    const first = tokenIn((await mailsTo(email))[0]!);
    const second = await resetTokenFor(email);
    expect(second).not.toBe(first);
    expect((await setPassword(second)).status).toBe(200);
    for (const token of [first, second]) {
      const answer = await setPassword(token);
      expect(answer.status).toBe(400);
      expect(pointersIn(answer)).toEqual(['reset_password_token']);
    }
  });

  it('400 for one of two who use a token at once', async () => {
    const { employee } = await newWorld();
    const token = await resetTokenFor(employee.email);
    const answers = await Promise.all([setPassword(token, 'password one'), setPassword(token, 'password two')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('400 for a token that has expired, is unknown, or is of somebody inactive', async () => {
    const { db, employee, admin } = await newWorld();
    const [expired, orphaned] = [await resetTokenFor(employee.email), await resetTokenFor(admin.email)];
    await db
      .updateTable('reset_tokens')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('hash', '=', tokenHash(expired))
      .execute();
    await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', admin.id).execute();
    for (const token of [expired, orphaned, 'unknown', tokenHash(expired)]) {
      const answer = await setPassword(token);
      expect(answer.status).toBe(400);
      expect(titlesIn(answer)).toEqual([
        'reset_password_token is unknown, expired or already used. Request a new one.',
      ]);
    }
  });

  it('400 for a bad password, which does not use the token up', async () => {
    const { employee } = await newWorld();
    const token = await resetTokenFor(employee.email);
    const answer = await setPassword(token, 'short');
    expect(answer.status).toBe(400);
    expect(titlesIn(answer)).toEqual(['password must have at least 8 characters.']);
    expect((await setPassword(token)).status).toBe(200);
  });

  it('400 where token and password are blank', async () => {
    const answer = await setPassword('', ' ');
    expect(answer.status).toBe(400);
    expect(pointersIn(answer).sort()).toEqual(['password', 'reset_password_token']);
  });
});

describe('checkPasswordToken', () => {
  const check = (reset_password_token: unknown, options: RequestOptions = {}) =>
    call('v3', 'checkPasswordToken', { body: bodyOf('user', { reset_password_token }), ...options });

  it('200 for a valid token, which stays valid', async () => {
    const { employee } = await newWorld();
    const token = await resetTokenFor(employee.email);
    const answer = await check(token);
    expect([answer.status, answer.body.data]).toEqual([200, undefined]);
    expect(answer.body.meta.success).toBe('The token is valid. It can be used to set a new password.');
    // Clients also send the attributes alone.
    expect((await call('v3', 'checkPasswordToken', { body: { reset_password_token: token } })).status).toBe(200);
    expect((await setPassword(token)).status).toBe(200);
  });

  it('400 for a token that is wrong, used or expired, or of somebody inactive', async () => {
    const { db, employee, admin, addMember } = await newWorld();
    const leaver = await addMember('employee');
    const [used, expired, orphaned] = [
      await resetTokenFor(employee.email),
      await resetTokenFor(admin.email),
      await resetTokenFor(leaver.email),
    ];
    await setPassword(used);
    await db
      .updateTable('reset_tokens')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('hash', '=', tokenHash(expired))
      .execute();
    await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', leaver.id).execute();
    for (const token of ['wrong', used, expired, orphaned]) {
      const answer = await check(token);
      expect([answer.status, pointersIn(answer)]).toEqual([400, ['reset_password_token']]);
    }
    expect(pointersIn(await check(''))).toEqual(['reset_password_token']);
  });

  it('429 after too many wrong tokens, which count for updatePassword too', async () => {
    const at = await serviceWith({ SIGN_IN_FAILURES_PER_ADDRESS: '2', TRUST_PROXY: 'true' });
    const headers = { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` };
    for (const status of [400, 400, 429]) expect((await check('guessed', { at, headers })).status).toBe(status);
    const body = bodyOf('user', { reset_password_token: 'guessed', password });
    expect((await call('v3', 'updatePassword', { at, headers, body })).status).toBe(429);
  });
});

describe('an invitation', () => {
  it('goes to a new user with an address, and sets their first password within 7 days', async () => {
    const { admin } = await newWorld();
    const email = newEmail();
    await admin.call('createUser', { body: bodyOf('user', { username: 'Robin', email }) });
    const mails = await mailsTo(email);
    expect(mails).toMatchObject([{ subject: 'Welcome to Punchcard', text: expect.stringContaining('Hello Robin') }]);
    const token = tokenIn(mails[0]!);
    expect(hoursUntil((await storedTokens(token))[0]!.expires_at)).toBeCloseTo(7 * 24, 1);
    expect((await setPassword(token)).status).toBe(200);
    expect((await signIn({ email, password: 'a new password' })).status).toBe(200);
  });

  it('goes to nobody without an address, and not after a refused creation', async () => {
    const { admin } = await newWorld();
    const email = newEmail();
    const before = (await service()).mails.length;
    await admin.call('createUser', { body: bodyOf('user', { username: 'Robin' }) });
    await admin.call('createUser', { body: bodyOf('user', { username: 'Robin', email, area_ids: [0] }) });
    expect(await mailsTo(email)).toEqual([]);
    expect((await service()).mails).toHaveLength(before);
  });

  it('is invalid once the address has changed', async () => {
    const { admin } = await newWorld();
    const [email, other] = [newEmail(), newEmail()];
    const { body } = await admin.call('createUser', { body: bodyOf('user', { username: 'Robin', email }) });
    const token = tokenIn((await mailsTo(email))[0]!);
    await admin.call('updateUser', { params: { user_id: body.data.id }, body: bodyOf('user', { email: other }) });
    expect((await setPassword(token)).status).toBe(400);
  });
});
