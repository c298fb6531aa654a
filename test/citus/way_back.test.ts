import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabaseOnOneServer } from '../support/database/server_databases.ts';
import { shell, wayBackCommands } from '../support/processes/document_commands.ts';
import { runProgram, startServer, type Running } from '../support/processes/process.ts';
import { newProcessStorage } from '../support/processes/process_storage.ts';
import { newPuncher, punchMistakes } from '../support/processes/punchers.ts';

/** The number of rows of each table that one server has too. */
async function rowCounts(url: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'pgboss') and tablename <> 'event_servers' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${name}`);
    counts[name] = Number(rows[0]!.count);
  }
  await client.end();
  return counts;
}

describe('the way back to one server', () => {
  it('takes the commands of the guide, after which everything is there and goes on', async () => {
    const { environment, url: old, folder, remove } = await newProcessStorage();
    onTestFinished(remove);
    const settings = { ...environment, DEMO: '1' };
    const started = async (url: string): Promise<Running> => {
      const server = await startServer({ ...settings, DATABASE_URL: url });
      onTestFinished(async () => void (await server.stop()));
      return server;
    };
    const before = await started(old!);
    expect(await runProgram('cli', ['seed'], settings)).toMatchObject({ code: 0 });
    const puncher = await newPuncher(before.url);
    await puncher.punch(before.url, () => puncher.acknowledged.length === 10);
    await before.stop();

    const alone = await createDatabaseOnOneServer();
    await shell(wayBackCommands(), process.cwd(), { OLD: old!, NEW: alone, DATA_DIR: folder });
    expect(await rowCounts(alone)).toEqual(await rowCounts(old!));

    const after = await started(alone);
    await puncher.punch(after.url, () => puncher.acknowledged.length === 20);
    expect(puncher.acknowledged).toHaveLength(20);
    expect(await punchMistakes(puncher, after.url, 0)).toEqual([]);
  });
});
