import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import { findAccount } from '../../organisation/accounts/accounts.ts';
import { notFound } from '../../platform/core/errors.ts';
import { isUuid } from '../../platform/core/ids.ts';
import { newApiToken, tokenHash } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf, type EventActor } from '../../platform/events/record.ts';

const columns = listColumns('listApiTokens', 'api_tokens');

const validTokens = (db: Db, accountId: number) =>
  db.selectFrom('api_tokens').where('api_tokens.account_id', '=', accountId).where('api_tokens.revoked_at', 'is', null);

export type ApiTokenRow = Selectable<DB['api_tokens']>;

const apiTokenEvents = eventsOf<ApiTokenRow>()('api_token', ['name', 'read_only', 'last_four', 'revoked_at']);

/** The valid tokens of the account. */
export const listApiTokens = (db: Db, { accountId }: { accountId: number }, selection: Selection) =>
  list(
    db,
    {
      visible: validTokens(db, accountId),
      rows: validTokens(db, accountId).selectAll('api_tokens'),
      id: 'api_tokens.id',
      idKind: 'uuid',
      columns,
      timeZone: 'UTC',
    },
    selection,
  );

/** The valid tokens of one account or of all accounts, for the operator of the service. */
export async function listApiTokensOfAll(db: Db, accountId?: number) {
  const tokens = await db
    .selectFrom('api_tokens')
    .select(['id', 'account_id', 'name', 'last_four', 'read_only', 'created_at', 'last_used_at'])
    .where('revoked_at', 'is', null)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .orderBy('account_id')
    .orderBy('created_at')
    .execute();
  const names = new Map<number, string>();
  for (const { account_id } of tokens)
    if (!names.has(account_id)) names.set(account_id, (await findAccount(db, { accountId: account_id })).account_name);
  return tokens.map((token) => ({ ...token, account_name: names.get(token.account_id)! }));
}

/** A valid token of any account, for the operator of the service. */
export async function findApiToken(db: Db, id: string) {
  const row = isUuid(id)
    ? await db
        .selectFrom('api_tokens')
        .select('account_id')
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound('API token');
  return row;
}

/** Creates a token for the public API. Only its hash is stored: this is the one place that returns the token itself. */
export async function createApiToken(
  db: OpenTransaction,
  actor: EventActor,
  { name, read_only = false }: { readonly name: string; readonly read_only?: boolean },
  now: Date,
  token = newApiToken(),
) {
  const row = await db
    .insertInto('api_tokens')
    .values({
      id: randomUUID(),
      account_id: actor.accountId,
      name,
      read_only,
      hash: tokenHash(token),
      last_four: token.slice(-4),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  apiTokenEvents.record(db, actor, 'created', { before: null, after: row }, now);
  return { ...row, token };
}

/** Revokes the token: it is invalid from now on. */
export async function revokeApiToken(
  db: OpenTransaction,
  actor: EventActor,
  id: string,
  now: Date,
): Promise<ApiTokenRow> {
  const row = isUuid(id)
    ? await db
        .updateTable('api_tokens')
        .set({ revoked_at: now })
        .where('account_id', '=', actor.accountId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound('API token');
  apiTokenEvents.record(db, actor, 'revoked', { before: { ...row, revoked_at: null }, after: row }, now);
  return row;
}
