import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startServer, temporaryFolder } from '../support/processes/process.ts';

/** One server with the demo organisation for all clients. */
export default async function setup(): Promise<() => Promise<void>> {
  const data = temporaryFolder();
  const server = await startServer({ DATA_DIR: data.folder, LOG_LEVEL: 'warn' });
  process.env['SERVER_URL'] = server.url;
  process.env['SERVER_DATA'] = data.folder;
  return async () => {
    await server.stop();
    data.remove();
  };
}

/** Where it listens. */
export const serverUrl = (): string => process.env['SERVER_URL']!;

/** The mails it has sent so far, as text. */
export function mails(): string[] {
  const folder = path.join(process.env['SERVER_DATA']!, 'mail');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.map((name) => unquoted(readFileSync(path.join(folder, name), 'utf8')));
}

/** Mails break long lines, and write some characters as numbers. */
const unquoted = (text: string): string =>
  text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
