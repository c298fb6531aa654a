import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { CompiledQuery, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { DB } from '../../generated/db.ts';
import type { Db } from '../../src/db/connection.ts';
import { changesIdentity, identityChanges, identityTables, noteIdentityChange } from '../../src/db/driver/identity.ts';
import { forAccount } from '../../src/db/transactions.ts';
import { signIn } from '../support/people.ts';
import { service } from '../support/service.ts';
import { newWorld } from '../support/world.ts';
import { needsOneServer } from '../support/database/distribution.ts';

/*
 * The cache of actors is cleared when a table that actors are read from is written.
 */

const { db } = (await service()).database;
const changes = (query: { compile(): CompiledQuery }): boolean => changesIdentity(query.compile().query);

describe('changesIdentity', () => {
  it('is true of a query that writes to one of the tables', () => {
    expect(changes(db.updateTable('users').set({ status: 'inactive' }))).toBe(true);
    expect(changes(db.updateTable('users as person').set({ status: 'inactive' }))).toBe(true);
    expect(changes(db.deleteFrom('access_tokens').where('hash', '=', 'x'))).toBe(true);
    expect(changes(db.deleteFrom('area_members as member').where('member.area_id', '=', 1))).toBe(true);
    expect(changes(db.insertInto('area_members').values({ account_id: 1, area_id: 1, user_id: 1 }))).toBe(true);
    expect(
      changes(
        db
          .mergeInto('memberships')
          .using('users', (join) => join.onTrue())
          .whenMatched()
          .thenDelete(),
      ),
    ).toBe(true);
    const gone = db
      .with('gone', (inner) => inner.deleteFrom('memberships').returning('user_id'))
      .selectFrom('gone')
      .selectAll();
    expect(changes(gone)).toBe(true);
  });

  it('is false of any other query', () => {
    expect(changes(db.selectFrom('users').selectAll())).toBe(false);
    expect(changes(db.updateTable('time_trackings').set({ confirmed: true }))).toBe(false);
    expect(changes(db.deleteFrom('notes').using('users').whereRef('users.id', '=', 'notes.author_id'))).toBe(false);
  });

  it('is false of a new token, which cannot be cached yet', () => {
    const token = { hash: 'x', account_id: 1, user_id: 1, created_at: new Date() };
    expect(changes(db.insertInto('access_tokens').values(token as never))).toBe(false);
  });
});

describe('a change of identity', () => {
  const rename = (on: Db, accountId: number) =>
    on.updateTable('users').set({ username: 'Renamed' }).where('account_id', '=', accountId).execute();

  it('counts once it is made', async () => {
    const { accountId } = await newWorld();
    const before = identityChanges();
    await rename(db, accountId);
    expect(identityChanges()).toBe(before + 1);
  });

  it('counts when its transaction has ended, and not before', async () => {
    const { accountId } = await newWorld();
    for (const run of [
      (work: (transaction: Db) => Promise<unknown>) => forAccount(db, accountId, work),
      (work: (transaction: Db) => Promise<unknown>) => db.transaction().execute(work),
    ]) {
      const before = identityChanges();
      await run(async (transaction) => {
        await rename(transaction, accountId);
        expect(identityChanges()).toBe(before);
      });
      expect(identityChanges()).toBe(before + 1);
    }
  });

  it('counts where the transaction fails, too', async () => {
    const { accountId } = await newWorld();
    const before = identityChanges();
    const failing = forAccount(db, accountId, async (transaction) => {
      await rename(transaction, accountId);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(identityChanges()).toBe(before + 1);
  });
});

describe('identityTables', () => {
  it('has every table that a credential is looked up in', async (context) => {
    needsOneServer(context, 'PostgreSQL lists the tables of a plan, which are those of one server.');
    const world = await newWorld();
    const read = await statementsDuring(async () => {
      noteIdentityChange();
      expect((await world.employee.call('getWorkspace')).status).toBe(200);
      expect((await world.employee.call('getCurrentUser')).status).toBe(200);
      expect((await world.enterprise('findPublicAbsences')).status).toBe(400);
      expect((await signIn({ email: 'nobody@example.com', password: 'wrong' })).status).toBeLessThan(500);
    });
    const lookUps = read.filter(
      ({ text }) => /access_tokens|api_tokens|api_keys/.test(text) && /^\s*select/i.test(text),
    );
    const tables = new Set((await Promise.all(lookUps.map(tablesReadBy))).flat());
    // One of each kind was seen.
    expect([...tables]).toEqual(expect.arrayContaining(['access_tokens', 'api_tokens', 'api_keys', 'users', 'areas']));
    expect([...tables].filter((table) => !(identityTables as readonly string[]).includes(table))).toEqual([]);
  });

  it('has every table whose changes are announced to other processes', async (context) => {
    needsOneServer(context, 'The process announces them there, not triggers.');
    const { rows } = await sql<{ table: keyof DB }>`
      select tgrelid::regclass::text as table from pg_trigger where tgname = 'notify_identity_change'`.execute(db);
    expect(rows.map(({ table }) => table).sort()).toEqual([...identityTables].sort());
  });

  it('is written by no raw SQL, which would not be noticed', () => {
    const writes = new RegExp(
      `\\b(update|delete from|insert into|merge into)\\s+"?(${identityTables.join('|')})\\b`,
      'i',
    );
    const root = path.resolve(import.meta.dirname, '../../src');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.includes('migrations'),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => writes.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
  });
});

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements that some work sends. */
async function statementsDuring(work: () => Promise<unknown>): Promise<Sent[]> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  const sent: Sent[] = [];
  prototype.query = function (this: pg.Client, ...call: unknown[]) {
    const [query, values] = call as [string | Sent, unknown[] | undefined];
    if (typeof query === 'string') sent.push({ text: query, values: values ?? [] });
    else sent.push({ text: query.text, values: query.values });
    return (original as (...call: unknown[]) => unknown).apply(this, call);
  } as typeof original;
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return sent;
}

/** The tables in the plan of a statement. */
async function tablesReadBy({ text, values }: Sent): Promise<string[]> {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': unknown }>(
    CompiledQuery.raw(`explain (format json, costs off) ${text}`, [...values]),
  );
  return [...JSON.stringify(rows).matchAll(/"Relation Name":\s*"(\w+)"/g)].map((match) => match[1]!);
}
