import { describe, expect, it } from 'vitest';
import { tokenHash } from '../../../../../src/platform/core/secrets.ts';
import { call, pointersIn, titlesIn } from '../../../../support/client.ts';
import {
  callWithTokenOf,
  givePassword,
  issueApiKey,
  newEmail,
  password,
  signIn,
  signUp,
} from '../../../../support/people.ts';
import { service, serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

describe('signUp', () => {
  it('201 with a user, an account that they administer, and a first workspace to punch in', async () => {
    const email = newEmail();
    const answer = await signUp({ email, password, username: 'Robin Miller' });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ type: 'token', attributes: { token_type: 'Bearer', expires_in: null } });

    const me = await callWithTokenOf(answer, 'getCurrentUser', {
      query: { include: 'account,workspaces,absence_types' },
    });
    expect(me.body.data.attributes).toMatchObject({ email, username: 'Robin Miller', status: 'active' });
    const { account, workspaces } = me.body.data.relationships;
    const included = (type: string) => me.body.included.filter((record: { type: string }) => record.type === type);
    expect(included('account')[0].attributes).toMatchObject({ account_name: 'Robin Miller', locale: 'de' });
    expect(included('workspace')[0].attributes).toMatchObject({
      name: 'Robin Miller',
      time_zone: 'Berlin',
      locale: 'de',
    });
    expect(included('absence_type').map((type: { attributes: object }) => type.attributes)).toMatchObject([
      { title: 'Urlaub', kind: 'vacation' },
      { title: 'Krankheit', kind: 'sickness' },
      { title: 'Sonderurlaub', kind: 'special' },
      { title: 'Unbezahlter Urlaub', kind: 'unpaid' },
    ]);
    const here = await callWithTokenOf(answer, 'getCurrentWorkspaceUser', {
      params: { workspace_id: workspaces.data[0].id },
    });
    expect(here.body.data.relationships).toMatchObject({ roles: { data: [{ type: 'role', id: '4' }] }, account });
  });

  it('201 with the token in the header too, and only its hash in the database', async () => {
    const answer = await signUp({ email: newEmail(), password, username: 'Robin' });
    const { access_token: token } = answer.body.data.attributes;
    expect(token).toMatch(/^pat_[\w-]{43}$/);
    expect(answer.headers).toMatchObject({ authorization: `Bearer ${token}`, 'cache-control': 'no-store' });
    const { db } = (await service()).database;
    const rows = await db.selectFrom('access_tokens').selectAll().where('id', '=', answer.body.data.id).execute();
    expect(rows).toMatchObject([{ hash: tokenHash(token) }]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('201 whatever bearer is sent', async () => {
    const answer = await signUp(
      { email: newEmail(), password, username: 'Robin' },
      { headers: { Authorization: 'Bearer nonsense' } },
    );
    expect(answer.status).toBe(201);
  });

  it('400 names every problem at once, and no password', async () => {
    const empty = await signUp({});
    expect(pointersIn(empty).sort()).toEqual(['email', 'password', 'username']);
    const bad = await signUp({ email: 'nobody', password: '1234567', username: ' ' });
    expect(bad.status).toBe(400);
    expect(titlesIn(bad).sort()).toEqual([
      'email must be an e-mail address, but was "nobody".',
      'password must have at least 8 characters.',
      'username is required.',
    ]);
    const long = await signUp({
      email: `${'x'.repeat(250)}@example.com`,
      password: 'x'.repeat(1025),
      username: 'x'.repeat(256),
    });
    expect(pointersIn(long).sort()).toEqual(expect.arrayContaining(['email', 'password', 'username']));
  });

  it('400 for an address that somebody has, in whichever case', async () => {
    const email = newEmail();
    await signUp({ email, password, username: 'First' });
    const answer = await signUp({ email: email.toUpperCase(), password, username: 'Second' });
    expect(answer.status).toBe(400);
    expect(pointersIn(answer)).toEqual(['email']);
  });

  it('400 for all but one of many who sign up with one address at once', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 4 }, () => signUp({ email, password, username: 'Robin' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  });

  it('403 where the operator has closed it', async () => {
    const answer = await signUp(
      { email: newEmail(), password, username: 'Robin' },
      { at: await serviceWith({ SIGN_UP: 'off' }) },
    );
    expect(answer.status).toBe(403);
    expect(titlesIn(answer)).toEqual(['You are not authorized to perform this action.']);
  });
});

describe('signIn', () => {
  it('200 with a token in body and header, whatever the case of the address', async () => {
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    for (const email of [employee.email, employee.email.toUpperCase()]) {
      const answer = await signIn({ email, password });
      expect(answer.status).toBe(200);
      expect(answer.headers['authorization']).toBe(`Bearer ${answer.body.data.attributes.access_token}`);
      expect((await callWithTokenOf(answer, 'getCurrentUser')).body.data.id).toBe(String(employee.id));
    }
  });

  it('400 without address or password', async () => {
    expect(pointersIn(await signIn({})).sort()).toEqual(['email', 'password']);
    expect(pointersIn(await signIn({ email: '', password: ' ' })).sort()).toEqual(['email', 'password']);
    expect(
      pointersIn(
        await call('v3', 'signIn', {
          body: bodyOf('token', { email: 'a', password: 'b' }),
          headers: { 'Api-Key': await issueApiKey() },
        }),
      ),
    ).toEqual(['type']);
  });

  it('401 without a valid Api-Key, before any other check', async () => {
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const body = bodyOf('user', { email: employee.email, password });
    for (const key of [undefined, '', 'unknown', await issueApiKey(new Date())]) {
      const headers: Record<string, string> = key === undefined ? {} : { 'Api-Key': key };
      for (const given of [body, {}]) {
        const answer = await call('v3', 'signIn', { body: given, headers });
        expect(answer.status).toBe(401);
        expect(titlesIn(answer)).toEqual(['The header Api-Key is missing, unknown or revoked.']);
      }
    }
  });

  it('200 without a key where the operator requires none', async () => {
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const at = await serviceWith({ REQUIRE_API_KEY: 'false' });
    expect((await call('v3', 'signIn', { at, body: bodyOf('user', { email: employee.email, password }) })).status).toBe(
      200,
    );
    expect(
      (
        await call('v3', 'signIn', {
          at,
          body: bodyOf('user', { email: employee.email, password }),
          headers: { 'Api-Key': 'unknown' },
        })
      ).status,
    ).toBe(200);
  });

  it('401 with the same body for every reason', async () => {
    const { db, admin, employee, addMember } = await newWorld();
    const [inactive, deleted, invited] = [
      await addMember('employee'),
      await addMember('employee'),
      await addMember('employee'),
    ];
    for (const person of [employee, inactive, deleted]) await givePassword(db, person);
    await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', inactive.id).execute();
    await admin.call('deleteUser', { params: { user_id: deleted.id } });
    const attempts = [
      { email: employee.email, password: 'wrong password' },
      { email: newEmail(), password },
      { email: 'no address at all', password },
      { email: inactive.email, password },
      { email: deleted.email, password },
      { email: invited.email, password },
    ];
    const answers = await Promise.all(attempts.map((attempt) => signIn(attempt)));
    expect(answers.map(({ status }) => status)).toEqual(attempts.map(() => 401));
    const bodies = answers.map(({ body }) => JSON.stringify({ ...body, meta: null }));
    expect(new Set(bodies).size).toBe(1);
    expect(titlesIn(answers[0]!)).toEqual(['The e-mail address or the password is wrong.']);
  });
});

describe('signOut', () => {
  it('204 revokes this token and no other', async () => {
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const other = await signIn({ email: employee.email, password });
    const answer = await employee.call('signOut');
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect((await employee.call('getCurrentUser')).status).toBe(401);
    expect((await employee.call('signOut')).status).toBe(401);
    expect((await callWithTokenOf(other, 'getCurrentUser')).status).toBe(200);
  });
});

describe('an inactive user', () => {
  it('401 with the token they still have', async () => {
    const { db, employee } = await newWorld();
    await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', employee.id).execute();
    expect((await employee.call('getCurrentUser')).status).toBe(401);
  });
});
