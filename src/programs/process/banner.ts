import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../platform/config.ts';
import { demoCredentials } from '../demo/credentials.ts';

/** The first line that the server prints. */
export const starting = ({ databaseUrl, dataDir, demo }: Config): string =>
  databaseUrl !== undefined || existsSync(path.join(dataDir, 'db'))
    ? 'Punchcard is starting.\n'
    : `Punchcard is starting for the first time on ${dataDir}. It creates the database${demo ? ' and the demo organisation' : ''}, which takes a few seconds.\n`;

/** The text that the server prints once it listens: its addresses, and a first command to paste. */
export function banner(server: {
  host: string;
  port: number;
  place: string;
  hasDemo: boolean;
  hasRowLevelSecurity: boolean;
}): string {
  const host =
    server.host === '0.0.0.0' || server.host === '::'
      ? 'localhost'
      : server.host.includes(':')
        ? `[${server.host}]`
        : server.host;
  const base = `http://${host}:${server.port}`;
  const { apiKey, apiToken, admin, employee, password } = demoCredentials;
  const lines = [
    'Punchcard is ready.',
    '',
    `  Resource API   ${base}/api/v3`,
    `  Public API     ${base}/public_api/v1`,
    `  Reference      ${base}/docs`,
    `  Data           ${server.place}`,
  ];
  if (!server.hasRowLevelSecurity) lines.push('  WARNING        Row-level security is off. The log says why.');
  if (server.hasDemo) {
    lines.push(
      '',
      'The demo organisation:',
      '',
      `  Account admin  ${admin}     password ${password}`,
      `  Employee       ${employee}  password ${password}`,
      `  Api-Key        ${apiKey}`,
      `  api_token      ${apiToken}`,
      '',
      'Try it:',
      '',
      `  curl -s -X POST ${base}/api/v3/sign_in -H 'Api-Key: ${apiKey}' -H 'Content-Type: application/vnd.api+json' -d '{"data":{"type":"user","attributes":{"email":"${admin}","password":"${password}"}}}'`,
    );
  }
  return `\n${lines.join('\n')}\n\n`;
}
