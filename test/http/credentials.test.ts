import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { noteIdentityChange } from '../../src/db/driver/identity.ts';
import { remembering } from '../../src/http/security/credentials.ts';
import { newWorld } from '../support/world.ts';

describe('remembering', () => {
  const counting = () => {
    let now = 0;
    let looks = 0;
    const remember = remembering<number>(() => now);
    return {
      look: (key: string, value: number | undefined = 1) => remember(key, async () => (looks++, value)),
      pass: (time: number) => (now += time),
      looks: () => looks,
    };
  };

  it('looks once in a moment, for each credential', async () => {
    const { look, pass, looks } = counting();
    expect([await look('a'), await look('a'), await look('b')]).toEqual([1, 1, 1]);
    expect(looks()).toBe(2);
    pass(1000);
    await look('a');
    expect(looks()).toBe(3);
  });

  it('looks again after a change, also one that came while it was looking', async () => {
    const { look, looks } = counting();
    await look('a');
    noteIdentityChange();
    await look('a');
    expect(looks()).toBe(2);
    const remember = remembering<number>(() => 0);
    await remember('a', async () => (noteIdentityChange(), 1));
    expect(await remember('a', async () => 2)).toBe(2);
  });

  it('does not keep that something is unknown', async () => {
    const { look, looks } = counting();
    const remember = remembering<number>(() => 0);
    expect(await remember('a', async () => undefined)).toBeUndefined();
    expect(await remember('a', async () => 1)).toBe(1);
    await look('x');
    expect(looks()).toBe(1);
  });
});

describe('a change of who somebody is', () => {
  it('is seen by the very next request', async () => {
    const { admin, employee } = await newWorld();
    const status = async () => (await employee.call('getWorkspace')).status;
    expect([await status(), await status()]).toEqual([200, 200]);
    expect((await admin.call('deleteUser', { params: { user_id: employee.id } })).status).toBe(200);
    expect(await status()).toBe(401);
  });

  it('is seen where another process made it within a second', async () => {
    const { db, employee } = await newWorld();
    const status = async () => (await employee.call('getWorkspace')).status;
    expect(await status()).toBe(200);
    // Raw SQL tells nobody what it writes.
    await sql`do $$ begin execute 'update use' || 'rs set status = ''inactive'' where id = ${sql.lit(employee.id)}'; end $$`.execute(
      db,
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await status()).toBe(401);
  });

  it('is seen where nobody else is told: a token that is signed out is worth nothing', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('getCurrentUser')).status).toBe(200);
    expect((await employee.call('signOut')).status).toBeLessThan(300);
    expect((await employee.call('getCurrentUser')).status).toBe(401);
  });
});

describe('many who ask at once', () => {
  it('are each taken for themselves', async () => {
    const worlds = [await newWorld(), await newWorld()];
    const people = worlds.flatMap(({ admin, employee, stranger }) => [admin, employee, stranger]);
    for (let round = 0; round < 5; round++) {
      noteIdentityChange();
      const answers = await Promise.all([
        ...people.map((person) => person.call('getCurrentUser')),
        people[0]!.call('getCurrentUser', { headers: { Authorization: 'Bearer nobody' } }),
        // Of another account: nobody there knows the workspace.
        people[3]!.call('getWorkspace', { params: { workspace_id: worlds[0]!.workspaceId } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([...people.map(() => 200), 401, 404]);
      expect(answers.slice(0, people.length).map(({ body }) => body.data.id)).toEqual(
        people.map(({ id }) => String(id)),
      );
    }
  });
});
