import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { call } from '../../../../support/client.ts';
import { callWithTokenOf, newEmail, password, signIn } from '../../../../support/people.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { callWithKey, generalToken, join, personalToken } from '../invitations/support.ts';
import {
  checkToken,
  confirm,
  confirmationToken,
  create,
  mailsTo,
  setPassword,
  squatter,
  welcomeToken,
} from './support.ts';

const lossTitle = (email: string, account: string) =>
  `Nobody has confirmed "${email}" for the account "${account}", where it signs somebody in with a password. To use it here, send take_address true: it then no longer signs in there, and that account loses the address.`;

const findUser = async ({ admin }: Pick<World, 'admin'>, id: string) =>
  (await admin.call('getUser', { params: { user_id: id } })).body.data.attributes;

describe('an address that another account holds unproven', () => {
  it('200 is asked for and then taken with the mailed link, and the admins of the loser are told', async () => {
    const holder = await squatter();
    const { email } = holder;
    const world = await newWorld();
    const created = await create(world, email);
    expect([created.status, created.body.data.attributes.email]).toEqual([201, email]);

    // Until then, signing in and resetting mean the holder.
    const signedIn = await signIn({ email, password });
    expect((await callWithTokenOf(signedIn, 'getCurrentUser')).body.data.id).toBe(holder.id);
    await call('v3', 'requestPasswordReset', { body: bodyOf('user', { email }) });
    const [reset] = await mailsTo(email, 'Reset your password');
    expect(reset!.to).toBe(email);
    const holdersToken = /reset_password_token=([\w-]+)/.exec(reset!.text)![1]!;
    expect((await checkToken(holdersToken)).body.meta.address_held_by).toBeNull();

    const token = await welcomeToken(email);
    expect((await checkToken(token)).body.meta.address_held_by).toBe('Squat Ltd');
    const asked = await setPassword(token);
    expect([asked.status, asked.body.errors[0].code, pointersIn(asked), titlesIn(asked)]).toEqual([
      400,
      'address_in_use',
      ['take_address'],
      [lossTitle(email, 'Squat Ltd')],
    ]);
    expect((await setPassword(token, { take_address: false })).status).toBe(400);
    const confirmation = await confirmationToken(email);

    const taken = await setPassword(token, { take_address: true });
    expect(taken.status).toBe(200);
    expect((await callWithTokenOf(taken, 'getCurrentUser')).body.data.id).toBe(created.body.data.id);
    expect((await signIn({ email, password: 'a password of mine' })).status).toBe(200);
    expect((await signIn({ email, password })).status).toBe(401);
    // The links that were mailed for the loser are void.
    for (const old of [holdersToken]) expect((await setPassword(old)).status).toBe(400);
    expect((await confirm(confirmation)).status).toBe(400);

    await (await service()).jobs.drain();
    const me = await holder.call('getCurrentUser');
    expect([me.status, me.body.data.attributes.email, me.body.data.attributes.status]).toEqual([200, '', 'active']);
    const news = await holder.call('listNotifications');
    expect(news.body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { title: 'A user has lost their e-mail address', message: expect.stringContaining('Squat Ltd') },
    ]);
    const { body: events } = await holder.call('listEvents');
    const changes = events.data.map(({ attributes }: { attributes: { changes: object } }) => attributes.changes);
    expect(changes).toContainEqual({ email: [email, null] });
    // From now on it is proven.
    expect((await create(await newWorld(), email)).status).toBe(400);
    await (await service()).jobs.drain();
    expect((await holder.call('listNotifications')).body.data).toHaveLength(1);
  });

  it('200 is taken by joining with a personal invitation, whose page names the loss', async () => {
    const { email } = await squatter();
    const world = await newWorld();
    const { body } = await create(world, email);
    const token = await personalToken(world, { id: body.data.id, email });
    const page = await callWithKey('getInvitation', { params: { invite_token: token } });
    expect(page.body.data.attributes.address_held_by).toBe('Squat Ltd');
    const asked = await join({ token, email });
    expect([asked.status, asked.body.errors[0].code, titlesIn(asked)]).toEqual([
      400,
      'address_in_use',
      [lossTitle(email, 'Squat Ltd')],
    ]);
    const answer = await join({ token, email: email.toUpperCase(), take_address: true });
    expect((await callWithTokenOf(answer, 'getCurrentUser')).body.data.id).toBe(body.data.id);
    expect((await signIn({ email, password })).status).toBe(200);
  });

  it('200 is taken without a question where its holder has no password, and for the address alone', async () => {
    const [one, other] = [await newWorld(), await newWorld()];
    const email = newEmail();
    const first = await create(one, email);
    const second = await create(other, email);
    expect([first.status, second.status]).toEqual([201, 201]);
    const mails = await mailsTo(email, 'Welcome to Punchcard');
    // Only one invitation is sent in an hour, so the second account invites by hand.
    expect(mails).toHaveLength(1);
    const token = await personalToken(other, { id: second.body.data.id, email });
    expect(
      (await callWithKey('getInvitation', { params: { invite_token: token } })).body.data.attributes.address_held_by,
    ).toBeNull();
    expect((await join({ token, email })).status).toBe(200);
    await (await service()).jobs.drain();
    expect((await findUser(one, first.body.data.id)).email).toBe('');
    expect((await findUser(other, second.body.data.id)).email).toBe(email);
    expect((await setPassword(await welcomeToken(email))).status).toBe(400);
    const { body } = await one.admin.call('listNotifications');
    expect(body.data[0].attributes.title).toBe('A user has lost their e-mail address');
  });

  it('400 once its holder has proven it, also at the same moment', async () => {
    const { email } = await squatter();
    const world = await newWorld();
    await create(world, email);
    const token = await welcomeToken(email);
    expect((await confirm(await confirmationToken(email))).status).toBe(200);
    const late = await setPassword(token, { take_address: true });
    expect([late.status, late.body.errors[0].code, pointersIn(late)]).toEqual([400, 'taken', ['email']]);
    expect((await checkToken(token)).body.meta.address_held_by).toBeNull();

    const raced = await squatter();
    await create(world, raced.email, 'Racer');
    const [link, confirmation] = [await welcomeToken(raced.email), await confirmationToken(raced.email)];
    const answers = await Promise.all([setPassword(link, { take_address: true }), confirm(confirmation)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('200 for one of two accounts that take it at the same moment', async () => {
    const { email } = await squatter();
    const worlds = [await newWorld(), await newWorld()];
    const tokens = [];
    for (const world of worlds) {
      const { body } = await create(world, email);
      tokens.push(await personalToken(world, { id: body.data.id, email }).catch(() => undefined));
      const { db } = (await service()).database;
      await db.deleteFrom('attempts').execute();
    }
    const answers = await Promise.all(tokens.map((token) => join({ token, email, take_address: true })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('400 within one account, for somebody with a password, in a general invitation and in a sign-up', async () => {
    const { email } = await squatter();
    const world = await newWorld();
    const { body } = await create(world, email);
    const twin = await create(world, email.toUpperCase(), 'Twin');
    expect([twin.status, pointersIn(twin)]).toEqual([400, ['email']]);
    const twins = await Promise.all([0, 1, 2].map(async () => create(world, `twin-${email}`, 'Twin')));
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 400, 400]);

    const joined = newEmail();
    const { body: member } = await create(world, joined, 'Member');
    await setPassword(await welcomeToken(joined));
    const change = await world.admin.call('updateUser', {
      params: { user_id: member.data.id },
      body: bodyOf('user', { email }),
    });
    expect([change.status, pointersIn(change)]).toEqual([400, ['email']]);
    const general = await join({ token: await generalToken(world), email });
    expect([general.status, pointersIn(general)]).toEqual([400, ['email']]);
    const signedUp = await call('v3', 'signUp', { body: bodyOf('user', { username: 'X', email, password }) });
    expect([signedUp.status, pointersIn(signedUp)]).toEqual([400, ['email']]);
    // An update that leaves the address alone stays possible.
    const kept = await world.admin.call('updateUser', {
      params: { user_id: body.data.id },
      body: bodyOf('user', { email, username: 'Renamed' }),
    });
    expect(kept.status).toBe(200);
  });

  it('200 is free to be taken once its holder is gone', async () => {
    const [one, other] = [await newWorld(), await newWorld()];
    const email = newEmail();
    const first = await create(one, email);
    const second = await create(other, email);
    await one.admin.call('deleteUser', { params: { user_id: first.body.data.id } });
    const token = await personalToken(other, { id: second.body.data.id, email });
    expect((await join({ token, email })).status).toBe(200);
    expect((await signIn({ email, password })).status).toBe(200);
  });

  it('201 in the public API too', async () => {
    const { email } = await squatter();
    const world = await newWorld();
    const created = await world.enterprise('createPublicUser', {
      body: { user: { username: 'Robin', email, location_ids: [world.workspaceId] } },
    });
    expect(created.status).toBe(200);
    expect((await setPassword(await welcomeToken(email), { take_address: true })).status).toBe(200);
  });
});
