import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { greetingOf } from '../../../../src/access/auth/mails.ts';
import { readConfig } from '../../../../src/platform/config.ts';
import { jobHandlers } from '../../../../src/programs/job_handlers.ts';
import { openMailer, type Mailer } from '../../../../src/platform/notifications/mailer.ts';
import { call, pointersIn, titlesIn } from '../../../support/client.ts';
import { callWithTokenOf, newEmail, password, signUp } from '../../../support/people.ts';
import { service } from '../../../support/service.ts';
import { openSmtpServer } from '../../../support/servers/smtp.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';

/** The test runs the jobs itself, at times that it chooses. The queue does not run them. */
let smtp: Awaited<ReturnType<typeof openSmtpServer>>;
let mailer: Mailer;
beforeAll(async () => {
  smtp = await openSmtpServer();
  mailer = mailerTo(smtp.port);
});
afterAll(async () => {
  mailer.close();
  await new Promise<void>((resolve) => smtp.server.close(() => resolve()));
});

const mailerTo = (port: number): Mailer =>
  openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'service@example.com', dataDir: os.tmpdir() });

const mailsTo = (email: string) => smtp.received.filter(({ to }) => to.includes(email));
const tokenIn = (text: string): string => /reset_password_token=([\w-]{43})/.exec(text)![1]!;
const start = Date.now();
const minutesLater = (minutes: number) => new Date(start + minutes * 60_000);

/** Runs the job that sends a mail, as a worker would. */
async function run(
  queue: 'invitation' | 'password_reset',
  addressee: { accountId: number; userId: number },
  { at = minutesLater(0), jobId = randomUUID() as string, through = mailer, settings = {} } = {},
): Promise<void> {
  const { db } = (await service()).database;
  const config = readConfig({ APP_URL: 'https://app.example.com', ...settings });
  await jobHandlers(db, through, config, () => at)[queue]!(addressee as never, jobId);
}

async function invited({ admin }: Pick<World, 'admin'>, email = newEmail(), username = 'Robin'): Promise<number> {
  const { status, body } = await admin.call('createUser', { body: bodyOf('user', { username, email }) });
  expect(status).toBe(201);
  return Number(body.data.id);
}

/** The jobs of a user that wait for a later time. */
async function postponed(userId: number): Promise<number> {
  const { rows } = await (
    await service()
  ).database.pool.query(
    `select from pgboss.job where name = 'invitation' and state = 'created' and (data->>'userId')::bigint = $1
       and start_after > now() + interval '50 minutes'`,
    [userId],
  );
  return rows.length;
}

describe('password resets', () => {
  it('are one mail per address and hour', async () => {
    const { accountId, employee } = await newWorld();
    const addressee = { accountId, userId: employee.id };
    for (const minutes of [0, 1, 59]) await run('password_reset', addressee, { at: minutesLater(minutes) });
    expect(mailsTo(employee.email)).toHaveLength(1);
    await run('password_reset', addressee, { at: minutesLater(60) });
    expect(mailsTo(employee.email)).toHaveLength(2);
  });

  it('can be asked for again at once when the link was used', async () => {
    const { accountId, employee } = await newWorld();
    const addressee = { accountId, userId: employee.id };
    await run('password_reset', addressee);
    const reset_password_token = tokenIn(mailsTo(employee.email)[0]!.text);
    const used = await call('v3', 'updatePassword', { body: bodyOf('user', { reset_password_token, password }) });
    expect(used.status).toBe(200);
    await run('password_reset', addressee);
    expect(mailsTo(employee.email)).toHaveLength(2);
  });

  it('are one mail although many are asked for at the same moment', async () => {
    const { accountId, employee } = await newWorld();
    await Promise.all(Array.from({ length: 10 }, () => run('password_reset', { accountId, userId: employee.id })));
    expect(mailsTo(employee.email)).toHaveLength(1);
  });

  it('are sent although the mail server refused them at first', async () => {
    const refusing = await openSmtpServer({ refuses: true });
    const through = mailerTo(refusing.port);
    const { accountId, employee } = await newWorld();
    const addressee = { accountId, userId: employee.id };
    const jobId = randomUUID();
    await expect(run('password_reset', addressee, { jobId, through })).rejects.toThrow('Not today');
    through.close();
    await new Promise<void>((resolve) => refusing.server.close(() => resolve()));
    await run('password_reset', addressee, { jobId, at: minutesLater(1) });
    expect(mailsTo(employee.email)).toHaveLength(1);
  });
});

describe('invitations', () => {
  it('are one mail per address and hour, and the next is sent when the hour is over', async () => {
    const world = await newWorld();
    const { accountId, admin } = world;
    const email = newEmail();
    const first = await invited(world, email);
    await run('invitation', { accountId, userId: first });
    await admin.call('deleteUser', { params: { user_id: first } });
    const second = await invited(world, email);
    await run('invitation', { accountId, userId: second }, { at: minutesLater(5) });
    expect(mailsTo(email)).toHaveLength(1);
    expect(await postponed(second)).toBe(1);
    await run('invitation', { accountId, userId: second }, { at: minutesLater(65) });
    expect(mailsTo(email)).toHaveLength(2);
  });

  it('of one account are limited in a day, and the others are sent later', async () => {
    const world = await newWorld();
    const { accountId } = world;
    const settings = { INVITATIONS_PER_DAY: '3' };
    const emails = Array.from({ length: 5 }, newEmail);
    const ids: number[] = [];
    for (const email of emails) ids.push(await invited(world, email));
    await Promise.all(ids.map((userId) => run('invitation', { accountId, userId }, { settings })));
    const sent = () => emails.filter((email) => mailsTo(email).length > 0);
    expect(sent()).toHaveLength(3);
    const waiting = ids.filter((_, index) => mailsTo(emails[index]!).length === 0);
    for (const userId of waiting) expect(await postponed(userId)).toBe(1);
    for (const userId of waiting)
      await run('invitation', { accountId, userId }, { settings, at: minutesLater(24 * 60) });
    expect(sent()).toHaveLength(5);
  });

  it('of an account from a sign-up are few until its admin has used a link from a mail', async () => {
    const { db } = (await service()).database;
    const email = newEmail();
    const signedUp = await signUp({ email, password, username: 'Robin' });
    const owner = await db
      .selectFrom('directory_emails')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const accountId = owner.account_id;
    const me = await callWithTokenOf(signedUp, 'getCurrentUser');
    const workspace_id = me.body.data.relationships.workspaces.data[0].id;
    const settings = { UNCONFIRMED_MAILS_PER_DAY: '2' };
    const guests = Array.from({ length: 4 }, newEmail);
    const ids: number[] = [];
    for (const guest of guests) {
      const body = bodyOf('user', { username: 'Guest', email: guest });
      const created = await callWithTokenOf(signedUp, 'createUser', { params: { workspace_id }, body });
      ids.push(Number(created.body.data.id));
    }
    for (const userId of ids) await run('invitation', { accountId, userId }, { settings });
    expect(guests.map((guest) => mailsTo(guest).length)).toEqual([1, 1, 0, 0]);

    // A guest who sets a password does not confirm the account.
    const setPassword = (to: string) =>
      call('v3', 'updatePassword', {
        body: bodyOf('user', { reset_password_token: tokenIn(mailsTo(to)[0]!.text), password }),
      });
    expect((await setPassword(guests[0]!)).status).toBe(200);
    await run('invitation', { accountId, userId: ids[2]! }, { settings });
    expect(mailsTo(guests[2]!)).toHaveLength(0);

    await run('password_reset', { accountId, userId: owner.user_id });
    expect((await setPassword(email)).status).toBe(200);
    for (const userId of ids.slice(2)) await run('invitation', { accountId, userId }, { settings });
    expect(guests.map((guest) => mailsTo(guest).length)).toEqual([1, 1, 1, 1]);
  });
});

describe('mails to one address', () => {
  it('are limited in a day', async () => {
    const { accountId, employee } = await newWorld();
    const settings = { MAILS_PER_RECIPIENT_PER_DAY: '3' };
    for (let hour = 0; hour < 6; hour++)
      await run('password_reset', { accountId, userId: employee.id }, { settings, at: minutesLater(hour * 60) });
    expect(mailsTo(employee.email)).toHaveLength(3);
  });
});

describe('names in mails', () => {
  it('cannot contain line breaks and other control characters', async () => {
    const { admin, enterprise } = await newWorld();
    for (const username of ['Robin\nBaker', 'Robin\r', 'Robin\u2028Baker', 'Robin\u0085', 'Robin\u001b[0m']) {
      const refused = await admin.call('createUser', { body: bodyOf('user', { username }) });
      expect([refused.status, pointersIn(refused)]).toEqual([400, ['username']]);
      expect(titlesIn(refused)[0]).toMatch(/^username must not contain line breaks or other control characters/);
      const signedUp = await signUp({ email: newEmail(), password, username });
      expect([signedUp.status, pointersIn(signedUp)]).toEqual([400, ['username']]);
      const enterpriseUser = await enterprise('createPublicUser', { body: { user: { username, location_ids: '1' } } });
      expect(enterpriseUser.status).toBe(400);
    }
  });

  it('are left out where they contain a link or a long text', async () => {
    const world = await newWorld();
    const email = newEmail();
    const userId = await invited(world, email, 'You won! Go to https://evil.example.com/prize');
    await run('invitation', { accountId: world.accountId, userId });
    const { text } = mailsTo(email)[0]!;
    expect(text).toContain('Hello,');
    expect(text).not.toContain('evil');
  });

  it.each([
    ['Robin Baker', 'Hello Robin Baker,'],
    ['Dr. J.R. St. John-Müller', 'Hello Dr. J.R. St. John-Müller,'],
    ['山田 太郎', 'Hello 山田 太郎,'],
    ['evil.com', 'Hello,'],
    ['www.evil.com', 'Hello,'],
    ['evil。com', 'Hello,'],
    ['ｅｖｉｌ．ｃｏｍ', 'Hello,'],
    ['http://10', 'Hello,'],
    ['call me@evil', 'Hello,'],
    ['Robin\nBuy now', 'Hello,'],
    ['x'.repeat(61), 'Hello,'],
  ])('%s is greeted with %s', (username, greeting) => {
    expect(greetingOf(username)).toBe(greeting);
  });
});
