import fs from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../../../src/platform/db/connection.ts';
import { temporaryFolder } from '../../../../support/processes/process.ts';

describe('an embedded database whose disk fails', { timeout: 120_000 }, () => {
  const { folder, remove } = temporaryFolder();
  afterAll(remove);

  it('crashes on a failing fsync, fails every query at once, tells why, and has everything acknowledged when it is opened again', async () => {
    const database = await openDatabase({ folder });
    await database.pool.query('create table kept (number integer)');
    await database.pool.query('insert into kept values (1)');
    await expect(database.pool.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await database.pool.query('insert into kept values (2)');

    const failure = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5 });
    const sync = vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
      throw failure;
    });
    const insert = () => database.pool.query('insert into kept values ($1)', [3]);
    const results = await Promise.allSettled([insert(), insert(), insert()]);
    sync.mockRestore();
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { code: '57P02' } });
    await expect(insert()).rejects.toMatchObject({ code: '57P02' });
    expect((await database.pglite!.crashed).message).toMatch(
      /^The embedded database has crashed: could not fsync file/,
    );
    await database.close();

    const again = await openDatabase({ folder });
    const { rows } = await again.pool.query('select number from kept where number < 3 order by number');
    await again.close();
    expect(rows).toEqual([{ number: 1 }, { number: 2 }]);
  });

  it('refuses what would grow, survives checkpoints, and goes on once there is space', async () => {
    const database = await openDatabase({ folder });
    await database.pool.query('create table grown (text text)');
    const grow = () => database.pool.query(`insert into grown select repeat('x', 500) from generate_series(1, 1000)`);
    const write = fs.writeSync as (...call: unknown[]) => number;
    const disk = vi.spyOn(fs, 'writeSync').mockImplementation((...call: unknown[]) => {
      const [descriptor, , , length, position] = call as [number, Uint8Array, number, number, number];
      const file = fs.fstatSync(descriptor);
      if (file.isFile() && position + length > file.size)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
      return write(...call);
    });
    try {
      await expect(grow()).rejects.toMatchObject({ code: '53100' });
      await database.pool.query('checkpoint');
      await expect(grow()).rejects.toMatchObject({ code: '53100' });
    } finally {
      disk.mockRestore();
    }
    await grow();
    const { rows } = await database.pool.query('select count(*) from grown');
    await database.close();
    expect(rows).toEqual([{ count: 1000 }]);
  });
});
