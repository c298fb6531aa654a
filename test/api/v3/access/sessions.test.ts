import { beforeAll, describe, expect, it } from 'vitest';
import { removeOldSessions } from '../../../../src/access/sessions/sessions.ts';
import { tokenHash } from '../../../../src/platform/core/secrets.ts';
import { call, pointersIn } from '../../../support/client.ts';
import { callWithTokenOf, givePassword, newEmail, password, signIn, signUp } from '../../../support/people.ts';
import { serviceWith } from '../../../support/service.ts';
import { newSession, newWorld, type Person, type World } from '../../../support/world.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const ago = (ms: number): Date => new Date(Date.now() - ms);

interface Shown {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A server whose sessions last as long as by default. In other tests they do not end. */
const byDefault = (): Promise<string> => serviceWith({ SESSION_IDLE_DAYS: '' });

const sessionsOf = async (person: Person): Promise<Shown[]> =>
  (await person.call('listSessions', { at: await byDefault() })).body.data;

/** What a call with a token returns: the status, and the code of an error. */
async function answerTo(token: string, server = byDefault()): Promise<(number | string)[]> {
  const headers = { Authorization: `Bearer ${token}` };
  const { status, body } = await call('v3', 'getCurrentUser', { at: await server, headers });
  return status === 200 ? [status] : [status, body.errors[0].code];
}

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const begin = (person: Person, values: Partial<Parameters<typeof newSession>[1]> = {}) =>
  newSession(world.db, { account_id: world.accountId, user_id: person.id, ...values });

describe('listSessions', () => {
  it('200 shows how, when and from where somebody signed in, and which session asks', async () => {
    const member = await world.addMember('employee');
    await givePassword(world.db, member);
    const before = Date.now();
    const signedIn = await signIn({ email: member.email, password }, { headers: { 'User-Agent': 'Till/1.2' } });
    const { body } = await callWithTokenOf(signedIn, 'listSessions', { query: { sort: 'last_used_at' } });
    const [first, second] = body.data.toSorted((one: Shown) => (one.id === signedIn.body.data.id ? 1 : -1));
    expect(body.data).toHaveLength(2);
    expect(first.attributes).toMatchObject({ kind: 'password', network: null, user_agent: null, is_current: false });
    expect(second).toMatchObject({
      type: 'session',
      id: signedIn.body.data.id,
      attributes: { kind: 'password', network: '127.0.0.1', user_agent: 'Till/1.2', is_current: true },
    });
    expect(Date.parse(second.attributes.created_at)).toBeGreaterThanOrEqual(before - 1000);
    expect(second.attributes.last_used_at).toMatch(/:00:00Z$/);
  });

  it('200 shows nobody else’s sessions, and 401 without a token', async () => {
    const [mine, theirs] = [await sessionsOf(world.admin), await sessionsOf(world.employee)];
    expect(theirs.map(({ id }) => id).filter((id) => mine.some((session) => session.id === id))).toEqual([]);
    expect((await call('v3', 'listSessions')).status).toBe(401);
  });

  it('200 cuts long names of programs', async () => {
    const email = newEmail();
    const { body } = await signUp(
      { email, password, username: 'Robin' },
      { headers: { 'User-Agent': 'x'.repeat(400) } },
    );
    const listed = await callWithTokenOf({ body }, 'listSessions');
    expect(listed.body.data[0].attributes.user_agent).toBe('x'.repeat(255));
  });
});

describe('deleteSession', () => {
  it('200 ends one session, whose token is told so', async () => {
    const member = await world.addMember('employee');
    const lost = await begin(member);
    expect(await answerTo(lost.token)).toEqual([200]);
    const { status, body } = await member.call('deleteSession', { params: { session_id: lost.id } });
    expect([status, body.data.id, body.data.attributes.is_current]).toEqual([200, lost.id, false]);
    expect(await answerTo(lost.token)).toEqual([401, 'session_revoked']);
    expect((await sessionsOf(member)).map(({ id }) => id)).not.toContain(lost.id);
    expect((await member.call('deleteSession', { params: { session_id: lost.id } })).status).toBe(404);
    expect(await answerTo(member.token)).toEqual([200]);
  });

  it('200 ends the session that asks', async () => {
    const member = await world.addMember('employee');
    const [{ id }] = (await sessionsOf(member)) as [Shown];
    expect((await member.call('deleteSession', { params: { session_id: id } })).status).toBe(200);
    expect(await answerTo(member.token)).toEqual([401, 'session_revoked']);
  });

  it('404 for the session of somebody else, for one that has expired, and for what is no id', async () => {
    const [member, other] = [await world.addMember('employee'), await world.addMember('employee')];
    const foreign = (await sessionsOf(other))[0]!;
    const expired = await begin(member, { last_used_at: ago(91 * dayMs) });
    const at = await byDefault();
    for (const session_id of [foreign.id, expired.id, 'none'])
      expect((await member.call('deleteSession', { at, params: { session_id } })).status).toBe(404);
    expect(await answerTo(other.token)).toEqual([200]);
  });
});

describe('deleteOtherSessions', () => {
  it('200 ends all but the one that asks', async () => {
    const member = await world.addMember('employee');
    const others = [await begin(member), await begin(member)];
    const { status, body } = await member.call('deleteOtherSessions');
    expect(status).toBe(200);
    expect(body.data.map(({ id }: Shown) => id).sort()).toEqual(others.map(({ id }) => id).sort());
    for (const { token } of others) expect(await answerTo(token)).toEqual([401, 'session_revoked']);
    expect(await sessionsOf(member)).toMatchObject([{ attributes: { is_current: true } }]);
    expect((await member.call('deleteOtherSessions')).body.data).toEqual([]);
  });

  it('200 leaves those of everybody else', async () => {
    const member = await world.addMember('employee');
    await member.call('deleteOtherSessions');
    expect(await answerTo(world.admin.token)).toEqual([200]);
    expect(await answerTo(world.stranger.token)).toEqual([200]);
  });
});

describe('a session', () => {
  it('ends when it was not used for 90 days', async () => {
    const member = await world.addMember('employee');
    const [idle, used] = [
      await begin(member, { created_at: ago(200 * dayMs), last_used_at: ago(91 * dayMs) }),
      await begin(member, { created_at: ago(200 * dayMs), last_used_at: ago(89 * dayMs) }),
    ];
    expect(await answerTo(idle.token)).toEqual([401, 'session_expired']);
    expect(await answerTo(used.token)).toEqual([200]);
    const listed = (await sessionsOf(member)).map(({ id }) => id);
    expect([listed.includes(idle.id), listed.includes(used.id)]).toEqual([false, true]);
  });

  it('notes its use to the hour, and not more often', async () => {
    const member = await world.addMember('employee');
    const { id, token } = await begin(member, { last_used_at: ago(3 * hourMs) });
    const lastUse = async () =>
      (await world.db.selectFrom('access_tokens').select('last_used_at').where('id', '=', id).executeTakeFirstOrThrow())
        .last_used_at;
    expect(await answerTo(token)).toEqual([200]);
    const noted = await lastUse();
    expect(noted.getTime() % hourMs).toBe(0);
    expect(Date.now() - noted.getTime()).toBeLessThan(2 * hourMs);
    await answerTo(token);
    expect(await lastUse()).toEqual(noted);
  });

  it('has the greatest age that the operator sets, which its token names', async () => {
    const url = await serviceWith({ SESSION_MAX_DAYS: '7' });
    const member = await world.addMember('employee');
    await givePassword(world.db, member);
    const signedIn = await signIn({ email: member.email, password }, { at: url });
    expect(signedIn.body.data.attributes.expires_in).toBe(7 * 24 * 3600);
    const old = await begin(member, { created_at: ago(8 * dayMs) });
    const young = await begin(member, { created_at: ago(6 * dayMs), last_used_at: ago(6 * dayMs) });
    const limited = Promise.resolve(url);
    expect(await answerTo(old.token, limited)).toEqual([401, 'session_expired']);
    expect(await answerTo(young.token, limited)).toEqual([200]);
    // By default there is no greatest age.
    expect(await answerTo(old.token)).toEqual([200]);
  });

  it('ends with its user', async () => {
    const member = await world.addMember('employee');
    const params = { user_id: member.id };
    const body = { data: { type: 'user', attributes: { status: 'inactive' } } };
    expect((await world.admin.call('updateUserStatus', { params, body })).status).toBe(200);
    expect(await answerTo(member.token)).toEqual([401, 'session_revoked']);
  });

  it('that never was is unauthenticated', async () => {
    expect(await answerTo('pat_never')).toEqual([401, 'unauthenticated']);
  });

  it('is forgotten 30 days after its end', async () => {
    const member = await world.addMember('employee');
    const rows = [
      await begin(member, { ended_at: ago(31 * dayMs) }),
      await begin(member, { ended_at: ago(29 * dayMs) }),
      await begin(member, { last_used_at: ago(121 * dayMs) }),
      await begin(member, { last_used_at: ago(119 * dayMs) }),
    ];
    await removeOldSessions(world.db, { idleDays: 90, maxDays: 0 }, new Date());
    const answers = await Promise.all(rows.map(({ token }) => answerTo(token)));
    expect(answers.map(([, code]) => code)).toEqual([
      'unauthenticated',
      'session_revoked',
      'unauthenticated',
      'session_expired',
    ]);
    const left = await world.db.selectFrom('access_tokens').select('hash').where('user_id', '=', member.id).execute();
    expect(left.map(({ hash }) => hash).sort()).toEqual(
      [rows[1]!.token, rows[3]!.token, member.token].map(tokenHash).sort(),
    );
  });
});

it('400 names a page that does not exist', async () => {
  expect(pointersIn(await world.admin.call('listSessions', { query: { page: 0 } }))).toEqual(['page']);
});
