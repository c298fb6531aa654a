import { startServer, temporaryFolder } from '../support/process.ts';

/** One server with the demo organisation for all clients. */
export default async function setup(): Promise<() => Promise<void>> {
  const data = temporaryFolder();
  const server = await startServer({ DATA_DIR: data.folder, LOG_LEVEL: 'warn' });
  process.env['SERVER_URL'] = server.url;
  return async () => {
    await server.stop();
    data.remove();
  };
}

/** Where it listens. */
export const serverUrl = (): string => process.env['SERVER_URL']!;
