import {
  createApiToken,
  findApiToken,
  listApiTokensOfAll,
  revokeApiToken,
} from '../../access/api_tokens/api_tokens.ts';
import { utcForm } from '../../platform/core/time.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import { jobActor } from '../../platform/events/record.ts';
import { accountNamed } from './account.ts';
import { required, table, type Command } from './command.ts';

export const apiTokenCommands: readonly Command[] = [
  {
    words: 'api-token create',
    usage: '--account ACCOUNT --name NAME [--read-only]',
    options: { account: { type: 'string' }, name: { type: 'string' }, 'read-only': { type: 'boolean' } },
    summary: 'Create an api_token of the public API, which gives access to a whole account.',
    details:
      'ACCOUNT is its id, or the e-mail address of one of its users. It is optional where there is only one account. A token with --read-only is refused with 403 when it writes. The token is printed once, alone on standard output. Only its hash is stored.',
    async run(given, { database, now, print, tell }) {
      const account = await accountNamed(database.db, given.options['account']);
      const isReadOnly = given.options['read-only'] === true;
      const input = { name: required(given, 'name'), read_only: isReadOnly };
      const { id, name, token } = await forAccount(database.db, account.id, (tx) =>
        createApiToken(tx, jobActor(account.id), input, now),
      );
      tell(
        `Created the api_token "${name}" (id ${id}) of the account ${account.id}, ${account.account_name}. It is shown only once: store it safely.`,
      );
      tell(
        `It ${isReadOnly ? 'reads' : 'gives access to'} every record of that account. Try it with GET /public_api/v1/ping?api_token=…`,
      );
      print(token);
    },
  },
  {
    words: 'api-token list',
    usage: '[--account ACCOUNT]',
    options: { account: { type: 'string' } },
    summary: 'List the valid api_tokens, of one account or of all.',
    async run({ options }, { database, print, tell }) {
      const account =
        options['account'] === undefined ? undefined : await accountNamed(database.db, options['account']);
      const tokens = await listApiTokensOfAll(database.db, account?.id);
      if (tokens.length === 0)
        return tell(
          'There is no api_token. Create one with: npm run cli -- api-token create --account ACCOUNT --name "Payroll"',
        );
      const rows = tokens.map((token) => [
        token.id,
        `${token.account_id} ${token.account_name}`,
        `…${token.last_four}`,
        token.read_only ? 'read' : 'all',
        utcForm(token.created_at),
        token.last_used_at ? utcForm(token.last_used_at) : 'never',
        token.name,
      ]);
      table(['ID', 'ACCOUNT', 'TOKEN', 'MAY', 'CREATED', 'LAST USED', 'NAME'], rows).forEach(print);
    },
  },
  {
    words: 'api-token revoke',
    usage: 'ID',
    argument: 'ID',
    summary: 'Revoke an api_token, at once and permanently.',
    details: 'ID is the id that "api-token list" shows, not the token itself.',
    async run({ argument }, { database, now, tell }) {
      const { account_id: accountId } = await findApiToken(database.db, argument);
      const { name } = await forAccount(database.db, accountId, (tx) =>
        revokeApiToken(tx, jobActor(accountId), argument, now),
      );
      tell(
        `The api_token "${name}" of the account ${accountId} is revoked. Systems that still use it are refused with 401.`,
      );
    },
  },
];
