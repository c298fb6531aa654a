import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { demoCredentials } from '../../../../src/programs/demo/credentials.ts';
import { startNameServer } from '../../../support/servers/name_server.ts';
import { runProgram, startServer } from '../../../support/processes/process.ts';
import { ask, newDatabase } from '../support.ts';

const maxConnections = 30;

it('webhooks of one account to silent names leave others their new connections to the database', async () => {
  const names = await startNameServer();
  // Each new connection looks the name of the host up.
  const database = new URL(await newDatabase());
  database.hostname = 'localhost';
  const settings = {
    DATABASE_URL: database.href,
    DATABASE_POOL: String(maxConnections),
    DATABASE_POOL_PER_ACCOUNT: '0',
    WEBHOOK_DNS: names.at,
    WORKERS: 'off',
  };
  await runProgram('cli', ['seed'], settings);
  const { url, stop } = await startServer(settings);
  onTestFinished(async () => void (await stop()));
  const { admin: email, password } = demoCredentials;
  const signedIn = await ask(url, 'POST', '/sign_in', undefined, { email, password });
  const token = signedIn.body.data.attributes['access_token']!;
  const person = { username: 'Kim', email: 'kim@example.org', password: 'a long password' };
  const other = (await ask(url, 'POST', '/sign_up', undefined, person)).body.data.attributes['access_token']!;
  const me = await ask(url, 'GET', '/users/me', token);
  const account = me.body.data.relationships['account']!.data as unknown as { id: string };
  const address = `/accounts/${account.id}/webhooks`;
  const hook = { url: 'https://93.184.215.14/', events: ['area.*'] };
  const { body } = await ask(url, 'POST', address, token, hook, 'webhook');

  const updates = Array.from({ length: 40 }, (_, index) =>
    ask(url, 'PATCH', `${address}/${body.data.id}`, token, { url: `https://silent${index}.test/` }, 'webhook'),
  );
  await pause(500);
  const reads = Array.from({ length: 3 * maxConnections }, () => ask(url, 'GET', '/users/me', other));
  const statuses = (await Promise.all(reads)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  // The account may have to wait for itself.
  for (const { status } of await Promise.all(updates)) expect([200, 503]).toContain(status);
}, 300_000);
