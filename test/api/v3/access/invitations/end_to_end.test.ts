import os from 'node:os';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jobHandlers } from '../../../../../src/programs/job_handlers.ts';
import { openJobs } from '../../../../../src/platform/jobs/queue.ts';
import { openMailer } from '../../../../../src/platform/notifications/mailer.ts';
import { callWithTokenOf, password, signIn } from '../../../../support/people.ts';
import { service } from '../../../../support/service.ts';
import { openSmtpServer } from '../../../../support/servers/smtp.ts';
import { newWorld } from '../../../../support/world.ts';
import { callWithKey, invite, join, newInvitee, tokenIn } from './support.ts';

describe('an invitation over SMTP', () => {
  it('leads from the batch to the mail, the page, the workspace and the first sign-in', async () => {
    const { port, received, server } = await openSmtpServer();
    const smtpUrl = `smtp://127.0.0.1:${port}`;
    const mailer = openMailer({ smtpUrl, mailFrom: 'Punchcard <service@example.com>', dataDir: os.tmpdir() });
    onTestFinished(() => (mailer.close(), new Promise<void>((resolve) => server.close(() => resolve()))));
    const { database, directUrl, config, jobs: otherJobs } = await service();
    await otherJobs.drain();
    const jobs = await openJobs(database, {
      directUrl,
      handlers: jobHandlers(database.db, mailer, config),
      log: pino({ level: 'silent' }),
    });
    onTestFinished(() => jobs.stop());

    const world = await newWorld();
    const invitee = await newInvitee(world, 'Jamie');
    const texts = { checkin: true, welcome_message: 'Good to have you.' };
    expect((await invite(world, { all: false, user_ids: [invitee.id], ...texts })).status).toBe(200);
    const pending = () => world.admin.call('listUsers', { query: 'filter[with_pending_invitation]=true' });
    expect((await pending()).body.data).toMatchObject([{ id: invitee.id }]);
    expect((await signIn({ email: invitee.email, password })).status).toBe(401);

    await jobs.drain();
    const mails = received.filter(({ to, text }) => to.includes(invitee.email) && text.includes('join-workspace'));
    expect(mails).toMatchObject([{ from: 'service@example.com', to: [invitee.email] }]);
    const token = tokenIn(mails[0]!.text);

    const attributes = { email: invitee.email, username: 'Jamie' };
    const details = await callWithKey('getInvitedUser', { query: { invite_token: token } });
    expect(details.body.data).toEqual({ id: invitee.id, type: 'invited_user', attributes });
    const page = await callWithKey('getInvitation', { params: { invite_token: token } });
    expect(page.body.data.attributes).toEqual({
      user_checkin: true,
      welcome_message: 'Good to have you.',
      address_held_by: null,
    });
    const invited = await callWithKey('listInvitedUsers', { query: { invite_token: token } });
    expect(invited.body.data).toEqual([details.body.data]);

    const joined = await join({ token, username: 'Jamie Porter', email: invitee.email });
    expect(joined.status).toBe(200);
    const first = await signIn({ email: invitee.email, password });
    expect(first.status).toBe(200);
    for (const answer of [joined, first]) {
      const options = { params: { workspace_id: world.workspaceId } };
      const { body } = await callWithTokenOf(answer, 'getCurrentWorkspaceUser', options);
      expect(body.data).toMatchObject({ id: invitee.id, attributes: { username: 'Jamie Porter' } });
    }
    expect((await pending()).body.data).toEqual([]);
    expect((await join({ token })).status).toBe(400);
  });
});
