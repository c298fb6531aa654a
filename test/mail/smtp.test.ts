import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { authJobs } from '../../src/auth/mails.ts';
import { openMailer } from '../../src/mail/mailer.ts';
import { call } from '../support/client.ts';
import { service } from '../support/service.ts';
import { bodyOf, newWorld } from '../support/world.ts';

interface Letter {
  readonly from: string;
  readonly to: readonly string[];
  readonly content: string;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A real mail server that keeps what it is given, or refuses everything. */
async function mailServer({ refuses = false } = {}): Promise<{ url: string; letters: Letter[] }> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, next) => next(refuses ? new Error('Not today') : null),
    onData(stream, { envelope }, next) {
      void text(stream).then((content) => {
        letters.push({ from: envelope.mailFrom ? envelope.mailFrom.address : '', to: envelope.rcptTo.map(({ address }) => address), content });
        next();
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  open.push(() => new Promise((resolve) => server.close(() => resolve())));
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, letters };
}

const mailerTo = (smtpUrl: string) => openMailer({ smtpUrl, mailFrom: 'Punchcard <punchcard@example.com>', dataDir: '/nowhere' });

describe('mail over SMTP', () => {
  it('carries a link with which a password can be set', async () => {
    const { admin, accountId, db } = await newWorld();
    const { url, letters } = await mailServer();
    const mailer = mailerTo(url);
    await authJobs(db, mailer, 'https://app.example.com')['password_reset']!({ accountId, userId: admin.id } as never);
    mailer.close();

    expect(letters).toMatchObject([{ from: 'punchcard@example.com', to: [admin.email] }]);
    const plain = letters[0]!.content.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const token = /https:\/\/app\.example\.com\/password\?reset_password_token=([\w-]+)/.exec(plain)![1]!;
    const attributes = { email: admin.email, reset_password_token: token, password: 'a new password' };
    expect((await call('v3', 'updatePassword', { body: bodyOf('user', attributes) })).status).toBe(200);
  });

  it('fails the job, and not the request, when the mail server refuses', async () => {
    const { admin, accountId, db } = await newWorld();
    const { url } = await mailServer({ refuses: true });
    const mailer = mailerTo(url);
    const jobs = authJobs(db, mailer, 'https://app.example.com');
    expect((await call('v3', 'requestPasswordReset', { body: bodyOf('user', { email: admin.email }) })).status).toBe(200);
    await expect(jobs['password_reset']!({ accountId, userId: admin.id } as never)).rejects.toThrow('Not today');
    mailer.close();
    await (await service()).jobs.drain();
  });
});
