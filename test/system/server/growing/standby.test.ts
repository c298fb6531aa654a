import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../../../scripts/cluster.ts';
import { openDatabase } from '../../../../src/platform/db/connection.ts';
import { openStandby } from '../../../../src/platform/db/readers/standby.ts';
import { runProgram, startServer, temporaryFolder, type Running } from '../../../support/processes/process.ts';
import { ask } from '../support.ts';

/* Two processes on a primary and its streaming standby. Every read must show what was written before it. */

describe('a standby that answers reads', () => {
  const { folder, remove } = temporaryFolder();
  let primary: Cluster;
  let standby: Cluster;
  let environment: Record<string, string>;
  let servers: Running[] = [];
  let token: string;
  let count = 0;

  beforeAll(async () => {
    primary = await startCluster();
    environment = { DATABASE_URL: primary.url, DATA_DIR: folder, LOG_LEVEL: 'info' };
    expect(await runProgram('cli', ['migrate'], environment)).toMatchObject({ code: 0 });
    expect(await runProgram('cli', ['seed'], environment)).toMatchObject({ code: 0 });
    standby = await startCluster({ standbyOf: primary.url });
    const both = { ...environment, DATABASE_READ_URL: standby.url };
    servers = await Promise.all([startServer(both), startServer(both)]);
    const credentials = { email: 'admin@example.com', password: 'demo-password' };
    const { body } = await ask(servers[0]!.url, 'POST', '/sign_in', undefined, credentials);
    token = body.data.attributes['access_token']!;
  }, 240_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await standby?.stop();
    await primary?.stop();
    remove();
  });

  const onStandby = async (statement: string): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: standby.url });
    await client.connect();
    return client.query(statement).finally(() => client.end());
  };

  /** How many reads of a server the standby has answered. */
  async function readsByStandby({ url }: Running): Promise<number> {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^punchcard_replica_reads_total (\d+)$/m.exec(text)![1]);
  }

  /** Writes through one server, and reads at once through the other. Returns the statuses of reads that do not show it. */
  async function missedAfter(rounds: number): Promise<unknown[]> {
    const missed: unknown[] = [];
    for (let round = 0; round < rounds; round++) {
      const name = `Area ${count++}`;
      const [writer, reader] = [servers[round % 2]!, servers[(round + 1) % 2]!];
      const made = await ask(writer.url, 'POST', '/workspaces/1/areas', token, { name }, 'area');
      expect(made.status).toBe(201);
      const { status, body } = await ask(reader.url, 'GET', `/workspaces/1/areas/${made.body.data.id}`, token);
      if (status !== 200 || body.data.attributes['name'] !== name) missed.push([name, status]);
    }
    return missed;
  }

  it('shows what another process has just written', async () => {
    const before = await readsByStandby(servers[0]!);
    expect(await missedAfter(200)).toEqual([]);
    expect(await readsByStandby(servers[0]!)).toBeGreaterThan(before);
  });

  it('is passed over while it lags behind', async () => {
    await onStandby('select pg_wal_replay_pause()');
    const before = await readsByStandby(servers[0]!);
    expect(await missedAfter(20)).toEqual([]);
    expect(await readsByStandby(servers[0]!)).toBe(before);
    await onStandby('select pg_wal_replay_resume()');
    const answers = async (): Promise<boolean> =>
      (await missedAfter(2)).length === 0 && (await readsByStandby(servers[0]!)) > before;
    await expect.poll(answers, { timeout: 60_000, interval: 300 }).toBe(true);
  });

  it('may be killed and come back, and no read fails', async () => {
    await standby.kill();
    const before = await readsByStandby(servers[0]!);
    expect(await missedAfter(20)).toEqual([]);
    await standby.revive();
    const answers = async (): Promise<boolean> =>
      (await missedAfter(2)).length === 0 && (await readsByStandby(servers[0]!)) > before;
    await expect.poll(answers, { timeout: 60_000, interval: 300 }).toBe(true);
  });

  it('is no longer asked once it is promoted', async () => {
    await onStandby('select pg_promote()');
    await expect.poll(async () => (await onStandby('select pg_is_in_recovery() as is')).rows[0].is).toBe(false);
    expect(await missedAfter(20)).toEqual([]);
  });

  it('is refused at the start if it belongs to another server', async () => {
    const other = await startCluster();
    try {
      const { code, output } = await runProgram('main', [], {
        ...environment,
        DATABASE_READ_URL: other.url,
        PORT: '0',
      });
      expect([code, output]).toEqual([1, expect.stringContaining('which is no copy of the database in DATABASE_URL')]);
    } finally {
      await other.stop();
    }
  });

  it('is refused beside a coordinator, whose rows are elsewhere', async () => {
    const { db, pool, close } = await openDatabase({ url: primary.url, poolSize: 1 });
    const target = { url: primary.url, poolSize: 1, perAccount: 0, isPooled: false, statementTimeoutMs: 0, waitMs: 0 };
    try {
      // The extension cannot be installed everywhere. Its entry in the catalogue is what the process looks for.
      await pool.query('set allow_system_table_mods = on');
      await pool.query(
        `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
        values (16000, 'citus', 10, 'public'::regnamespace, false, '13')`,
      );
      await expect(openStandby(db, target)).rejects.toThrow(/Citus coordinator.*Leave DATABASE_READ_URL empty/);
    } finally {
      await close();
    }
  });
});
