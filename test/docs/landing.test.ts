import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tokenHash } from '../../src/core/secrets.ts';
import { openDatabase } from '../../src/db/connection.ts';
import { demoCredentials } from '../../src/demo/credentials.ts';
import { service, serviceWith } from '../support/service.ts';
import { newWorld } from '../support/world.ts';

const readPage = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/docs`);
  expect(response.status).toBe(200);
  return response.text();
};

const { employee: _notShown, ...taught } = demoCredentials;
const taughtIn = (page: string): string[] => Object.values(taught).filter((credential) => page.includes(credential));

/** Makes the database accept the demo credentials, without the rest of the demo organisation. */
async function acceptDemoCredentials(): Promise<void> {
  const { db, accountId } = await newWorld();
  const key = { id: randomUUID(), name: 'Demo', hash: tokenHash(taught.apiKey), created_at: new Date() };
  await db.insertInto('api_keys').values(key).execute();
  const hash = tokenHash(taught.apiToken);
  await db.updateTable('api_tokens').set({ hash }).where('account_id', '=', accountId).execute();
}

describe('the landing page', () => {
  it('teaches the demo credentials only where they work', async () => {
    const { url, database } = await service();
    const before = await readPage(url);
    expect(taughtIn(before)).toEqual([]);
    expect(before).toContain('$API_TOKEN');
    await acceptDemoCredentials();
    const withDemo = await readPage(url);
    expect(taughtIn(withDemo)).toEqual(Object.values(taught));
    expect(withDemo).not.toContain('$API_TOKEN');
    await database.db.updateTable('api_tokens').set({ revoked_at: new Date() }).execute();
    expect(await readPage(url)).toBe(before);
  });

  it('is there while the database cannot be reached', async () => {
    const database = await openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 1 });
    onTestFinished(() => database.close());
    expect(taughtIn(await readPage(await serviceWith({}, { database })))).toEqual([]);
  });
});
