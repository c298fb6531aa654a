import { randomInt, randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { pino } from 'pino';
import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../../../../src/access/api_tokens/api_keys.ts';
import { tokenHash } from '../../../../../src/platform/core/secrets.ts';
import type { Db } from '../../../../../src/platform/db/connection.ts';
import { rateCounts } from '../../../../../src/platform/http/security/rate_counts.ts';
import { rateLimit } from '../../../../../src/platform/http/security/rate_limits.ts';
import { titlesIn } from '../../../../support/client.ts';
import { givePassword, password, signIn } from '../../../../support/people.ts';
import { service, serviceWith } from '../../../../support/service.ts';
import { newWorld } from '../../../../support/world.ts';

/** One app for all tests: making one takes longer than they do. */
const limited = () => serviceWith({ RATE_LIMIT_PER_MINUTE: '3' });
const rateIn = ({ headers }: Response) => [headers['ratelimit-limit'], headers['ratelimit-remaining']];

describe('RATE_LIMIT_PER_MINUTE', () => {
  it('is off by default, and then there are no headers', async () => {
    const { employee } = await newWorld();
    expect(rateIn(await employee.call('getCurrentUser'))).toEqual([undefined, undefined]);
  });

  it('counts down on every answer, and then refuses until the minute is over', async () => {
    const at = await limited();
    const { employee, admin } = await newWorld();
    expect(rateIn(await employee.call('getCurrentUser', { at }))).toEqual(['3', '2']);
    expect(rateIn(await employee.call('getArea', { at, params: { area_id: 1 } }))).toEqual(['3', '1']);
    expect(rateIn(await employee.call('getWorkspace', { at, params: { workspace_id: 1 } }))).toEqual(['3', '0']);

    const refused = await employee.call('getCurrentUser', { at });
    expect(refused.status).toBe(429);
    expect(rateIn(refused)).toEqual(['3', '0']);
    const seconds = refused.headers['retry-after'];
    expect(refused.headers['ratelimit-policy']).toBe('"minute";q=3;w=60');
    expect(refused.headers['ratelimit']).toBe(`"minute";r=0;t=${seconds}`);
    expect(Number(seconds)).toBeGreaterThan(50);
    expect(refused.headers['ratelimit-reset']).toBe(seconds);
    expect(refused.body.errors).toEqual([
      {
        status: 'too_many_requests',
        code: 'rate_limited',
        source: { pointer: 'base' },
        title: `This credential may make 3 requests a minute. Try again in ${seconds} seconds.`,
        links: { about: expect.stringMatching(/^http:.*#rate_limited$/) },
      },
    ]);
    expect((await admin.call('getCurrentUser', { at })).status).toBe(200);
  });

  it('applies to the token of the public API', async () => {
    const at = await limited();
    const { enterprise } = await newWorld();
    expect(rateIn(await enterprise('ping', { at }))).toEqual(['3', '2']);
    for (const status of [400, 400])
      expect((await enterprise('createWorkingArea', { at, body: {} })).status).toBe(status);
    const refused = await enterprise('createWorkingArea', { at, body: { working_area: { name: 'Bar' } } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, refused.headers['ratelimit-reset']]);
  });

  it('counts sign-ins by the IP address, and not by the key that every installed app has', async () => {
    const at = await serviceWith({ RATE_LIMIT_PER_MINUTE: '20', TRUST_PROXY: 'true' });
    const { db, employee } = await newWorld();
    await givePassword(db, employee);
    const { key } = await createApiKey(db, 'Test', new Date());
    const signInFrom = (address: string, person: { email: string; password: string }) =>
      signIn(person, { at, headers: { 'Api-Key': key, 'X-Forwarded-For': address } });
    const site = `2001:db8:${randomInt(65_536).toString(16)}:1:`;
    const attempts = Array.from({ length: 21 }, (_, index) =>
      signInFrom(`${site}:${index}`, { email: `${randomUUID()}@example.com`, password: 'wrong' }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    const refused = await signInFrom(`${site}:ffff`, { email: employee.email, password });
    expect(titlesIn(refused)).toEqual([
      expect.stringMatching(/^This IP address may make 20 requests a minute\. Try again in \d+ seconds\.$/),
    ]);
    expect((await signInFrom('198.51.100.7', { email: employee.email, password })).status).toBe(200);
  });

  it('lets exactly as many through when all come at once', async () => {
    const at = await limited();
    const { employee } = await newWorld();
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => (await employee.call('getCurrentUser', { at })).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(27);
  });

  it('keeps no count of credentials that do not exist', async () => {
    const at = await limited();
    const { employee } = await newWorld();
    for (let count = 0; count < 5; count++) {
      const response = await employee.call('getCurrentUser', { at, headers: { Authorization: 'Bearer invented' } });
      expect(response.status).toBe(401);
      expect(rateIn(response)).toEqual([undefined, undefined]);
    }
  });

  it('sends no query while requests pass, and does not look up a credential that has reached its limit', async () => {
    const noDatabase = {} as Db;
    const limit = rateLimit(noDatabase, 3, pino({ level: 'silent' }));
    let looks = 0;
    const ask = () => limit({ res: { set: () => {} } } as unknown as Request, 'a credential', async () => ++looks);
    expect([await ask(), await ask(), await ask()]).toEqual([1, 2, 3]);
    await expect(ask()).rejects.toMatchObject({ status: 429 });
    expect(looks).toBe(3);
  });
});

describe('the counts of several processes', () => {
  const processes = async (limit: number) => {
    const { db } = (await service()).database;
    const time = { now: Date.now() };
    const clock = (): number => time.now;
    return {
      db,
      time,
      clock,
      one: rateCounts(db, limit, { clock }),
      two: rateCounts(db, limit, { clock }),
      credential: randomUUID(),
    };
  };

  it('are added up in the database', async () => {
    const { one, two, credential } = await processes(5);
    for (let count = 0; count < 3; count++) one.take(credential);
    await one.exchange();
    expect(two.take(credential).remaining).toBe(4);
    await two.exchange();
    expect(two.take(credential)).toMatchObject({ isAllowed: true, remaining: 0 });
    await two.exchange();
    expect(one.take(credential)).toMatchObject({ isAllowed: true, remaining: 1 });
    await one.exchange();
    expect([one.isExhausted(credential), one.take(credential).isAllowed, two.take(credential).isAllowed]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('end with the same minute, and begin anew after it', async () => {
    const { one, two, credential, time } = await processes(2);
    one.take(credential);
    await one.exchange();
    time.now += 40_000;
    expect(two.take(credential).resetSeconds).toBe(60);
    await two.exchange();
    expect(two.take(credential)).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 20 });
    time.now += 20_000;
    expect(two.take(credential)).toEqual({ isAllowed: true, remaining: 1, resetSeconds: 60 });
    await two.exchange();
    expect(two.take(credential).remaining).toBe(0);
  });

  it('are kept while they cannot be shared, and never name a credential', async () => {
    const { db, clock, one, credential } = await processes(5);
    const isBroken = { now: true };
    const broken = rateCounts(
      {
        getExecutor: () => {
          if (isBroken.now) throw new Error('gone');
          return db.getExecutor();
        },
      } as unknown as typeof db,
      5,
      { clock },
    );
    broken.take(credential);
    await expect(broken.exchange()).rejects.toThrow('gone');
    isBroken.now = false;
    await broken.exchange();
    one.take(credential);
    await one.exchange();
    expect(one.take(credential).remaining).toBe(2);
    const rows = await db.selectFrom('attempts').select('key').execute();
    expect(rows.every(({ key }) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
  });

  it('are shared automatically, about once a second', async () => {
    const { db, employee } = await newWorld();
    await employee.call('getCurrentUser', { at: await limited() });
    const shared = () =>
      db
        .selectFrom('attempts')
        .select('count')
        .where('key', '=', tokenHash(`rate\n${employee.token}`))
        .executeTakeFirst();
    expect(await shared()).toBeUndefined();
    await expect.poll(shared, { timeout: 60_000, interval: 200 }).toEqual({ count: 1 });
  });
});
