import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataSetOf, fillingStatements } from '../../../scripts/bench/data_set.ts';
import { fill, cacheMonths, deepCursors, someShownIds } from '../../../scripts/bench/database.ts';
import { startLoadGenerator } from '../../../scripts/bench/loading.ts';
import { readRows, timeAccountRows, writeRows, type Row } from '../../../scripts/bench/requests.ts';
import { measure, takingPart } from '../../../scripts/bench/rounds.ts';
import { requireSameBytes, requireSameShape } from '../../../scripts/bench/same_answers.ts';
import { startContenders, type Contender, type Server } from '../../../scripts/bench/servers.ts';
import { openDatabase } from '../../../src/platform/db/connection.ts';
import { createDatabaseOnOneServer } from '../../support/database/server_databases.ts';
import { freshBuild } from '../../support/processes/fresh_build.ts';

/*
 * A small benchmark run. It checks that all contenders still give equal responses after a change of the schema or the contract.
 */

const dataSet = dataSetOf('tiny', 300, 2, [
  [600, 20],
  [100, 10],
  [200, 40],
]);
const pace = { rounds: 1, seconds: 0.05, warmUpAnswers: 8, connections: 2 };
let url: string;
let contenders: Record<Contender, Server>;
const generator = startLoadGenerator();

beforeAll(freshBuild, 600_000);

beforeAll(async () => {
  url = await createDatabaseOnOneServer();
  const database = await openDatabase({ url, poolSize: 2 });
  await fill(database, fillingStatements(dataSet), () => {});
  await database.close();
  contenders = await startContenders(url);
}, 300_000);

afterAll(async () => {
  generator.stop();
  await Promise.all(Object.values(contenders ?? {}).map((server) => server.stop()));
});

async function requireFigures(rows: readonly Row[]): Promise<void> {
  const servers = Object.fromEntries(Object.entries(contenders).map(([name, server]) => [name, [server]]));
  const figures = await measure(generator, servers, rows, pace, () => {});
  expect(Object.keys(figures)).toEqual(rows.map(({ name }) => name));
  for (const row of rows) {
    expect(Object.keys(figures[row.name]!).sort()).toEqual(takingPart(servers, row).sort());
    for (const { answersPerSecond } of Object.values(figures[row.name]!))
      expect(answersPerSecond).toEqual([expect.any(Number)]);
  }
}

describe('the benchmark', () => {
  it('sends each request with the token of another user', async () => {
    const rows = [...readRows(dataSet, await someShownIds(url)), ...writeRows(dataSet)];
    for (const { lane } of rows) {
      const tokens = [0, 1].map((one) =>
        lane({ server: 0, servers: 1, lane: one, lanes: 2, round: 0 }).map(({ headers }) => headers['authorization']),
      ) as [string[], string[]];
      expect(new Set(tokens[0]).size).toBeGreaterThan(15);
      expect(tokens[0].filter((token) => tokens[1].includes(token))).toEqual([]);
    }
  });

  it('reads the same bytes from all contenders, and measures each', async () => {
    const rows = readRows(dataSet, await someShownIds(url), await deepCursors(url, 2));
    for (const row of rows) await requireSameBytes(contenders, row);
    await requireFigures(rows);
  });

  it('measures time accounts', async () => {
    await cacheMonths(url, dataSet.tenants[0]!);
    await requireFigures(timeAccountRows(dataSet));
  });

  it('writes the same with all contenders, and measures each', async () => {
    const rows = writeRows(dataSet);
    for (const row of rows) await requireSameShape(contenders, row);
    await requireFigures(rows);
  });

  it('refuses to compare responses that differ', async () => {
    const punch = writeRows(dataSet)[0]!;
    // Only Punchcard refuses to end what was not started.
    const faulty: Row = { ...punch, group: 1, lane: (share) => punch.lane(share).slice(1) };
    await expect(requireSameShape(contenders, faulty)).rejects.toThrow('otherwise than Punchcard');
  });
});
