import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../../../src/programs/cli/run.ts';
import { readConfig } from '../../../../../src/platform/config.ts';
import { call } from '../../../../support/client.ts';
import { callWithTokenOf, givePassword, newEmail, password, signIn, signUp } from '../../../../support/people.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { invite, join, newInvitee, personalToken } from '../../access/invitations/support.ts';
import { newEventsOf, textOfEvents } from './recorded.ts';

const accountOf = async (email: string): Promise<{ accountId: number }> => {
  const { db } = (await service()).database;
  const found = await db
    .selectFrom('directory_emails')
    .select('account_id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { accountId: found.account_id };
};

const eventsOfAccount = async (account: { accountId: number }) => {
  const { db } = (await service()).database;
  return db.selectFrom('events').selectAll().where('account_id', '=', account.accountId).orderBy('id').execute();
};

const storedHashes = async ({ db, accountId }: World): Promise<string[]> => {
  const users = await db.selectFrom('users').select('password_hash').where('account_id', '=', accountId).execute();
  const members = await db
    .selectFrom('memberships')
    .select('identifier_pin')
    .where('account_id', '=', accountId)
    .execute();
  const pins = members.map(({ identifier_pin }) => `"${identifier_pin}"`);
  return [...users.flatMap(({ password_hash }) => password_hash ?? []), ...pins];
};

describe('events about access', () => {
  it('say who signed up, in and out, without any secret', async () => {
    const email = newEmail();
    const answer = await signUp({ email, password, username: 'Robin' });
    const account = await accountOf(email);
    const events = await eventsOfAccount(account);
    expect(events.map(({ name }) => name)).toEqual([
      'account.created',
      'workspace.created',
      ...Array.from({ length: 4 }, () => 'absence_type.created'),
      'user.created',
      'access_token.created',
    ]);
    const userId = events.at(-1)!.user_id!;
    const request_id = answer.headers['x-request-id'];
    expect(new Set(events.map((event) => `${event.actor_type} ${event.actor_id} ${event.request_id}`))).toEqual(
      new Set([`user ${userId} ${request_id}`]),
    );
    expect(events[6]).toMatchObject({
      user_id: userId,
      changes: { username: [null, 'Robin'], email: [null, email], password: [null, 'hidden'] },
    });
    const newEvents = await newEventsOf(account);
    const second = await signIn({ email, password });
    await callWithTokenOf(second, 'signOut');
    const { id, attributes } = second.body.data;
    const about = { actor_id: String(userId), user_id: userId, record_id: id };
    expect(await newEvents()).toMatchObject([
      { name: 'access_token.created', ...about, request_id: second.headers['x-request-id'] },
      { name: 'access_token.deleted', ...about },
    ]);
    const text = await textOfEvents(account);
    for (const secret of [password, answer.body.data.attributes.access_token, attributes.access_token])
      expect(text).not.toContain(secret);
    expect(text).not.toContain('argon2');
  });

  it('say that a password was set, and which sessions that ended', async () => {
    const world = await newWorld();
    const { employee, admin } = world;
    for (const person of [employee, admin]) await givePassword(world.db, person);
    const newEvents = await newEventsOf(world);
    await call('v3', 'requestPasswordReset', { body: bodyOf('user', { email: employee.email }) });
    const { jobs, mails } = await service();
    await jobs.drain();
    expect(await newEvents()).toEqual([]);
    const mail = mails.findLast(({ to }) => to === employee.email)!;
    const reset_password_token = /reset_password_token=([\w-]+)/.exec(mail.text)![1]!;
    const chosen = 'another good password';
    await call('v3', 'updatePassword', { body: bodyOf('user', { reset_password_token, password: chosen }) });
    const own = { actor_type: 'user', actor_id: String(employee.id), user_id: employee.id };
    expect(await newEvents()).toEqual([
      expect.objectContaining({ name: 'user.updated', ...own, changes: { password: ['hidden', 'hidden'] } }),
      expect.objectContaining({ name: 'access_token.deleted', ...own }),
      expect.objectContaining({ name: 'access_token.created', ...own }),
    ]);
    const text = await textOfEvents(world);
    for (const secret of [chosen, reset_password_token, employee.token, ...(await storedHashes(world))])
      expect(text).not.toContain(secret);
  });

  it('say that a PIN was changed, not which one it is', async () => {
    const world = await newWorld();
    const newEvents = await newEventsOf(world);
    const params = { user_id: world.employee.id };
    const pins = { identifier_pin: '918273', tablet_pin: '4711' };
    const { status } = await world.admin.call('updateUser', { params, body: bodyOf('user', pins) });
    expect(status).toBe(200);
    expect(await newEvents()).toEqual([
      expect.objectContaining({
        name: 'user.updated',
        changes: { identifier_pin: ['hidden', 'hidden'], tablet_pin: [null, 'hidden'] },
      }),
    ]);
    expect(await textOfEvents(world)).not.toMatch(/918273|4711"/);
  });

  it('say who created and revoked an api_token, never the token', async () => {
    const world = await newWorld();
    const { admin } = world;
    const newEvents = await newEventsOf(world);
    const { body } = await admin.call('createApiToken', { body: bodyOf('api_token', { name: 'Payroll' }) });
    await admin.call('deleteApiToken', { params: { api_token_id: body.data.id } });
    const about = { record_id: body.data.id, actor_id: String(admin.id) };
    expect(await newEvents()).toMatchObject([
      { name: 'api_token.created', ...about, changes: { name: [null, 'Payroll'], read_only: [null, false] } },
      { name: 'api_token.revoked', ...about, changes: { revoked_at: [null, expect.any(String)] } },
    ]);
    expect(await textOfEvents(world)).not.toContain(body.data.attributes.token);
  });
});

describe('events about invitations', () => {
  it('say that a general one was created, replaced and used', async () => {
    const world = await newWorld();
    const newEvents = await newEventsOf(world);
    const created = async (): Promise<string> => {
      const { body } = await world.admin.call('createInvitation', { body: bodyOf('invitation', {}) });
      return /join-workspace\/([\w-]+)/.exec(body.meta.message)![1]!;
    };
    const former = await created();
    const token = await created();
    const events = await newEvents();
    const by = { actor_id: String(world.admin.id), workspace_id: world.workspaceId };
    expect(events).toMatchObject([
      { name: 'invitation.created', ...by },
      { name: 'invitation.deleted', ...by, record_id: events[0]!.record_id },
      { name: 'invitation.created', ...by },
    ]);
    const email = newEmail();
    expect((await join({ token, email, username: 'Kim', password })).status).toBe(200);
    const joined = await newEvents();
    const { user_id } = joined.at(-1)!;
    const own = { actor_type: 'user', actor_id: String(user_id) };
    expect(joined).toMatchObject([
      { name: 'invitation.updated', ...own, changes: { used_at: [null, expect.any(String)] } },
      { name: 'user.created', ...own, user_id, changes: { email: [null, email], password: [null, 'hidden'] } },
      { name: 'access_token.created', ...own, user_id },
    ]);
    const text = await textOfEvents(world);
    for (const secret of [former, token, password]) expect(text).not.toContain(secret);
  });

  it('say that a personal one was created, mailed, replaced, used, and withdrawn with its address', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    const id = Number(invitee.id);
    const { jobs } = await service();
    await jobs.drain();
    const newEvents = await newEventsOf(world);
    await invite(world, { user_ids: [id] });
    await jobs.drain();
    const [first, mailed] = await newEvents();
    const about = { record_id: first!.record_id, user_id: id };
    expect([first, mailed]).toMatchObject([
      { name: 'invitation.created', ...about, actor_id: String(world.admin.id) },
      { name: 'invitation.updated', ...about, actor_type: 'job', changes: { token: [null, 'hidden'] } },
    ]);
    await invite(world, { user_ids: [id] });
    expect(await newEvents()).toMatchObject([{ name: 'invitation.deleted', ...about }, { name: 'invitation.created' }]);
    await world.admin.call('updateUser', { params: { user_id: id }, body: bodyOf('user', { email: newEmail() }) });
    expect(await newEvents()).toMatchObject([
      { name: 'invitation.deleted', user_id: id },
      { name: 'user.updated', user_id: id },
    ]);
    const other = await newInvitee(world);
    const token = await personalToken(world, other);
    await newEvents();
    expect((await join({ token, email: other.email, username: 'Kim', password })).status).toBe(200);
    expect(await newEvents()).toMatchObject([
      { name: 'invitation.updated', actor_id: String(other.id) },
      { name: 'user.updated', changes: { password: [null, 'hidden'] } },
      { name: 'access_token.created' },
    ]);
    expect(await textOfEvents(world)).not.toContain(token);
  });
});

describe('events of the operator', () => {
  const command = async (line: readonly string[], input = '') => {
    const printed: string[] = [];
    const terminal = { print: (text: string) => void printed.push(text), tell: () => {}, read: async () => input };
    const open = async () => ({ ...(await service()).database, close: async () => {} });
    expect(await runCommand(line, { config: readConfig({}), terminal, now: new Date(), open })).toBe(0);
    return printed;
  };

  it('name a job', async () => {
    const email = newEmail();
    await command(['user', 'create-admin', '--email', email, '--username', 'Robin', '--password-stdin'], password);
    const account = await accountOf(email);
    const events = await eventsOfAccount(account);
    expect(events.map(({ name }) => name)).toContain('account.created');
    expect(events).toEqual(events.map((event) => ({ ...event, actor_type: 'job', actor_id: null, request_id: null })));
    const newEvents = await newEventsOf(account);
    const another = ['--email', newEmail(), '--account', email, '--username', 'Kim', '--password-stdin'];
    await command(['user', 'create-admin', ...another], password);
    const [token] = await command(['api-token', 'create', '--account', email, '--name', 'Payroll']);
    const { db } = (await service()).database;
    const { id } = await db
      .selectFrom('api_tokens')
      .select('id')
      .where('account_id', '=', account.accountId)
      .executeTakeFirstOrThrow();
    await command(['api-token', 'revoke', id]);
    const job = { actor_type: 'job', actor_id: null };
    expect(await newEvents()).toMatchObject([
      { name: 'user.created', ...job, changes: { is_account_admin: [null, true], password: [null, 'hidden'] } },
      { name: 'api_token.created', ...job, record_id: id },
      { name: 'api_token.revoked', ...job, record_id: id },
    ]);
    expect(await textOfEvents(account)).not.toContain(token);
  });
});
