import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Response } from 'supertest';
import type { DB } from '../../generated/db.ts';
import { createAccountFor } from '../../src/access/auth/auth.ts';
import { newAccessToken, newApiToken, tokenHash } from '../../src/platform/core/secrets.ts';
import type { Db } from '../../src/platform/db/connection.ts';
import { forNoAccount } from '../../src/platform/db/transactions.ts';
import { insertUser } from '../../src/organisation/users/user_changes.ts';
import { joinWorkspace } from '../../src/organisation/users/memberships.ts';
import { call, type RequestOptions } from './client.ts';
import { service } from './service.ts';

/** A user who can call operations. */
export interface Person {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  /** Calls an operation of the resource API; the world's account and workspace are the default path parameters. */
  call(operationId: string, options?: RequestOptions): Promise<Response>;
}

export type RoleName = 'employee' | 'areaAdmin' | 'workspaceAdmin' | 'accountAdmin';

/** An account for one test. */
export interface World {
  readonly db: Db;
  /** The same database as jobs use it: a statement without the account fails the test file. */
  readonly watchedDb: Db;
  readonly accountId: number;
  readonly workspaceId: number;
  /** Its account admin, who is a member of the workspace. */
  readonly admin: Person;
  /** A member without any other role. */
  readonly employee: Person;
  /** The account admin of another account. */
  readonly stranger: Person;
  /** Calls an operation of the public API with the account's token. */
  enterprise(operationId: string, options?: RequestOptions): Promise<Response>;
  readonly apiToken: string;
  /** One more member of the workspace. */
  addMember(role: RoleName, username?: string): Promise<Person>;
}

/** Hashing passwords is slow by design, so users in tests get tokens without one. */
const noPassword = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$bm90aGluZyBtYXRjaGVzIHRoaXM';

export async function newWorld(): Promise<World> {
  const { database, watchedDatabase } = await service();
  const { db } = database;
  const home = await newAccount(db, 'admin');
  const abroad = await newAccount(db, 'stranger');
  const apiToken = newApiToken();
  await db
    .insertInto('api_tokens')
    .values({
      id: randomUUID(),
      account_id: home.accountId,
      name: 'Test',
      hash: tokenHash(apiToken),
      last_four: apiToken.slice(-4),
      created_at: new Date(),
      last_used_at: new Date(),
    })
    .execute();

  const addMember = async (role: RoleName, username: string = role): Promise<Person> => {
    const email = `${username.toLowerCase().replaceAll(/[^a-z]/g, '')}-${randomUUID()}@example.com`;
    const now = new Date();
    const own = { created_in_workspace: true, is_account_admin: role === 'accountAdmin' };
    const id = await insertUser(db, home.accountId, { username, email, start_of_accounting: '2026-01-01' }, own, now);
    await joinWorkspace(db, { accountId: home.accountId, workspaceId: home.workspaceId, userId: id }, undefined, now);
    const rank = { employee: 1, areaAdmin: 2, workspaceAdmin: 3, accountAdmin: 3 }[role];
    await db
      .updateTable('memberships')
      .set({ role: rank })
      .where('account_id', '=', home.accountId)
      .where('user_id', '=', id)
      .execute();
    return personOf(home, id, email, await tokenFor(db, home.accountId, id));
  };

  return {
    db,
    watchedDb: watchedDatabase.db,
    accountId: home.accountId,
    workspaceId: home.workspaceId,
    admin: home.person,
    employee: await addMember('employee'),
    stranger: personOf(home, abroad.person.id, abroad.person.email, abroad.person.token),
    apiToken,
    enterprise: (operationId, options = {}) => call('public', operationId, withApiToken(options, apiToken)),
    addMember,
  };
}

async function newAccount(db: Db, username: string) {
  const email = `${username}-${randomUUID()}@example.com`;
  const { accountId, userId } = await forNoAccount(db, (tx) =>
    createAccountFor(tx, { email, username, password_hash: noPassword, isConfirmed: true }, new Date()),
  );
  const { workspace_id: workspaceId } = await db
    .selectFrom('memberships')
    .select('workspace_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const scope = { accountId, workspaceId };
  return { ...scope, person: personOf(scope, userId, email, await tokenFor(db, accountId, userId)) };
}

const tokenFor = async (db: Db, accountId: number, userId: number): Promise<string> =>
  (await newSession(db, { account_id: accountId, user_id: userId })).token;

type Session = Insertable<DB['access_tokens']>;

/** Begins a session of a user without a sign-in. */
export async function newSession(
  db: Db,
  session: Pick<Session, 'account_id' | 'user_id'> & Partial<Session>,
): Promise<{ readonly id: string; readonly token: string }> {
  const [id, token, now] = [randomUUID(), newAccessToken(), new Date()];
  const values = { id, hash: tokenHash(token), kind: 'password' as const, created_at: now, last_used_at: now };
  await db
    .insertInto('access_tokens')
    .values({ ...values, ...session })
    .execute();
  return { id, token };
}

const personOf = (
  scope: { accountId: number; workspaceId: number },
  id: number,
  email: string,
  token: string,
): Person => ({
  id,
  email,
  token,
  call: (operationId, options = {}) =>
    call('v3', operationId, {
      ...options,
      params: { account_id: scope.accountId, workspace_id: scope.workspaceId, ...options.params },
      headers: { Authorization: `Bearer ${token}`, ...options.headers },
    }),
});

/** Puts the token into the body if there is one, otherwise into the query. */
function withApiToken(options: RequestOptions, apiToken: string): RequestOptions {
  if (typeof options.body === 'object' && options.body !== null)
    return { ...options, body: { api_token: apiToken, ...options.body } };
  const query =
    typeof options.query === 'string'
      ? `${options.query}&api_token=${apiToken}`
      : { api_token: apiToken, ...options.query };
  return { ...options, query };
}

/** A JSON:API body. */
export const bodyOf = (type: string, attributes: object, relationships?: object) => ({
  data: { type, attributes, ...(relationships ? { relationships } : {}) },
});
