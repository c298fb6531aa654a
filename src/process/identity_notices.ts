import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { listenForIdentityChanges } from '../db/driver/identity_listener.ts';

const consequence = 'A credential that another process revokes may work here for up to 0.9 seconds.';

/** Hears of credentials that other processes revoke, until it is closed. The embedded database has one process only. */
export async function openIdentityNotices(config: Config, log: Logger): Promise<{ close(): Promise<void> }> {
  const { databaseUrl, directDatabaseUrl, preparedStatements } = config;
  if (directDatabaseUrl === undefined) return { close: async () => {} };
  if (!preparedStatements && directDatabaseUrl === databaseUrl) {
    log.warn(`A pooler delivers no notices about credentials: set DATABASE_DIRECT_URL. ${consequence}`);
    return { close: async () => {} };
  }
  return listenForIdentityChanges(directDatabaseUrl, {
    onListening: () => log.info('Listening for notices about credentials.'),
    onLost: (error) => log.warn({ err: error }, `No notices about credentials arrive; reconnecting. ${consequence}`),
  });
}
