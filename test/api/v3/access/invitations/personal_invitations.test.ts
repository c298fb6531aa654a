import { describe, expect, it } from 'vitest';
import { invitationJobs } from '../../../../../src/access/invitations/mails.ts';
import { readConfig } from '../../../../../src/platform/config.ts';
import type { Mail } from '../../../../../src/platform/notifications/mailer.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { givePassword, newEmail } from '../../../../support/people.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { callWithKey, invitationsTo, invite, join, newInvitee, personalToken, tokenIn } from './support.ts';

describe('batchInvitations', () => {
  it('200 mails a link in the language of the user to everybody who is named', async () => {
    const world = await newWorld();
    const invitees = [await newInvitee(world), await newInvitee(world, 'Kim')];
    await world.admin.call('updateUser', {
      params: { user_id: invitees[0]!.id },
      body: bodyOf('user', { locale: 'en' }),
    });
    const answer = await invite(world, {
      all: false,
      user_ids: invitees.map(({ id }) => id),
      welcome_message: 'Buy at evil.example.com',
    });
    expect([answer.status, answer.body.meta.message]).toEqual([200, '2 invitations will be sent by mail.']);
    const mails = await Promise.all(invitees.map(({ email }) => invitationsTo(email)));
    expect(mails.map((list) => list.length)).toEqual([1, 1]);
    expect(mails[0]![0]!.text).toMatch(/^Hello Jamie,\n[^]*join-workspace\/[\w-]{43}\?lang=en\n/);
    expect(mails[1]![0]!.text).toMatch(/^Hello Kim,\n[^]*join-workspace\/[\w-]{43}\?lang=de\n/);
    // Anybody can have an account. A mail must not carry their texts to strangers.
    expect(mails[0]![0]!.text).not.toContain('evil');
  });

  it('200 with all mails to everybody who has an address and has never signed in, in plain attributes too', async () => {
    const world = await newWorld();
    for (const person of [world.admin, world.employee]) await givePassword(world.db, person);
    const invitee = await newInvitee(world);
    const inactive = await newInvitee(world);
    await world.admin.call('createUser', { body: bodyOf('user', { username: 'No address' }) });
    await world.db.updateTable('users').set({ status: 'inactive' }).where('id', '=', Number(inactive.id)).execute();
    const { body } = await world.admin.call('batchInvitations', { body: { all: true } });
    expect(body.meta.message).toBe('1 invitation will be sent by mail.');
    expect(await invitationsTo(invitee.email)).toHaveLength(1);
    for (const { email } of [world.admin, world.employee, inactive]) expect(await invitationsTo(email)).toEqual([]);
  });

  it('200 with the type batch_invitation, which recorded clients send', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    const body = bodyOf('batch_invitation', { all: false, user_ids: [invitee.id] });
    expect((await world.admin.call('batchInvitations', { body })).status).toBe(200);
    expect(await invitationsTo(invitee.email)).toHaveLength(1);
    const unknown = await world.admin.call('batchInvitations', { body: bodyOf('batch', { all: true }) });
    expect([unknown.status, pointersIn(unknown)]).toEqual([400, ['type']]);
  });

  it('400 with neither all nor user_ids', async () => {
    const world = await newWorld();
    for (const attributes of [{}, { all: false }, { all: false, user_ids: [] }, { all: false, user_ids: null }]) {
      const refused = await invite(world, attributes);
      expect([refused.status, pointersIn(refused)]).toEqual([400, ['user_ids']]);
    }
  });

  it('400 names everybody who cannot be invited, and mails to nobody', async () => {
    const world = await newWorld();
    const { admin, db, stranger } = world;
    await givePassword(db, admin);
    const invitee = await newInvitee(world);
    const inactive = await newInvitee(world);
    await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', Number(inactive.id)).execute();
    const mute = async () =>
      (await admin.call('createUser', { body: bodyOf('user', { username: 'Mute' }) })).body.data.id as string;
    const [one, two] = [await mute(), await mute()];
    const user_ids = [invitee.id, one, two, inactive.id, admin.id, stranger.id, 'x'];
    const refused = await invite(world, { all: false, user_ids });
    expect(refused.status).toBe(400);
    expect(titlesIn(refused)).toEqual([
      `user_ids names "x", ${stranger.id}, which is no user of this workspace.`,
      `user_ids names users without an e-mail address: ${one}, ${two}.`,
      `user_ids names users who are inactive: ${inactive.id}.`,
      `user_ids names users who have signed in before: ${admin.id}.`,
    ]);
    expect(await invitationsTo(invitee.email)).toEqual([]);
  });

  it('403 below a workspace admin, and 404 for strangers', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    const options = { body: bodyOf('invitation', { all: false, user_ids: [invitee.id] }) };
    expect((await world.employee.call('batchInvitations', options)).status).toBe(403);
    expect((await (await world.addMember('areaAdmin')).call('batchInvitations', options)).status).toBe(403);
    expect((await (await world.addMember('workspaceAdmin')).call('batchInvitations', options)).status).toBe(200);
    expect((await world.stranger.call('batchInvitations', options)).status).toBe(404);
  });
});

describe('mails with personal invitations', () => {
  const hourLater = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);

  /** Runs the mail of a user's invitation at a time, and returns what it sent. */
  async function sendAt(userId: string, clock: () => Date, settings: Record<string, string> = {}): Promise<Mail[]> {
    const { database } = await service();
    const sent: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void sent.push(mail), place: 'a list', close: () => {} };
    const config = readConfig({ APP_URL: 'https://app.example.com', ...settings });
    const { account_id: accountId, id: invitationId } = await database.db
      .selectFrom('invitations')
      .select(['account_id', 'id'])
      .where('user_id', '=', Number(userId))
      .executeTakeFirstOrThrow();
    const { workspace_invitation: job } = invitationJobs(database.db, mailer, config, clock);
    await job!({ accountId, invitationId } as never);
    return sent;
  }

  it('replace the token before when they are sent, and are sent once an hour', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    const first = await personalToken(world, invitee);
    expect((await invite(world, { all: false, user_ids: [invitee.id], welcome_message: 'Again' })).status).toBe(200);
    expect(await invitationsTo(invitee.email)).toHaveLength(1);
    const show = (invite_token: string) => callWithKey('getInvitation', { params: { invite_token } });
    expect((await show(first)).body.data.attributes.welcome_message).toBe('Again');

    const [mail] = await sendAt(invitee.id, hourLater(1));
    expect((await show(first)).status).toBe(400);
    expect((await show(tokenIn(mail!.text))).status).toBe(200);
  });

  it('are not sent for an invitation that a newer one has replaced', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    for (let count = 0; count < 3; count++) await invite(world, { all: false, user_ids: [invitee.id] });
    expect(await invitationsTo(invitee.email)).toHaveLength(1);
  });

  it('count as invitations of the account', async () => {
    const world = await newWorld();
    const settings = { INVITATIONS_PER_DAY: '1' };
    const invitees = [await newInvitee(world), await newInvitee(world)];
    for (const { id } of invitees) await invite(world, { all: false, user_ids: [id] });
    expect(await sendAt(invitees[0]!.id, hourLater(0), settings)).toHaveLength(1);
    expect(await sendAt(invitees[1]!.id, hourLater(0), settings)).toHaveLength(0);
    expect(await sendAt(invitees[1]!.id, hourLater(25), settings)).toHaveLength(1);
  });

  it('put no address and no token into the queue', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    await invite(world, { all: false, user_ids: [invitee.id] });
    const { rows } = await (
      await service()
    ).database.pool.query<{ data: { accountId: number } }>(
      "select data from pgboss.job where name = 'workspace_invitation' and state = 'created'",
    );
    const own = rows.filter(({ data }) => data.accountId === world.accountId);
    expect(own.map(({ data }) => Object.keys(data).sort())).toEqual([['accountId', 'invitationId']]);
  });
});

describe('a personal invitation', () => {
  it('is withdrawn when the address changes, the user is deactivated or deleted, or leaves the workspace', async () => {
    const world = await newWorld();
    const { admin, db, workspaceId } = world;
    const ways: ((id: string) => Promise<unknown>)[] = [
      (user_id) => admin.call('updateUser', { params: { user_id }, body: bodyOf('user', { email: newEmail() }) }),
      (user_id) => db.updateTable('users').set({ status: 'inactive' }).where('id', '=', Number(user_id)).execute(),
      (user_id) => admin.call('deleteUser', { params: { user_id } }),
      (user_id) =>
        db
          .deleteFrom('memberships')
          .where('workspace_id', '=', workspaceId)
          .where('user_id', '=', Number(user_id))
          .execute(),
      (user_id) => givePassword(db, { id: Number(user_id) }),
    ];
    for (const withdraw of ways) {
      const invitee = await newInvitee(world);
      const token = await personalToken(world, invitee);
      expect((await callWithKey('getInvitation', { params: { invite_token: token } })).status).toBe(200);
      await withdraw(invitee.id);
      const refused = await join({ token });
      expect([refused.status, pointersIn(refused)]).toEqual([400, ['token']]);
    }
  });
});
