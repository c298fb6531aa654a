import { describe, expect, it, onTestFinished } from 'vitest';
import { demoCredentials } from '../../../src/programs/demo/credentials.ts';
import { newProcessStorage, type ProcessStorage } from '../../support/processes/process_storage.ts';
import { startServer } from '../../support/processes/process.ts';
import { backupCommands, shell } from '../../support/processes/document_commands.ts';
import { loadPreRelease } from '../../support/database/pre_release.ts';
import { needsOneServer } from '../../support/database/distribution.ts';
import { ask } from './support.ts';

async function place(): Promise<ProcessStorage> {
  const made = await newProcessStorage();
  onTestFinished(() => made.remove());
  return made;
}

describe('a backup of a database of the last pre-release', { timeout: 120_000 }, () => {
  it('is restored with the commands of the guide, and this release adopts it and goes on', async (context) => {
    needsOneServer(context, 'Each server of a distributed database is backed up by itself.');
    const [old, restored] = [await place(), await place()];
    const { dump, load } = backupCommands();
    const database = await old.open();
    await loadPreRelease(database);
    await database.close();
    await shell(dump, old.folder, old.environment);
    await shell(load, old.folder, restored.environment);

    const server = await startServer({ ...restored.environment, LOG_LEVEL: 'info' });
    onTestFinished(async () => void (await server.stop()));
    const { admin, password } = demoCredentials;
    const signedIn = await ask(server.url, 'POST', '/sign_in', undefined, { email: admin, password });
    expect(signedIn.status).toBe(200);
    const token = signedIn.body.data.attributes['access_token']!;
    const trackings = await ask(server.url, 'GET', '/workspaces/1/time_trackings', token);
    expect((trackings.body as unknown as { meta: object }).meta).toMatchObject({ total_count: 162 });
    expect((await ask(server.url, 'POST', '/workspaces/1/areas', token, { name: 'Garden' }, 'area')).status).toBe(201);
    expect((await ask(server.url, 'POST', '/password', undefined, { email: admin, password: '' })).status).toBe(200);
  });
});
