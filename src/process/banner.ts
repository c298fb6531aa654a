import { demoCredentials } from '../demo/credentials.ts';

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
