import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, runProgram, temporaryFolder, type Running } from '../../support/processes/process.ts';
import { newDatabase } from './support.ts';

/* Working sessions of one user that arrive at several processes at once: the lock on the user is one of the database. */

describe('working sessions on several processes', { timeout: 120_000 }, () => {
  const { folder, remove } = temporaryFolder();
  let servers: Running[] = [];

  beforeAll(async () => {
    const environment = { DATABASE_URL: await newDatabase(), DATA_DIR: folder, WORKERS: 'off' };
    servers = [await startServer(environment)];
    expect(await runProgram('cli', ['seed'], environment)).toMatchObject({ code: 0 });
    servers.push(...(await Promise.all([1, 2].map(() => startServer(environment)))));
  }, 240_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    remove();
  });

  const send = async (nth: number, session: object): Promise<number> => {
    const working_session = {
      ...{ location_external_id: 'harbour', working_area_external_id: 'kitchen', user_external_id: 'erin' },
      ...session,
    };
    const response = await fetch(`${servers[nth % servers.length]!.url}/public_api/v1/working_sessions`, {
      method: 'POST',
      body: JSON.stringify({ api_token: 'demo-api-token', working_session }),
    });
    await response.text();
    return response.status;
  };
  const statusesOf = async (sessionOf: (nth: number) => object): Promise<number[]> =>
    (await Promise.all([0, 1, 2, 3, 4].map((nth) => send(nth, sessionOf(nth))))).sort();
  const hour = (day: number, from: string, to: string) => ({
    starts_at: `2026-02-${10 + day}T${from}+01:00`,
    ends_at: `2026-02-${10 + day}T${to}+01:00`,
  });

  it('refuse all but one of those that overlap', async () => {
    for (let day = 0; day < 10; day++)
      expect(await statusesOf((nth) => hour(day, `08:0${nth}:00`, '12:00:00'))).toEqual([200, 400, 400, 400, 400]);
  });

  it('record one for a repeated external id', async () => {
    for (let day = 0; day < 10; day++)
      expect(await statusesOf(() => ({ ...hour(day, '13:00:00', '14:00:00'), external_id: `import-${day}` }))).toEqual([
        200, 200, 200, 200, 200,
      ]);
    const list = await fetch(
      `${servers[0]!.url}/public_api/v1/working_sessions?api_token=demo-api-token&user_external_id=erin&range_start=2026-02-10&range_end=2026-02-19`,
    );
    const { working_sessions } = (await list.json()) as { working_sessions: { external_id: string | null }[] };
    expect(working_sessions.filter(({ external_id }) => external_id !== null)).toHaveLength(10);
  });
});
