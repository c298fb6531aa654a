import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { credentialCache } from '../../src/auth/credential_cache.ts';
import { noteIdentityChange } from '../../src/db/driver/identity.ts';
import { newWorld } from '../support/world.ts';

describe('credentialCache', () => {
  const counting = () => {
    let now = 0;
    let looks = 0;
    const find = credentialCache<number>(() => now);
    return {
      look: (key: string, value: number | undefined = 1) => find(key, async () => (looks++, value)),
      pass: (ms: number) => (now += ms),
      looks: () => looks,
    };
  };

  it('looks each credential up once until the entry expires', async () => {
    const { look, pass, looks } = counting();
    expect([await look('a'), await look('a'), await look('b')]).toEqual([1, 1, 1]);
    expect(looks()).toBe(2);
    pass(1000);
    await look('a');
    expect(looks()).toBe(3);
  });

  it('looks it up again after a change, also one during the look-up', async () => {
    const { look, looks } = counting();
    await look('a');
    noteIdentityChange();
    await look('a');
    expect(looks()).toBe(2);
    const find = credentialCache<number>(() => 0);
    await find('a', async () => (noteIdentityChange(), 1));
    expect(await find('a', async () => 2)).toBe(2);
  });

  it('lets an entry expire although the wall clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const find = credentialCache<number>();
    await find('a', async () => 1);
    vi.setSystemTime(Date.now() - 3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await find('a', async () => 2)).toBe(2);
  });

  it('does not cache an unknown credential', async () => {
    const { look, looks } = counting();
    const find = credentialCache<number>(() => 0);
    expect(await find('a', async () => undefined)).toBeUndefined();
    expect(await find('a', async () => 1)).toBe(1);
    await look('x');
    expect(looks()).toBe(1);
  });
});

describe('a change to what a credential stands for', () => {
  it('is seen by the next request', async () => {
    const { admin, employee } = await newWorld();
    const status = async () => (await employee.call('getWorkspace')).status;
    expect([await status(), await status()]).toEqual([200, 200]);
    expect((await admin.call('deleteUser', { params: { user_id: employee.id } })).status).toBe(200);
    expect(await status()).toBe(401);
  });

  it('is seen within a second where another process made it, without a notice', async () => {
    const { db, employee } = await newWorld();
    const status = async () => (await employee.call('getWorkspace')).status;
    expect(await status()).toBe(200);
    // Nothing watches what raw SQL writes.
    await sql`do $$ begin execute 'update use' || 'rs set status = ''inactive'' where id = ${sql.lit(employee.id)}'; end $$`.execute(
      db,
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await status()).toBe(401);
  });

  it('is seen at once: a token that is signed out no longer works', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('getCurrentUser')).status).toBe(200);
    expect((await employee.call('signOut')).status).toBeLessThan(300);
    expect((await employee.call('getCurrentUser')).status).toBe(401);
  });
});

describe('concurrent requests', () => {
  it('are each authenticated by their own token', async () => {
    const worlds = [await newWorld(), await newWorld()];
    const people = worlds.flatMap(({ admin, employee, stranger }) => [admin, employee, stranger]);
    for (let round = 0; round < 5; round++) {
      noteIdentityChange();
      const answers = await Promise.all([
        ...people.map((person) => person.call('getCurrentUser')),
        people[0]!.call('getCurrentUser', { headers: { Authorization: 'Bearer nobody' } }),
        // From another account, where the workspace does not exist.
        people[3]!.call('getWorkspace', { params: { workspace_id: worlds[0]!.workspaceId } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([...people.map(() => 200), 401, 404]);
      expect(answers.slice(0, people.length).map(({ body }) => body.data.id)).toEqual(
        people.map(({ id }) => String(id)),
      );
    }
  });
});
