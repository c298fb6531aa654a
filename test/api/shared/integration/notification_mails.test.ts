import os from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jobHandlers } from '../../../../src/programs/job_handlers.ts';
import { openJobs } from '../../../../src/platform/jobs/queue.ts';
import { openMailer } from '../../../../src/platform/notifications/mailer.ts';
import { pino } from 'pino';
import { absenceOf, at } from '../../../support/absences.ts';
import { pointersIn } from '../../../support/client.ts';
import { service } from '../../../support/service.ts';
import { openSmtpServer, type Received } from '../../../support/servers/smtp.ts';
import { bodyOf, newWorld, type Person } from '../../../support/world.ts';

/** A real mail server, and a queue that sends to it. */
async function openPost(limits: object = {}) {
  const { port, received, server } = await openSmtpServer();
  const mailer = openMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    mailFrom: 'service@example.com',
    dataDir: os.tmpdir(),
  });
  onTestFinished(() => (mailer.close(), new Promise<void>((resolve) => server.close(() => resolve()))));
  const { database, directUrl, config } = await service();
  const handlers = jobHandlers(database.db, mailer, { ...config, limits: { ...config.limits, ...limits } });
  const jobs = await openJobs(database, { directUrl, handlers, log: pino({ level: 'silent' }) });
  return { jobs, mailsTo: ({ email }: Person) => received.filter(({ to }) => to.includes(email)) };
}

const subjectOf = ({ text }: Received): string => /^Subject: (.*?)\r?$/m.exec(text)![1]!;

const wantMails = async (person: Person, mail_notifications = true) => {
  const { status, body } = await person.call('updateCurrentUser', { body: bodyOf('user', { mail_notifications }) });
  expect([status, body.data.attributes.mail_notifications]).toEqual([200, mail_notifications]);
};

describe('mails about notifications', () => {
  it('go to users who want them, name the event, and contain no details', async () => {
    const { jobs, mailsTo } = await openPost();
    const world = await newWorld();
    const silent = await world.addMember('workspaceAdmin');
    await wantMails(world.admin);
    await wantMails(world.employee);
    const id = await absenceOf(world, world.employee, { title: 'Visit evil.example.com' });
    await world.admin.call('confirmAbsence', at(id));
    await world.admin.call('deleteAbsence', at(id));
    const kept = await absenceOf(world, world.employee);
    await world.admin.call('confirmAbsence', at(kept));
    await jobs.drain();
    // Deleting the absence deleted the notifications about it, except the one about the deletion.
    expect(mailsTo(world.admin).map(subjectOf)).toEqual(['An absence was requested']);
    expect(mailsTo(world.employee).map(subjectOf)).toEqual(['Your absence was deleted', 'Your absence was confirmed']);
    expect(mailsTo(silent)).toEqual([]);
    const [{ text }] = mailsTo(world.admin) as [Received];
    expect(text).toContain('you have a new notification: An absence was requested.');
    expect(text).toContain('https://app.example.com');
    expect(text).not.toContain('Urlaub');
  });

  it('end when they are turned off, also for notifications that were not mailed yet', async () => {
    const { jobs, mailsTo } = await openPost();
    const world = await newWorld();
    await wantMails(world.admin);
    await absenceOf(world, world.employee);
    await wantMails(world.admin, false);
    await absenceOf(world, world.employee);
    await jobs.drain();
    expect(mailsTo(world.admin)).toEqual([]);
  });

  it('are not sent in an account that nobody has confirmed, nor over the limit of a day', async () => {
    const { jobs, mailsTo } = await openPost({ notificationMailsPerDay: 2 });
    const [confirmed, unconfirmed] = [await newWorld(), await newWorld()];
    const { db, accountId } = unconfirmed;
    await db.updateTable('accounts').set({ confirmed_at: null }).where('id', '=', accountId).execute();
    for (const world of [confirmed, unconfirmed]) {
      await wantMails(world.admin);
      for (let count = 0; count < 3; count += 1) await absenceOf(world, world.employee);
    }
    await jobs.drain();
    expect([mailsTo(confirmed.admin).length, mailsTo(unconfirmed.admin).length]).toEqual([2, 0]);
  });
});

describe('updateCurrentUser', () => {
  it('200 changes one’s own preference, which admins can read and not change', async () => {
    const { admin, employee } = await newWorld();
    await wantMails(employee);
    const params = { user_id: employee.id };
    const shown = await admin.call('getUser', { params });
    expect(shown.body.data.attributes.mail_notifications).toBe(true);
    const changed = await admin.call('updateUser', { params, body: bodyOf('user', { mail_notifications: false }) });
    expect(changed.body.data.attributes.mail_notifications).toBe(true);
    await employee.call('updateCurrentUser', { body: bodyOf('user', {}) });
    expect((await employee.call('getCurrentUser')).body.data.attributes.mail_notifications).toBe(true);
  });

  it('200 ignores attributes that only admins may change', async () => {
    const { employee } = await newWorld();
    const attributes = { mail_notifications: true, salary: 5000, username: 'Boss', role_ids: [4] };
    const { body } = await employee.call('updateCurrentUser', { body: bodyOf('user', attributes) });
    expect(body.data.attributes).toMatchObject({ salary: 0, username: 'employee' });
  });

  it('400 for a value that is not a boolean, and for another type', async () => {
    const { employee } = await newWorld();
    const update = (type: string, attributes: object) =>
      employee.call('updateCurrentUser', { body: bodyOf(type, attributes) });
    expect(pointersIn(await update('user', { mail_notifications: 'often' }))).toEqual(['mail_notifications']);
    expect(pointersIn(await update('area', { mail_notifications: true }))).toEqual(['type']);
  });
});
