import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { answerOf, resourceApi } from '../../../src/client/client.ts';
import { openDatabase } from '../../../src/platform/db/connection.ts';
import { demoCredentials } from '../../../src/programs/demo/credentials.ts';
import { startServer, temporaryFolder, type Running } from '../../support/processes/process.ts';
import { serviceWith } from '../../support/service.ts';

const read = async (url: string, address: string): Promise<string> => {
  const response = await fetch(url + address);
  expect(response.status).toBe(200);
  return response.text();
};

const { employee: _notShown, apiKey, apiToken, admin, password } = demoCredentials;
const taught = [apiKey, apiToken, admin, password];
const taughtIn = (page: string): string[] => taught.filter((credential) => page.includes(credential));

describe('the landing page', () => {
  const { folder, remove } = temporaryFolder();
  let server: Running;
  beforeAll(async () => {
    server = await startServer({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
  });
  afterAll(async () => {
    await server.stop();
    remove();
  });

  it('teaches the demo credentials, and its commands work as printed', async () => {
    const page = await read(server.url, '/docs');
    expect(taughtIn(page)).toEqual(taught);
    expect(page).not.toContain('$API_TOKEN');
    const commands = [...page.matchAll(/<pre>(.*?)<\/pre>/gs)].map((match) =>
      match[1]!
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    );
    expect(commands).toHaveLength(4);
    const output = execFileSync('bash', ['-e', '-c', commands.join('\necho\n')], { encoding: 'utf8' });
    expect(output).toContain('"name":"Kitchen"');
    expect(output.trim().split('\n').at(-1)).toContain('"enterprise_id":1');
  });

  it('no longer teaches them once one of them is revoked', async () => {
    const guest = resourceApi({ url: server.url, apiKey });
    const credentials = { data: { type: 'user' as const, attributes: { email: admin, password } } };
    const { data } = await answerOf(guest.POST('/sign_in', { body: credentials }));
    const api = resourceApi({ url: server.url, token: data.attributes.access_token });
    const { data: tokens } = await answerOf(
      api.GET('/accounts/{account_id}/api_tokens', { params: { path: { account_id: '1' } } }),
    );
    const path = { account_id: '1', api_token_id: tokens.find(({ attributes }) => attributes.name === 'Demo')!.id };
    await answerOf(api.DELETE('/accounts/{account_id}/api_tokens/{api_token_id}', { params: { path } }));
    await expect.poll(async () => taughtIn(await read(server.url, '/docs')), { timeout: 60_000 }).toEqual([]);
    expect(await read(server.url, '/docs')).toContain('$API_TOKEN');
    expect(taughtIn(await read(server.url, '/docs/try/v3'))).toEqual([]);
    expect(taughtIn(await read(server.url, '/openapi/postman/environment.json'))).toEqual([]);
  });

  it('is there while the database cannot be reached', async () => {
    const database = await openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 1 });
    onTestFinished(() => database.close());
    expect(taughtIn(await read(await serviceWith({}, { database }), '/docs'))).toEqual([]);
  });
});
