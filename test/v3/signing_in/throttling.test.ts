import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signIn as signInVerb } from '../../../src/auth/auth.ts';
import { readConfig } from '../../../src/config.ts';
import type { Db } from '../../../src/db/connection.ts';
import { givePassword, newEmail, password, signIn, signUp } from '../../support/people.ts';
import { service, serviceWith } from '../../support/service.ts';
import { newWorld } from '../../support/world.ts';

/** Nobody else in the tests calls from there. */
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

describe('the verb signIn', () => {
  const { limits } = readConfig({ SIGN_IN_FAILURES_PER_PAIR: '3' });
  const start = new Date('2026-01-30T08:00:00Z');
  const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);
  const attempt = (db: Db, email: string, tried: string, now: Date, caller = { address: '', limits }) =>
    signInVerb(db, { email, password: tried }, caller, now).then(
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
      limits: readConfig({ SIGN_IN_FAILURES_PER_PAIR: '0', SIGN_IN_FAILURES_PER_ADDRESS: '0' }).limits,
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
  it('keep no address and no e-mail in the open', async () => {
    const email = newEmail();
    await signIn({ email, password });
    const { db } = (await service()).database;
    const rows = await db.selectFrom('attempts').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ key }) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
  });
});
