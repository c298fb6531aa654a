import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../../scripts/cluster.ts';
import { figure, progress, tally, repetitions, slack } from '../../support/verification.ts';
import { punchMistakes, newCrew, newPuncher, send, type Puncher } from '../../support/processes/punchers.ts';
import { startServer, temporaryFolder, type Running } from '../../support/processes/process.ts';

/*
 * PostgreSQL is killed under load and restarted. The test starts its own PostgreSQL, so that no other test is affected.
 */

const mostSeconds = 5 * slack;

describe('PostgreSQL killed and restarted under load', () => {
  const { folder, remove } = temporaryFolder();
  let cluster: Cluster;
  let server: Running;

  beforeAll(async () => {
    cluster = await startCluster();
    server = await startServer({
      DATABASE_URL: cluster.url,
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      SIGN_UPS_PER_HOUR: '0',
      PASSWORD_RESETS_PER_HOUR: '0',
    });
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await cluster?.stop();
    remove();
  }, 60_000);

  it('is 503 with Retry-After in between, full service within 5 seconds of its return, and no acknowledged write lost', async () => {
    const outages = tally('outages of PostgreSQL');
    const rounds = repetitions(1, 10);
    const { url } = server;
    const punchers: Puncher[] = [];
    for (let count = 0; count < 6; count++) punchers.push(await newPuncher(url));
    punchers.push(...(await newCrew(url, 6)));
    let [slowest, refusals] = [0, 0];

    for (let round = 1; round <= rounds; round++) {
      let isOver = false;
      const before = punchers.map(({ acknowledged }) => acknowledged.length);
      const punching = Promise.all(
        punchers.map(async (puncher) => {
          // Every request must get a response.
          await puncher.punch(url, () => isOver);
          if (!isOver)
            outages.fail(
              `round ${round}: a punch got no answer, or ${puncher.faults.at(-1) ?? 'none that can be understood'}`,
            );
        }),
      );
      await pause(500);
      await cluster.kill();
      // Long outages too, because a client that retries waits longer each time.
      await pause(round % 3 === 0 ? 12_000 : 700);
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      expect((await fetch(`${url}/health/ready`)).status).toBe(503);
      const refused = await send(url, 'GET', '/users/me', punchers[0]!.token);
      if (refused.status !== 503 || refused.retryAfter === null)
        outages.fail(`round ${round}: ${refused.status} while the database was away`);

      await cluster.revive();
      const returned = Date.now();
      const atReturn = punchers.map(({ acknowledged }) => acknowledged.length);
      const mails = mailsIn(folder);
      const isServed = (): boolean =>
        punchers.every(({ acknowledged }, index) => acknowledged.length > atReturn[index]!);
      let isReset = false;
      while (Date.now() < returned + 30_000 && !(isServed() && isReset && mailsIn(folder) > mails)) {
        if (!isReset) isReset = await requestReset(url);
        await pause(50);
      }
      const seconds = (Date.now() - returned) / 1000;
      slowest = Math.max(slowest, seconds);
      if (seconds > mostSeconds)
        outages.fail(
          `round ${round}: after ${seconds} s, punches ${isServed() ? 'are' : 'are not'} served and ${mailsIn(folder) - mails} mails are sent`,
        );
      isOver = true;
      await punching;
      for (const [index, puncher] of punchers.entries())
        for (const mistake of await punchMistakes(puncher, url, before[index]!))
          outages.fail(`round ${round}: ${mistake}`);
      outages.count();
      progress(`${round} of ${rounds} outages; back in ${seconds.toFixed(1)} s`);
    }
    refusals = punchers.reduce((sum, puncher) => sum + puncher.refusals, 0);
    figure('punches told to come again later', refusals, refusals > 0 ? 0 : 1);
    figure('milliseconds to full service at most', Math.round(slowest * 1000));
    outages.close();
  });
});

const mailsIn = (folder: string): number => {
  try {
    return readdirSync(path.join(folder, 'mail')).length;
  } catch {
    return 0;
  }
};

/** Full service includes the queue, which is tested by a mail. */
async function requestReset(url: string): Promise<boolean> {
  const body = { data: { type: 'user', attributes: { email: 'waiting@example.com', password: '' } } };
  await send(url, 'POST', '/sign_up', undefined, { data: { type: 'user', attributes: { ...person } } });
  return (await send(url, 'POST', '/password', undefined, body)).status === 200;
}

const person = { email: 'waiting@example.com', password: 'correct horse battery', username: 'Waiting' };
