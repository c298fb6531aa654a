import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../src/platform/db/connection.ts';
import { fillingStatements, quickDataSet } from './data_set.ts';
import { fill } from './database.ts';
import { contenders, startServer } from './servers.ts';

/** Seconds from the start of the process until it is ready, on an embedded database that has rows. */
export async function measureStart(rounds: number, say: (text: string) => void): Promise<number[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-embedded-'));
  try {
    say('Filling an embedded database.');
    const database = await openDatabase({ folder: path.join(folder, 'db') });
    await fill(database, fillingStatements(quickDataSet), say);
    await database.close();
    const seconds: number[] = [];
    // The first start does not count, because it creates the tables of the queue.
    for (let round = 0; round <= rounds; round++) {
      const server = await startServer(contenders.ours, { DATA_DIR: folder });
      await server.stop();
      if (round > 0) seconds.push(server.startSeconds);
      say(`Start ${round} of ${rounds}: ready after ${server.startSeconds.toFixed(2)} s.`);
    }
    return seconds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
