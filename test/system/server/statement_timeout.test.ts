import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/platform/config.ts';
import { openDatabase, type Db } from '../../../src/platform/db/connection.ts';
import { forAccount, forNoAccount } from '../../../src/platform/db/transactions.ts';
import { openForRequests, openResources } from '../../../src/programs/process/process.ts';
import { service, serviceWith } from '../../support/service.ts';
import { temporaryFolder } from '../../support/processes/process.ts';
import { bodyOf, newWorld } from '../../support/world.ts';
import { newDatabase } from './support.ts';

const timeoutOf = async (db: Db): Promise<string> =>
  (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)).rows[0]!.statement_timeout;

describe('a request whose statement takes too long', () => {
  /** A service whose statements have a short timeout, while another session locks a table. */
  async function impatientService({ mode }: { mode: string }): Promise<string> {
    const directUrl = (await service()).directUrl!;
    const database = await openDatabase({ url: directUrl, poolSize: 2, statementTimeoutMs: 300 });
    const other = new pg.Client({ connectionString: directUrl });
    await other.connect();
    onTestFinished(async () => {
      await other.end();
      await database.close();
    });
    const at = await serviceWith({ RLS: 'writes' }, { database });
    await other.query(`begin; lock table areas in ${mode} mode`);
    return at;
  }

  const refusal = {
    status: 503,
    headers: { 'retry-after': '5' },
    body: {
      errors: [
        {
          status: 'service_unavailable',
          code: 'timeout',
          source: { pointer: 'base' },
          title: expect.stringMatching(/^The database has cancelled this request, which took too long\./),
          links: { about: expect.stringMatching(/#timeout$/) },
        },
      ],
    },
  };

  it('503 for a read of the resource API', async () => {
    const { admin } = await newWorld();
    const at = await impatientService({ mode: 'access exclusive' });
    expect(await admin.call('listAreas', { at })).toMatchObject(refusal);
  });

  it('503 for a write of the resource API', async () => {
    const { admin } = await newWorld();
    const at = await impatientService({ mode: 'share' });
    expect(await admin.call('createArea', { at, body: bodyOf('area', { name: 'Bar' }) })).toMatchObject(refusal);
  });

  it('503 for a read and for a write of the public API', async () => {
    const { enterprise, workspaceId } = await newWorld();
    const at = await impatientService({ mode: 'access exclusive' });
    expect(await enterprise('findWorkingAreas', { at })).toMatchObject(refusal);
    const body = { location_id: workspaceId, working_area: { name: 'Bar' } };
    expect(await enterprise('createWorkingArea', { at, body })).toMatchObject(refusal);
  });
});

describe('STATEMENT_TIMEOUT_MS', () => {
  const settings = [
    ['', '10s'],
    ['250', '250ms'],
    ['0', '0'],
  ] as const;

  it.each(settings)('"%s" gives requests a timeout, and jobs none', async (text, timeout) => {
    const { folder, remove } = temporaryFolder();
    const config = readConfig({
      DATABASE_URL: await newDatabase(),
      STATEMENT_TIMEOUT_MS: text,
      DATA_DIR: folder,
      DATABASE_POOL: '2',
    });
    const resources = await openResources(config, pino({ level: 'silent' }));
    const requests = await openForRequests(resources.database, config);
    onTestFinished(async () => {
      await requests.close();
      await resources.close();
      remove();
    });
    expect(await timeoutOf(requests.db)).toBe(timeout);
    expect(await forNoAccount(requests.db, timeoutOf)).toBe(timeout);
    expect(await timeoutOf(resources.database.db)).toBe('0');
  });

  it('applies to transactions behind a pooler, and leaves no setting on the connection', async () => {
    const { directUrl } = await service();
    const { accountId } = await newWorld();
    const database = await openDatabase({ url: directUrl!, poolSize: 1, isPooled: true, statementTimeoutMs: 250 });
    onTestFinished(database.close);
    expect(await forNoAccount(database.db, timeoutOf)).toBe('250ms');
    // The second one begins with its role in the same message.
    for (let round = 0; round < 2; round++) expect(await forAccount(database.db, accountId, timeoutOf)).toBe('250ms');
    expect(await timeoutOf(database.db)).toBe('0');
  });
});
