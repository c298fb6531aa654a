import fs from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/db/connection.ts';
import { temporaryFolder } from '../support/process.ts';

describe('an embedded database that has crashed', () => {
  const { folder, remove } = temporaryFolder();
  afterAll(remove);

  it('fails every query at once, tells why, and has everything acknowledged when it is opened again', async () => {
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
});
