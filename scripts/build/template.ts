import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { builtFile } from '../../src/platform/core/own_files.ts';
import { pino } from 'pino';
import { readConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/db/connection.ts';
import { migrateSchema } from '../../src/platform/db/migrate.ts';
import { prepareTenantRole } from '../../src/platform/db/tenant_role.ts';
import { jobHandlers } from '../../src/programs/job_handlers.ts';
import { openJobs } from '../../src/platform/jobs/queue.ts';

/** Writes a migrated database with an empty queue to dist/template. No server was ever started on it, and first starts copy it. */
export async function writeTemplate(): Promise<void> {
  const folder = builtFile('template');
  const draft = mkdtempSync(`${folder}-`);
  try {
    const database = await openDatabase({ folder: draft });
    await migrateSchema(database.db);
    await prepareTenantRole(database.db);
    const mailer = { send: async () => {}, place: '', close: () => {} };
    const handlers = jobHandlers(database.db, mailer, readConfig({}));
    const jobs = await openJobs(database, { directUrl: undefined, handlers, log: pino({ level: 'warn' }) });
    await jobs.stop();
    await database.pool.query('vacuum (analyze)');
    await database.pool.query('checkpoint');
    await database.close();
    rmSync(path.join(draft, 'punchcard.lock'));
    makeReadable(draft);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** In a container, another user copies it than the one who made it. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}
