import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { onServer } from '../../../scripts/databases.ts';
import { runProgram, startServer, temporaryFolder } from '../../support/processes/process.ts';
import { createDatabaseOnOneServer, serverUrl } from '../../support/database/server_databases.ts';
import { ask } from './support.ts';

const admin = (statement: string): Promise<void> => onServer(serverUrl!, statement);

/** A database whose owner is not a superuser. To distribute one takes more rights. */
async function ownedDatabase(rights: string) {
  const url = new URL(await createDatabaseOnOneServer());
  const database = url.pathname.slice(1);
  const user = `punchcard_test_${randomUUID().slice(0, 8)}`;
  await admin(`create role ${user} login ${rights}`);
  await admin(`alter database ${database} owner to ${user}`);
  const owned = new URL(url);
  owned.username = user;
  const { folder, remove } = temporaryFolder();
  onTestFinished(async () => {
    remove();
    await admin(`drop database ${database} with (force)`);
    await admin(`drop role if exists "punchcard_app_${database}"`);
    await admin(`drop role ${user}`);
  });
  return { database, user, environment: { DATABASE_URL: owned.href, DATA_DIR: folder, WORKERS: 'off' } };
}

const metricsOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

// The role punchcard_app exists on this cluster and belongs to the superuser who prepared the tests.
describe('an installation of an ordinary database user', { timeout: 240_000 }, () => {
  it('migrates and warns that row-level security is off; RLS=full refuses to start until an administrator has made the role', async () => {
    const { database, user, environment } = await ownedDatabase('nocreaterole');
    const refused = await runProgram('main', [], { ...environment, RLS: 'full' });
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('RLS=full is impossible.');
    expect(refused.output).toContain(`grant "punchcard_app_${database}" to "${user}"`);

    const open = await startServer(environment);
    onTestFinished(async () => void (await open.stop()));
    expect(open.output()).toContain('Row-level security is off: the database user cannot take on a role for it.');
    expect(open.output()).toContain('WARNING        Row-level security is off.');
    expect(await metricsOf(open.url)).toContain('punchcard_row_level_security 0');
    const person = { email: 'owner@example.com', password: 'a good password', username: 'Owner' };
    expect((await ask(open.url, 'POST', '/sign_up', undefined, person)).status).toBe(201);
    await open.stop();

    await admin(`create role "punchcard_app_${database}" nologin`);
    await admin(`grant "punchcard_app_${database}" to ${user}`);
    const fenced = await startServer({ ...environment, RLS: 'full' });
    onTestFinished(async () => void (await fenced.stop()));
    expect(fenced.output()).not.toContain('Row-level security is off');
    expect(await metricsOf(fenced.url)).toContain('punchcard_row_level_security 1');
    const other = { ...person, email: 'other@example.com' };
    expect((await ask(fenced.url, 'POST', '/sign_up', undefined, other)).status).toBe(201);
  });

  it('has row-level security where it may create roles', async () => {
    const { environment } = await ownedDatabase('createrole');
    const server = await startServer({ ...environment, RLS: 'full' });
    onTestFinished(async () => void (await server.stop()));
    const person = { email: 'owner@example.com', password: 'a good password', username: 'Owner' };
    expect((await ask(server.url, 'POST', '/sign_up', undefined, person)).status).toBe(201);
    expect(await metricsOf(server.url)).toContain('punchcard_row_level_security 1');
  });
});
