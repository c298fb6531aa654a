import { randomUUID } from 'node:crypto';
import { hashPassword, newApiKey, tokenHash } from '../../src/platform/core/secrets.ts';
import type { Db } from '../../src/platform/db/connection.ts';
import { call, type RequestOptions } from './client.ts';
import { service } from './service.ts';
import { bodyOf } from './world.ts';

export const newEmail = (): string => `person-${randomUUID()}@example.com`;

export const password = 'correct horse battery';
let passwordHash: Promise<string> | undefined;

/** Gives a user a password to sign in with. */
export async function givePassword(db: Db, person: { id: number }): Promise<void> {
  passwordHash ??= hashPassword(password);
  await db
    .updateTable('users')
    .set({ password_hash: await passwordHash })
    .where('id', '=', person.id)
    .execute();
}

/** Issues an API key, as an operator does. */
export async function issueApiKey(revokedAt: Date | null = null): Promise<string> {
  const key = newApiKey();
  const { db } = (await service()).database;
  await db
    .insertInto('api_keys')
    .values({ id: randomUUID(), name: 'Test', hash: tokenHash(key), created_at: new Date(), revoked_at: revokedAt })
    .execute();
  return key;
}

let apiKey: Promise<string> | undefined;

/** Signs in with a valid Api-Key by default. */
export async function signIn(attributes: object, options: RequestOptions = {}) {
  apiKey ??= issueApiKey();
  return call('v3', 'signIn', {
    body: bodyOf('user', attributes),
    ...options,
    headers: { 'Api-Key': await apiKey, ...options.headers },
  });
}

export const signUp = (attributes: object, options: RequestOptions = {}) =>
  call('v3', 'signUp', { body: bodyOf('user', attributes), ...options });

/** Calls with the access token of a sign-in or sign-up answer. */
export const callWithTokenOf = (
  answer: { body: { data: { attributes: { access_token: string } } } },
  operationId: string,
  options: RequestOptions = {},
) =>
  call('v3', operationId, {
    ...options,
    headers: { Authorization: `Bearer ${answer.body.data.attributes.access_token}` },
  });
