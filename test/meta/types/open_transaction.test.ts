import { describe, expect, it } from 'vitest';
import { complaintsAbout } from './compiler.ts';

/*
 * Locks and pipelines need a transaction. The compiler refuses a pool handle in its place.
 */

const snippet = (handle: string, body: string): string => `
  import type { Transaction } from 'kysely';
  import type { DB } from '../../../generated/db.ts';
  import type { Db } from './connection.ts';
  import { lockUsers, usersLock } from './locks.ts';
  import type { OpenTransaction } from './open_transaction.ts';
  import { pipeline } from './pipeline.ts';
  import { forAccount, runAtCommit } from './transactions.ts';
  export const use = async (handle: ${handle}) => { ${body} };
`;

const uses: [string, string][] = [
  ['pipelines queries', "await pipeline(handle, [handle.selectFrom('users').select('id')]);"],
  ['locks rows', 'await lockUsers(handle, { accountId: 1, ids: [1] });'],
  ['makes a query that locks rows', 'usersLock(handle, { accountId: 1, ids: [1] });'],
  ['leaves a query to the commit', "runAtCommit(handle, handle.deleteFrom('users').compile());"],
];

const rows = `
  const [users, none, areas] = await pipeline(handle, [
    handle.selectFrom('users').select('id'), undefined, handle.selectFrom('areas').select('name').compile()]);
`;

const snippets: Record<string, string> = {
  ...Object.fromEntries(uses.map(([name, body]) => [`a transaction that ${name}`, snippet('OpenTransaction', body)])),
  ...Object.fromEntries(uses.map(([name, body]) => [`a pool handle that ${name}`, snippet('Db', body)])),
  ...Object.fromEntries(
    uses.map(([name, body]) => [`a transaction of Kysely that ${name}`, snippet('Transaction<DB>', body)]),
  ),
  'a transaction as a handle': snippet(
    'OpenTransaction',
    'const db: Db = handle; await forAccount(db, 1, async () => {});',
  ),
  'rows by their query': snippet(
    'OpenTransaction',
    `${rows} const id: number = users[0]!.id; const name: string = areas[0]!.name; const nothing: never[] = none; return [id, name, nothing];`,
  ),
  'rows of another query': snippet('OpenTransaction', `${rows} return users[0]!.name;`),
  'a promise in a pipeline': snippet(
    'OpenTransaction',
    "await pipeline(handle, [handle.selectFrom('users').select('id').execute()]);",
  ),
};

const complaints = complaintsAbout('src/platform/db', snippets);

describe('a transaction', () => {
  it.each(uses.map(([name]) => `a transaction that ${name}`))('compiles: %s', (name) => {
    expect(complaints(name)).toEqual([]);
  });

  it('compiles as a handle', () => {
    expect(complaints('a transaction as a handle')).toEqual([]);
  });
});

describe('another handle', () => {
  it.each(uses.flatMap(([name]) => [`a pool handle that ${name}`, `a transaction of Kysely that ${name}`]))(
    'does not compile: %s',
    (name) => {
      expect(complaints(name).join('\n')).toMatch(/not assignable to parameter of type 'OpenTransaction'/);
    },
  );
});

describe('the rows of a pipeline', () => {
  it('have the types of their queries', () => {
    expect(complaints('rows by their query')).toEqual([]);
    expect(complaints('rows of another query').join('\n')).toMatch(/Property 'name' does not exist/);
  });

  it('come from queries, not from promises', () => {
    expect(complaints('a promise in a pipeline').join('\n')).toMatch(/not assignable/);
  });
});
