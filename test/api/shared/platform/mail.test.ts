import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jobHandlers } from '../../../../src/programs/job_handlers.ts';
import { openJobs } from '../../../../src/platform/jobs/queue.ts';
import { openMailer } from '../../../../src/platform/notifications/mailer.ts';
import { call } from '../../../support/client.ts';
import { newEmail } from '../../../support/people.ts';
import { service } from '../../../support/service.ts';
import { openSmtpServer, type Received } from '../../../support/servers/smtp.ts';
import { bodyOf, newWorld } from '../../../support/world.ts';

const subjectOf = ({ text }: Received): string => /^Subject: (.*?)\r?$/m.exec(text)![1]!;

const tokenIn = (text: string): string =>
  /https:\/\/app\.example\.com\/password\?reset_password_token=([\w-]{43})/.exec(text)![1]!;

describe('mail over SMTP', () => {
  it('delivers an invitation and a reset with a valid token', async () => {
    const { port, received, server } = await openSmtpServer();
    const mailer = openMailer({
      smtpUrl: `smtp://127.0.0.1:${port}`,
      mailFrom: 'Punchcard <service@example.com>',
      dataDir: os.tmpdir(),
    });
    onTestFinished(() => (mailer.close(), new Promise<void>((resolve) => server.close(() => resolve()))));
    expect(mailer.place).toBe(`SMTP server 127.0.0.1:${port}`);

    const { database, directUrl, config } = await service();
    const jobs = await openJobs(database, {
      directUrl,
      handlers: jobHandlers(database.db, mailer, config),
      log: pino({ level: 'silent' }),
    });
    const { admin } = await newWorld();
    const email = newEmail();
    await admin.call('createUser', { body: bodyOf('user', { username: 'Röbin', email }) });
    await call('v3', 'requestPasswordReset', { body: bodyOf('user', { email }) });
    await jobs.drain();

    const mails = received
      .filter(({ to }) => to.includes(email))
      .sort((one, other) => (subjectOf(one) < subjectOf(other) ? 1 : -1));
    expect(mails.map((mail) => [mail.from, mail.to, subjectOf(mail)])).toEqual([
      ['service@example.com', [email], 'Welcome to Punchcard'],
      ['service@example.com', [email], 'Reset your password'],
    ]);
    expect(mails[0]!.text).toContain('Hello R=C3=B6bin');
    for (const [index, mail] of mails.entries()) {
      const body = bodyOf('user', { reset_password_token: tokenIn(mail.text), password: 'a new password' });
      expect((await call('v3', 'updatePassword', { body })).status).toBe(index === 0 ? 200 : 400);
    }
  });

  it('fails and retries the job, but not the request, if the server is down or refuses', async () => {
    const [down, refusing] = [await openSmtpServer(), await openSmtpServer({ refuses: true })];
    await new Promise<void>((resolve) => down.server.close(() => resolve()));
    onTestFinished(() => new Promise<void>((resolve) => refusing.server.close(() => resolve())));
    const { db, admin, accountId } = await newWorld();
    const jobId = randomUUID();
    for (const [{ port }, reason] of [
      [down, 'ECONNREFUSED'],
      [refusing, 'Not today'],
    ] as const) {
      const mailer = openMailer({
        smtpUrl: `smtp://127.0.0.1:${port}`,
        mailFrom: 'service@example.com',
        dataDir: os.tmpdir(),
      });
      expect((await call('v3', 'requestPasswordReset', { body: bodyOf('user', { email: admin.email }) })).status).toBe(
        200,
      );
      const { password_reset: job } = jobHandlers(db, mailer, (await service()).config);
      await expect(job!({ accountId, userId: admin.id } as never, jobId)).rejects.toThrow(reason);
      mailer.close();
    }
    await (await service()).jobs.drain();
  });
});

describe('mail into a folder', () => {
  it('is one file per mail, which mail programs can read', async () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'punchcard-mail-'));
    const mailer = openMailer({ smtpUrl: undefined, mailFrom: 'Punchcard <service@example.com>', dataDir });
    expect(mailer.place).toBe(`the folder ${path.join(dataDir, 'mail')}`);
    for (const subject of ['First', 'Second']) await mailer.send({ to: 'robin@example.com', subject, text: 'Grüße\n' });
    const files = readdirSync(path.join(dataDir, 'mail')).sort();
    expect(files).toHaveLength(2);
    expect(files.every((name) => name.endsWith('.eml'))).toBe(true);
    const mails = files.map((name) => readFileSync(path.join(dataDir, 'mail', name), 'utf8'));
    expect(mails.join()).toMatch(/^From: Punchcard <service@example\.com>$/m);
    expect(mails.join()).toMatch(/^To: robin@example\.com$/m);
    expect(mails.map((mail) => /^Subject: (\w+)$/m.exec(mail)?.[1]).sort()).toEqual(['First', 'Second']);
    mailer.close();
  });
});
