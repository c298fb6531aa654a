import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contenders, startContenders, type Contender } from '../../scripts/bench/contenders.ts';
import { adminId, dataSetOf, tokenOf } from '../../scripts/bench/data_set.ts';
import { fill, someShownIds } from '../../scripts/bench/database.ts';
import { startLoadGenerator } from '../../scripts/bench/loading.ts';
import { measureAssignments } from '../../scripts/bench/measures/assignments.ts';
import type { Server } from '../../scripts/bench/processes.ts';
import { compareReads, compareWrites } from '../../scripts/bench/rounds.ts';
import { readRows, writeRows } from '../../scripts/bench/rows.ts';
import { openDatabase } from '../../src/db/connection.ts';
import { createDatabaseOnOneServer } from '../support/database/server_databases.ts';

/*
 * A small benchmark run. It checks that all contenders still give equal responses after a change of the schema or the contract.
 */

const dataSet = dataSetOf('tiny', 300, [
  [600, 20],
  [200, 10],
  [100, 10],
  [200, 40],
]);
const pace = { rounds: 1, seconds: 0.05, warmUpAnswers: 8, connections: 2 };
let url: string;
let servers: Record<Contender, Server>;
const generator = startLoadGenerator();

beforeAll(async () => {
  url = await createDatabaseOnOneServer();
  const database = await openDatabase({ url, poolSize: 2 });
  await fill(database, dataSet, () => {});
  await database.close();
  servers = await startContenders(url, {
    path: '/api/v3/workspaces/3/time_trackings',
    headers: { authorization: `Bearer ${tokenOf(adminId)}` },
  });
}, 300_000);

afterAll(async () => {
  generator.stop();
  await Promise.all(Object.values(servers ?? {}).map((server) => server.stop()));
});

describe('the benchmark', () => {
  it('reads the same bytes from all contenders, and measures each', async () => {
    const rows = readRows(dataSet, await someShownIds(url));
    const figures = await compareReads(generator, servers, rows, pace, () => {});
    expect(Object.keys(figures)).toEqual(rows.map(({ name }) => name));
    for (const byWhom of Object.values(figures))
      for (const name of contenders) expect(byWhom[name]!.answersPerSecond).toEqual([expect.any(Number)]);
  });

  it('asks for the assignments of many shifts at once, and all are answered', async () => {
    const { shifts, failed } = await measureAssignments(servers.ours, url, { dataSet, rounds: 1 }, () => {});
    expect([shifts, failed]).toEqual([500, 0]);
  });

  it('writes the same with all contenders, and measures each', async () => {
    const figures = await compareWrites(generator, servers, writeRows(dataSet), pace, () => {});
    expect(Object.keys(figures)).toEqual(['punch', 'create']);
  });

  it('refuses to compare responses that differ', async () => {
    const punch = writeRows(dataSet)[0]!;
    // Only Punchcard refuses a second start.
    const faulty = {
      ...punch,
      lane: (share: Parameters<typeof punch.lane>[0]) => punch.lane(share).filter((_, index) => index % 2 === 1),
    };
    await expect(compareWrites(generator, servers, [faulty], pace, () => {})).rejects.toThrow(
      'otherwise than Punchcard',
    );
  });
});
