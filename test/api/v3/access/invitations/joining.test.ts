import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { tokenHash } from '../../../../../src/platform/core/secrets.ts';
import { call, pointersIn, titlesIn } from '../../../../support/client.ts';
import { callWithTokenOf, newEmail, password, signIn } from '../../../../support/people.ts';
import { service, serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { callWithKey, generalToken, invite, join, lookUps, newInvitee, personalToken } from './support.ts';

const invalidTitle = 'token is unknown, used, withdrawn or expired. Ask for a new invitation.';

describe('joinWorkspace', () => {
  it('200 gives the invited user the name, the address and the password', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    const token = await personalToken(world, invitee);
    const email = newEmail();
    const answer = await join({ token, username: 'Jamie Porter', email });
    expect(answer.status).toBe(200);
    expect(answer.headers['authorization']).toBe(`Bearer ${answer.body.data.attributes.access_token}`);
    const { body } = await callWithTokenOf(answer, 'getCurrentUser');
    expect(body.data).toMatchObject({ id: invitee.id, attributes: { username: 'Jamie Porter', email } });
    const sessions = await callWithTokenOf(answer, 'listSessions');
    expect(sessions.body.data).toMatchObject([{ attributes: { kind: 'invitation', is_current: true } }]);
    expect((await signIn({ email, password })).status).toBe(200);
    expect((await signIn({ email: invitee.email, password })).status).toBe(401);
  });

  it('200 voids the reset tokens that were mailed before', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    const token = await personalToken(world, invitee);
    const { mails } = await service();
    const welcome = mails.find(({ to, subject }) => to === invitee.email && subject === 'Welcome to Punchcard')!;
    const reset_password_token = /reset_password_token=([\w-]+)/.exec(welcome.text)![1]!;
    expect((await call('v3', 'checkPasswordToken', { body: { reset_password_token } })).status).toBe(200);
    expect((await join({ token, email: invitee.email })).status).toBe(200);
    expect((await call('v3', 'checkPasswordToken', { body: { reset_password_token } })).status).toBe(400);
  });

  it('200 makes a new employee of the workspace with a general invitation, more than once', async () => {
    const world = await newWorld();
    const token = await generalToken(world);
    for (const username of ['Kim', 'Lou']) {
      const email = newEmail();
      const body = { username, email, password, token };
      const answer = await callWithKey('joinWorkspace', { body });
      expect(answer.status).toBe(200);
      const { body: self } = await callWithTokenOf(answer, 'getCurrentWorkspaceUser', {
        params: { workspace_id: world.workspaceId },
      });
      expect(self.data.attributes).toMatchObject({ username, email, status: 'active' });
      expect(self.data.relationships.roles.data).toEqual([{ type: 'role', id: '1' }]);
      expect(self.data.relationships.absence_types.data.length).toBeGreaterThan(0);
      expect((await signIn({ email, password })).status).toBe(200);
    }
  });

  it('400 for a personal invitation that was used, of two at the same moment for one', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    const token = await personalToken(world, invitee);
    const answers = await Promise.all([join({ token }), join({ token }), join({ token })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const refused = await join({ token });
    expect([refused.status, pointersIn(refused), titlesIn(refused)]).toEqual([400, ['token'], [invalidTitle]]);
    for (const [operation, options] of lookUps(token)) expect((await callWithKey(operation, options)).status).toBe(400);
  });

  it('400 for a token that is unknown, is a hash, or is of another kind', async () => {
    const world = await newWorld();
    const token = await generalToken(world);
    for (const wrong of ['unknown', tokenHash(token), world.admin.token])
      expect(titlesIn(await join({ token: wrong }))).toEqual([invalidTitle]);
  });

  it('400 for an address that is in use, which leaves the invitation as it was', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    const personal = await personalToken(world, invitee);
    const general = await generalToken(world);
    for (const token of [personal, general]) {
      const refused = await join({ token, email: world.stranger.email.toUpperCase() });
      expect([refused.status, pointersIn(refused)]).toEqual([400, ['email']]);
    }
    const email = newEmail();
    const answers = await Promise.all([join({ token: personal, email }), join({ token: general, email })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await join({ token: general })).status).toBe(200);
  });

  it('400 for a body that lacks something, or has a bad password', async () => {
    const refused = await callWithKey('joinWorkspace', { body: {} });
    expect([refused.status, pointersIn(refused).sort()]).toEqual([400, ['email', 'password', 'token', 'username']]);
    const world = await newWorld();
    const short = await join({ token: await generalToken(world), password: 'short' });
    expect([short.status, pointersIn(short)]).toEqual([400, ['password']]);
  });

  it('401 without an Api-Key', async () => {
    const world = await newWorld();
    const token = await generalToken(world);
    expect((await call('v3', 'joinWorkspace', { body: { token } })).status).toBe(401);
    for (const [operation, options] of lookUps(token)) expect((await call('v3', operation, options)).status).toBe(401);
  });

  it('429 after too many wrong tokens and addresses, of all operations together, for this network only', async () => {
    const at = await serviceWith({ SIGN_IN_FAILURES_PER_ADDRESS: '5', TRUST_PROXY: 'true' });
    const newAddress = () => ({ 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` });
    const world = await newWorld();
    const token = await generalToken(world);
    const headers = newAddress();
    for (const [operation, options] of lookUps('guessed'))
      expect((await callWithKey(operation, { ...options, at, headers })).status).toBe(400);
    expect((await join({ token: 'guessed' }, { at, headers })).status).toBe(400);
    expect((await join({ token, email: world.admin.email }, { at, headers })).status).toBe(400);
    for (const [operation, options] of lookUps(token))
      expect((await callWithKey(operation, { ...options, at, headers })).status).toBe(429);
    expect((await join({ token }, { at, headers })).status).toBe(429);
    expect((await join({ token }, { at, headers: newAddress() })).status).toBe(200);
  });
});

describe('getInvitedUser', () => {
  it('200 with the user of a personal invitation, and with nobody for a general one', async () => {
    const world = await newWorld();
    const invitee = await newInvitee(world);
    const get = async (invite_token: string) =>
      (await callWithKey('getInvitedUser', { query: { invite_token } })).body.data;
    expect(await get(await personalToken(world, invitee))).toEqual({
      id: invitee.id,
      type: 'invited_user',
      attributes: { email: invitee.email, username: 'Jamie' },
    });
    const general = await generalToken(world);
    expect(await get(general)).toEqual({ id: general, type: 'invited_user', attributes: { email: '', username: '' } });
  });

  it('400 without a token, and for a wrong one', async () => {
    const missing = await callWithKey('getInvitedUser');
    expect([missing.status, pointersIn(missing)]).toEqual([400, ['invite_token']]);
    const wrong = await callWithKey('getInvitedUser', { query: { invite_token: 'wrong' } });
    expect(titlesIn(wrong)).toEqual(['invite_token is unknown, used, withdrawn or expired. Ask for a new invitation.']);
  });
});

describe('getInvitation', () => {
  it('200 with what the page shows', async () => {
    const world = await newWorld();
    const texts = { checkin: true, welcome_message: 'Hello!' };
    for (const token of [
      await generalToken(world, texts),
      await personalToken(world, await newInvitee(world), texts),
    ]) {
      const { body } = await callWithKey('getInvitation', { params: { invite_token: token } });
      expect(body.data).toEqual({
        id: token,
        type: 'user_invitation',
        attributes: { user_checkin: true, welcome_message: 'Hello!', address_held_by: null },
      });
    }
  });

  it('400 for a wrong token', async () => {
    const wrong = await callWithKey('getInvitation', { params: { invite_token: 'wrong' } });
    expect([wrong.status, pointersIn(wrong)]).toEqual([400, ['invite_token']]);
  });
});

describe('listInvitedUsers', () => {
  const list = async (invite_token: string, query: object = {}) =>
    (await callWithKey('listInvitedUsers', { query: { invite_token, ...query } })).body;
  const attributesIn = ({ data }: { data: { attributes: object }[] }) => data.map(({ attributes }) => attributes);

  it('200 with the invited user alone for a personal invitation', async () => {
    const world = await newWorld();
    const [jamie, kim] = [await newInvitee(world), await newInvitee(world, 'Kim')];
    const token = await personalToken(world, jamie);
    await invite(world, { all: false, user_ids: [kim.id] });
    const own = { email: jamie.email, username: 'Jamie' };
    expect(attributesIn(await list(token))).toEqual([own]);
    expect(attributesIn(await list(token, { 'filter[email]': `eq:${jamie.email}` }))).toEqual([own]);
    expect(attributesIn(await list(token, { 'filter[email]': `eq:${kim.email}` }))).toEqual([]);
    expect(attributesIn(await list(token, { 'filter[username]': 'ct:kim' }))).toEqual([]);
  });

  it('200 with the names of all invited users of the workspace for a general one, and no others', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const people = [await newInvitee(world, 'Lou'), await newInvitee(world, 'Kim'), await newInvitee(world, 'Joined')];
    await newInvitee(world, 'Not invited');
    const foreign = await newInvitee(other, 'Foreign');
    await invite(other, { all: false, user_ids: [foreign.id] });
    await invite(world, { all: false, user_ids: people.map(({ id }) => id) });
    await join({ token: await personalToken(world, people[2]!) });
    const token = await generalToken(world);
    const page = await list(token);
    expect(attributesIn(page)).toEqual([
      { email: '', username: 'Kim' },
      { email: '', username: 'Lou' },
    ]);
    expect(page.meta.total_count).toBe(2);
    expect(attributesIn(await list(token, { 'filter[username]': 'ct:lo' }))).toEqual([{ email: '', username: 'Lou' }]);
    // An address that is not shown cannot be guessed by a filter either.
    expect(attributesIn(await list(token, { 'filter[email]': `eq:${people[0]!.email}` }))).toEqual([]);
  });

  it('200 with the members without an address for a general invitation', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const { admin } = world;
    const invitee = await newInvitee(world, 'Kim');
    await invite(world, { all: false, user_ids: [invitee.id] });
    const ids: string[] = [];
    for (const [person, username] of [
      [admin, 'Ada'],
      [admin, 'Gone'],
      [other.admin, 'Foreign'],
    ] as const)
      ids.push((await person.call('createUser', { body: bodyOf('user', { username }) })).body.data.id);
    await admin.call('updateUserStatus', {
      params: { user_id: ids[1]! },
      body: bodyOf('user', { status: 'inactive' }),
    });
    const [ada, kim] = [
      { email: '', username: 'Ada' },
      { email: '', username: 'Kim' },
    ];
    const token = await generalToken(world);
    expect(attributesIn(await list(token))).toEqual([ada, kim]);
    expect(attributesIn(await list(token, { 'filter[email]': 'present:false' }))).toEqual([ada]);
    expect(attributesIn(await list(token, { 'filter[email]': 'present:true' }))).toEqual([kim]);
    for (const guess of [`eq:${invitee.email}`, `ct:@`, 'pre:k', `in:${invitee.email}`])
      expect(attributesIn(await list(token, { 'filter[email]': guess }))).toEqual([]);
    expect(attributesIn(await list(await personalToken(world, invitee), { 'filter[email]': 'present:false' }))).toEqual(
      [],
    );
  });

  it('400 for a wrong token', async () => {
    const wrong = await callWithKey('listInvitedUsers', { query: { invite_token: 'wrong' } });
    expect([wrong.status, pointersIn(wrong)]).toEqual([400, ['invite_token']]);
  });
});

describe('listUsers', () => {
  it('200 filters by pending invitations', async () => {
    const world = await newWorld();
    const [pending, joined, waiting] = [await newInvitee(world), await newInvitee(world), await newInvitee(world)];
    await invite(world, { all: false, user_ids: [pending.id] });
    await join({ token: await personalToken(world, joined) });
    const ids = async (value: string) => {
      const { body } = await world.admin.call('listUsers', { query: `filter[with_pending_invitation]=${value}` });
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await ids('true')).toEqual([pending.id]);
    const others = [world.admin.id, world.employee.id].map(String);
    expect((await ids('false')).sort()).toEqual([...others, joined.id, waiting.id].sort());
    const strict = await world.admin.call('listUsers', {
      query: 'filter[with_pending_invitation]=soon',
      headers: { Prefer: 'handling=strict' },
    });
    expect([strict.status, pointersIn(strict)]).toEqual([400, ['filter[with_pending_invitation]']]);
  });
});
