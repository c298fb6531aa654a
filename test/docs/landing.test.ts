import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tokenHash } from '../../src/core/secrets.ts';
import { openDatabase, type Db } from '../../src/db/connection.ts';
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

const hash = tokenHash(taught.apiToken);

/**
 * Lets the database know the demo credentials, also if no other test has made the demo organisation. Returns when the token shall
 * have been revoked after the test.
 */
async function knowDemoCredentials(db: Db): Promise<Date | null> {
  const key = { id: randomUUID(), name: 'Demo', hash: tokenHash(taught.apiKey), created_at: new Date() };
  await db
    .insertInto('api_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ revoked_at: null }))
    .execute();
  const known = await db.selectFrom('api_tokens').select('revoked_at').where('hash', '=', hash).executeTakeFirst();
  if (known) return known.revoked_at;
  const { accountId } = await newWorld();
  await db.updateTable('api_tokens').set({ hash }).where('account_id', '=', accountId).execute();
  return new Date();
}

describe('the landing page', () => {
  it('teaches the demo credentials only where they work', async () => {
    const { url, database } = await service();
    const { db } = database;
    const afterwards = await knowDemoCredentials(db);
    const revokedAt = (revoked_at: Date | null) =>
      db.updateTable('api_tokens').set({ revoked_at }).where('hash', '=', hash).execute();
    onTestFinished(async () => void (await revokedAt(afterwards)));
    await revokedAt(new Date());
    const before = await readPage(url);
    expect(taughtIn(before)).toEqual([]);
    expect(before).toContain('$API_TOKEN');
    await revokedAt(null);
    const withDemo = await readPage(url);
    expect(taughtIn(withDemo)).toEqual(Object.values(taught));
    expect(withDemo).not.toContain('$API_TOKEN');
    await revokedAt(new Date());
    expect(await readPage(url)).toBe(before);
  });

  it('is there while the database cannot be reached', async () => {
    const database = await openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 1 });
    onTestFinished(() => database.close());
    expect(taughtIn(await readPage(await serviceWith({}, { database })))).toEqual([]);
  });
});
