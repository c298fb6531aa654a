import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startObjectServer, type ObjectServer } from '../../../support/object_store/server.ts';
import { runProgram } from '../../../support/processes/process.ts';
import { newDatabase } from '../support.ts';
import { freshBuild } from '../../../support/processes/fresh_build.ts';

describe('files move that is killed', { timeout: 240_000 }, () => {
  let store: ObjectServer;
  let database: pg.Client;
  let environment: Record<string, string>;
  const contents = new Map<string, Buffer>();

  beforeAll(async () => {
    store = await startObjectServer();
    const url = await newDatabase();
    environment = { DATABASE_URL: url, ...store.environment };
    database = new pg.Client({ connectionString: url });
    await database.connect();
    expect(await runProgram('cli', ['migrate'], environment)).toMatchObject({ code: 0 });
    await database.query(
      `insert into accounts (id, account_name, created_at, updated_at) values (1, 'Account', now(), now())`,
    );
    for (let count = 0; count < 60; count++) {
      const [id, bytes] = [randomUUID(), randomBytes(1_000)];
      contents.set(id, bytes);
      await database.query(
        `insert into files (account_id, id, name, content_type, size_bytes, created_at) values (1, $1, 'a', 'text/plain', 1000, now())`,
        [id],
      );
      await database.query(`insert into file_pieces (account_id, file_id, position, bytes) values (1, $1, 0, $2)`, [
        id,
        bytes,
      ]);
    }
  }, 240_000);
  afterAll(async () => {
    await database.end();
    await store.close();
  });

  /** Expects that each file is where its record says, and nowhere else. */
  async function expectContents(): Promise<number> {
    const { rows } = await database.query<{ id: string; object_key: string | null; bytes: Buffer | null }>(
      `select files.id, object_key, bytes from files left join file_pieces piece
       on piece.account_id = files.account_id and piece.file_id = files.id`,
    );
    expect(rows).toHaveLength(contents.size);
    for (const { id, object_key, bytes } of rows) {
      expect(bytes === null).toBe(object_key !== null);
      const stored = bytes ?? store.objects.get(`punch/card/${object_key}`)!.bytes;
      expect(stored.equals(contents.get(id)!)).toBe(true);
    }
    return rows.filter(({ object_key }) => object_key !== null).length;
  }

  it('loses nothing at whichever moment, and goes on with the rest', async () => {
    await freshBuild();
    store.before = () => pause(20);
    for (const atLeast of [5, 20]) {
      const child = spawn(process.execPath, ['dist/cli.js', 'files', 'move'], {
        env: { PATH: process.env['PATH'], ...environment },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      while (store.objects.size < atLeast) await pause(5);
      child.kill('SIGKILL');
      await ended;
      const moved = await expectContents();
      expect(moved).toBeGreaterThan(0);
      expect(moved).toBeLessThan(contents.size);
    }
    store.before = async () => {};
    const { code, output } = await runProgram('cli', ['files', 'move'], environment);
    expect([code, output]).toEqual([0, expect.stringContaining('Moved ')]);
    expect(await expectContents()).toBe(contents.size);
  });
});
