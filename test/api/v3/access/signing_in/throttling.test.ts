import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signIn as signInVerb } from '../../../../../src/access/auth/auth.ts';
import { readConfig } from '../../../../../src/platform/config.ts';
import type { Db } from '../../../../../src/platform/db/connection.ts';
import { call } from '../../../../support/client.ts';
import { givePassword, newEmail, password, signIn, signUp } from '../../../../support/people.ts';
import { service, serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

/** No other test uses these addresses. */
const newAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
const throttled = () =>
  serviceWith({
    SIGN_IN_FAILURES_PER_PAIR: '3',
    SIGN_IN_FAILURES_PER_ADDRESS: '5',
    SIGN_UPS_PER_HOUR: '2',
    TRUST_PROXY: 'true',
  });
const from = (address: string) => ({ 'X-Forwarded-For': address });

describe('signIn', () => {
  it('429 after too many failures of one address and person, for these only', async () => {
    const at = await throttled();
    const { db, employee, admin } = await newWorld();
    for (const person of [employee, admin]) await givePassword(db, person);
    const headers = from(newAddress());
    const fail = () => signIn({ email: employee.email, password: 'wrong' }, { at, headers });
    expect([(await fail()).status, (await fail()).status, (await fail()).status]).toEqual([401, 401, 401]);

    const refused = await signIn({ email: employee.email.toUpperCase(), password }, { at, headers });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(890);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(refused.body.errors[0]).toMatchObject({
      status: 'too_many_requests',
      title: expect.stringMatching(/^Too many attempts\. Try again in \d+ seconds\.$/),
    });

    expect((await signIn({ email: admin.email, password }, { at, headers })).status).toBe(200);
    expect((await signIn({ email: employee.email, password }, { at, headers: from(newAddress()) })).status).toBe(200);
  });

  it('429 for unknown people just the same', async () => {
    const at = await throttled();
    const [headers, email] = [from(newAddress()), newEmail()];
    for (const status of [401, 401, 401, 429])
      expect((await signIn({ email, password }, { at, headers })).status).toBe(status);
  });

  it('429 after too many failures of one address, for any account names', async () => {
    const at = await throttled();
    const headers = from(newAddress());
    for (const status of [401, 401, 401, 401, 401, 429])
      expect((await signIn({ email: newEmail(), password }, { at, headers })).status).toBe(status);
    expect((await signIn({ email: newEmail(), password }, { at, headers: from(newAddress()) })).status).toBe(401);
  });

  it('200 clears the count of the person but not of the address, and no success ever counts', async () => {
    const at = await throttled();
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const headers = from(newAddress());
    const statuses: number[] = [];
    for (const tried of [
      'wrong',
      'wrong',
      password,
      'wrong',
      password,
      password,
      password,
      password,
      'wrong',
      'wrong',
      password,
    ])
      statuses.push((await signIn({ email: employee.email, password: tried }, { at, headers })).status);
    expect(statuses).toEqual([401, 401, 200, 401, 200, 200, 200, 200, 401, 401, 429]);
  });

  it('the address is that of the socket where no proxy is trusted', async () => {
    const at = await serviceWith({ SIGN_IN_FAILURES_PER_PAIR: '1' });
    const email = newEmail();
    expect((await signIn({ email, password }, { at, headers: from(newAddress()) })).status).toBe(401);
    expect((await signIn({ email, password }, { at, headers: from(newAddress()) })).status).toBe(429);
  });
});

describe('an IPv6 address', () => {
  it('counts by its /64', async () => {
    const at = await throttled();
    const email = newEmail();
    const site = `2001:db8:${randomInt(65_536).toString(16)}`;
    for (const [end, status] of [
      ['1::1', 401],
      ['1:ffff::2', 401],
      ['1::3', 401],
      ['1:1:2:3:4', 429],
      ['2::1', 401],
    ] as const)
      expect((await signIn({ email, password }, { at, headers: from(`${site}:${end}`) })).status).toBe(status);
  });

  it('that holds an IPv4 address counts as that', async () => {
    const at = await throttled();
    const [email, address] = [newEmail(), newAddress()];
    for (const [headers, status] of [
      [from(address), 401],
      [from(`::ffff:${address}`), 401],
      [from(address), 401],
      [from(`::ffff:${address}`), 429],
    ] as const)
      expect((await signIn({ email, password }, { at, headers })).status).toBe(status);
  });
});

describe('requestPasswordReset', () => {
  it('429 after too many from one IP address', async () => {
    const at = await throttled();
    const reset = (headers: Record<string, string>) =>
      call('v3', 'requestPasswordReset', { at, headers, body: bodyOf('user', { email: newEmail() }) });
    const headers = from(newAddress());
    for (const status of [200, 200, 200, 200, 200, 429]) expect((await reset(headers)).status).toBe(status);
    expect((await reset(from(newAddress()))).status).toBe(200);
  });
});

describe('updatePassword', () => {
  it('429 after too many wrong tokens from one IP address', async () => {
    const at = await throttled();
    const guess = (headers: Record<string, string>) =>
      call('v3', 'updatePassword', {
        at,
        headers,
        body: bodyOf('user', { reset_password_token: 'guessed', password }),
      });
    const headers = from(newAddress());
    for (const status of [400, 400, 400, 400, 400, 429]) expect((await guess(headers)).status).toBe(status);
    expect((await guess(from(newAddress()))).status).toBe(400);
  });
});

describe('the verb signIn', () => {
  const { limits } = readConfig({ SIGN_IN_FAILURES_PER_PAIR: '3' });
  const start = new Date('2026-01-30T08:00:00Z');
  const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);
  const attempt = (db: Db, email: string, tried: string, now: Date, caller = { address: '', limits }) =>
    signInVerb(db, { email, password: tried }, { ...caller, userAgent: undefined, requestId: '' }, now).then(
      () => 200,
      (error: { status: number }) => error.status,
    );

  it('lets people try again once the window has passed, counted from the first failure', async () => {
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const caller = { address: newAddress(), limits };
    for (const seconds of [0, 100, 200])
      expect(await attempt(db, employee.email, 'wrong', later(seconds), caller)).toBe(401);
    expect(await attempt(db, employee.email, password, later(899), caller)).toBe(429);
    expect(await attempt(db, employee.email, password, later(900), caller)).toBe(200);
  });

  it('counts nothing where a limit is 0', async () => {
    const { db, employee } = await newWorld();
    const caller = {
      address: newAddress(),
      limits: readConfig({
        SIGN_IN_FAILURES_PER_PAIR: '0',
        SIGN_IN_FAILURES_PER_ADDRESS: '0',
        SIGN_IN_MAX_DELAY_SECONDS: '0',
      }).limits,
    };
    for (let count = 0; count < 15; count++)
      expect(await attempt(db, employee.email, 'wrong', start, caller)).toBe(401);
  });

  it('refuses the right guess among too many at once', async () => {
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const caller = { address: newAddress(), limits };
    const guesses = [...Array.from({ length: 24 }, (_, index) => `wrong ${index}`), password];
    const statuses = await Promise.all(guesses.map((guess) => attempt(db, employee.email, guess, start, caller)));
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('failures for one e-mail address from many IP addresses', () => {
  const { limits } = readConfig({});
  const start = new Date('2026-01-30T08:00:00Z').getTime();

  /** Signs in at some second, from a new IP address by default. Returns the status and the seconds in Retry-After. */
  const attemptsOf =
    (db: Db, email: string) =>
    async (second: number, tried: string, address = newAddress()) =>
      signInVerb(
        db,
        { email, password: tried },
        { address, userAgent: undefined, limits, requestId: '' },
        new Date(start + second * 1000),
      ).then(
        () => [200],
        ({ status, headers }: { status: number; headers?: Record<string, string> }) =>
          status === 429 ? [status, Number(headers!['Retry-After'])] : [status],
      );

  it('delay the next attempt, longer each time, up to five minutes', async () => {
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const attempt = attemptsOf(db, employee.email);
    let second = 0;
    for (let count = 0; count < 4; count++) expect(await attempt(second, 'wrong')).toEqual([401]);
    const delays = [];
    for (let count = 0; count < 12; count++) {
      expect(await attempt(second, 'wrong')).toEqual([401]);
      const [status, delay] = await attempt(second, password);
      expect(status).toBe(429);
      // An attempt that was refused does not prolong the delay.
      expect(await attempt(second + delay! - 1, 'wrong')).toEqual([429, 1]);
      delays.push(delay!);
      second += delay!;
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    expect(await attempt(second, password)).toEqual([200]);
    // Success resets the count.
    for (let count = 0; count < 4; count++) expect(await attempt(second, 'wrong')).toEqual([401]);
    expect(await attempt(second, password)).toEqual([200]);
  });

  it('do not delay users where they have signed in before', async () => {
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const attempt = attemptsOf(db, employee.email);
    const home = newAddress();
    expect(await attempt(0, password, home)).toEqual([200]);
    for (let count = 0; count < 5; count++) expect(await attempt(10, 'wrong')).toEqual([401]);
    expect(await attempt(10, password)).toEqual([429, 1]);
    expect(await attempt(10, password, home)).toEqual([200]);
  });

  it('delay attempts for an address that nobody has in the same way', async () => {
    const { db } = await newWorld();
    const attempt = attemptsOf(db, newEmail());
    for (let count = 0; count < 5; count++) expect(await attempt(0, 'wrong')).toEqual([401]);
    expect(await attempt(0, 'wrong')).toEqual([429, 1]);
  });

  it('refuse the right guess among many at once', async () => {
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const attempt = attemptsOf(db, employee.email);
    const guesses = [...Array.from({ length: 24 }, (_, index) => `wrong ${index}`), password];
    const answers = await Promise.all(guesses.map((guess) => attempt(0, guess)));
    expect(answers.at(-1)![0]).toBe(429);
  });
});

describe('signUp', () => {
  it('429 after too many from one address', async () => {
    const at = await throttled();
    const headers = from(newAddress());
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++)
      statuses.push((await signUp({ email: newEmail(), password, username: 'Robin' }, { at, headers })).status);
    expect(statuses).toEqual([201, 201, 429]);
    const other = await signUp({ email: newEmail(), password, username: 'Robin' }, { at, headers: from(newAddress()) });
    expect(other.status).toBe(201);
  });
});

describe('counters', () => {
  it('store no IP address and no e-mail address in plain text', async () => {
    const email = newEmail();
    await signIn({ email, password });
    const { db } = (await service()).database;
    const rows = await db.selectFrom('attempts').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ key }) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
  });
});
