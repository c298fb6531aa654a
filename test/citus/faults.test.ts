import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCitus, type Citus } from '../../scripts/citus.ts';
import { placeOf } from '../../scripts/databases.ts';
import type { Cluster } from '../../scripts/cluster.ts';
import { runProgram, startServer, temporaryFolder, type Running } from '../support/processes/process.ts';
import { newCompany, type Company } from './company.ts';

/*
 * Eight companies punch all the time and follow their change feeds, while the cluster changes under them. A company stops at the first
 * answer that is neither a success nor 503, and reports it at the end.
 */

describe('companies that punch all the time', () => {
  const { folder, remove } = temporaryFolder();
  let citus: Citus;
  let db: pg.Client;
  let environment: Record<string, string>;
  let server: Running;
  const companies: Company[] = [];

  beforeAll(async () => {
    citus = await startCitus();
    db = new pg.Client({ connectionString: citus.url });
    await db.connect();
    // Jobs would record events of their own.
    environment = { DATABASE_URL: citus.url, DATA_DIR: folder, DEMO: 'off', SIGN_UPS_PER_HOUR: '0', WORKERS: 'off' };
    server = await startServer(environment);
    while (companies.length < 8) companies.push(await newCompany(server.url, db));
  });
  afterAll(async () => {
    await server?.stop();
    await db?.end();
    await citus?.stop();
    remove();
  });

  const idsOf = (some: readonly Company[]): number[] => some.map(({ accountId }) => accountId);

  /** The server that has the rows of each company. */
  async function placesOf(some: readonly Company[]): Promise<Cluster[]> {
    const { rows } = await db.query<{ port: number }>(
      `select nodeport as port from unnest($1::bigint[]) with ordinality as account (id, place)
       join pg_dist_placement on shardid = get_shard_id_for_distribution_column('accounts', account.id)
       join pg_dist_node using (groupid) order by place`,
      [idsOf(some)],
    );
    return rows.map(({ port }) => citus.workers.find(({ url }) => new URL(url).port === String(port))!);
  }

  /** Does work, and waits until every company has punched again. Returns the companies that got a 503 meanwhile. */
  async function refusedDuring(work: () => Promise<unknown>): Promise<Company[]> {
    const before = companies.map(({ puncher }) => puncher.refusals);
    await work();
    const done = companies.map(({ puncher }) => puncher.acknowledged.length);
    const late = () => idsOf(companies.filter(({ puncher }, index) => puncher.acknowledged.length < done[index]! + 5));
    await expect.poll(late).toEqual([]);
    return companies.filter(({ puncher }, index) => puncher.refusals > before[index]!);
  }

  async function move(company: Company, target: Cluster): Promise<void> {
    const [source] = await placesOf([company]);
    await db.query(
      `select citus_move_shard_placement(
         get_shard_id_for_distribution_column('accounts', $1::bigint), ${placeOf(source!.url)}, ${placeOf(target.url)})`,
      [company.accountId],
    );
    expect(await placesOf([company])).toEqual([target]);
  }

  const isolate = ({ accountId }: Company): Promise<unknown> =>
    db.query(
      `select isolate_tenant_to_new_shard('accounts', ${accountId}, 'CASCADE', shard_transfer_mode => 'block_writes')`,
    );

  it('get 503 while their worker is down, and nobody else does', async () => {
    const places = await placesOf(companies);
    const dead = places[0]!;
    const refused = await refusedDuring(async () => {
      await dead.kill();
      const others = companies.filter((_company, index) => places[index] !== dead);
      const before = others.map(({ puncher }) => puncher.acknowledged.length);
      await pause(6_000);
      for (const [index, { puncher }] of others.entries())
        expect(puncher.acknowledged.length).toBeGreaterThan(before[index]!);
      await dead.revive();
    });
    expect(idsOf(refused)).toEqual(idsOf(companies.filter((_company, index) => places[index] === dead)));
  });

  it('get no error while one after the other is isolated', async () => {
    for (const company of companies.slice(0, 7)) expect(idsOf(await refusedDuring(() => isolate(company)))).toEqual([]);
  });

  it('get no error while a worker is added and a company moves there', async () => {
    const refused = await refusedDuring(async () => {
      const added = await citus.addWorker();
      expect(await runProgram('cli', ['migrate'], environment)).toMatchObject({ code: 0 });
      await move(companies[0]!, added);
    });
    expect(idsOf(refused)).toEqual([]);
  });

  it('find every acknowledged punch stored once, and every event shown once and in order', async () => {
    const mistakes: string[] = [];
    for (const company of companies) mistakes.push(...(await company.mistakes()));
    expect(mistakes).toEqual([]);
  });
});
