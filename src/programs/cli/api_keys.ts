import { createApiKey, listApiKeys, revokeApiKey } from '../../access/api_tokens/api_keys.ts';
import { utcForm } from '../../platform/core/time.ts';
import { required, table, type Command } from './command.ts';

export const apiKeyCommands: readonly Command[] = [
  {
    words: 'api-key create',
    usage: '--name NAME',
    options: { name: { type: 'string' } },
    summary: 'Create an Api-Key, with which a client program signs users in.',
    details:
      'NAME says which program the key is for. The key is printed once, alone on standard output. Only its hash is stored.',
    async run(given, { database, now, print, tell }) {
      const { id, name, key } = await createApiKey(database.db, required(given, 'name'), now);
      tell(
        `Created the Api-Key for "${name}" (id ${id}). It is shown only once: store it safely. Clients send it in the header Api-Key of POST /api/v3/sign_in.`,
      );
      print(key);
    },
  },
  {
    words: 'api-key list',
    usage: '',
    summary: 'List the valid Api-Keys: id, name, and when each was created and last used.',
    async run(_given, { database, print, tell }) {
      const keys = await listApiKeys(database.db);
      if (keys.length === 0)
        return tell('There is no Api-Key. Create one with: npm run cli -- api-key create --name "My app"');
      const rows = keys.map((key) => [
        key.id,
        utcForm(key.created_at),
        key.last_used_at ? utcForm(key.last_used_at) : 'never',
        key.name,
      ]);
      table(['ID', 'CREATED', 'LAST USED', 'NAME'], rows).forEach(print);
    },
  },
  {
    words: 'api-key revoke',
    usage: 'ID',
    argument: 'ID',
    summary: 'Revoke an Api-Key, at once and permanently.',
    details: 'ID is the id that "api-key list" shows, not the key itself. Users who signed in with it stay signed in.',
    async run({ argument }, { database, now, tell }) {
      const { name } = await revokeApiKey(database.db, argument, now);
      tell(`The Api-Key for "${name}" is revoked. Programs that still use it are refused with 401.`);
    },
  },
];
