import { describe, expect, it } from 'vitest';
import { hashPassword } from '../../../src/platform/core/secrets.ts';
import { demoCredentials, requireNoDemoCredentials } from '../../../src/programs/demo/credentials.ts';
import { call } from '../../support/client.ts';
import { command } from '../../support/processes/command.ts';
import { service } from '../../support/service.ts';
import { bodyOf, newWorld } from '../../support/world.ts';

const signIn = (apiKey: string, person: { email: string; password: string }) =>
  call('v3', 'signIn', { headers: { 'Api-Key': apiKey }, body: bodyOf('user', person) });

describe('api-key', () => {
  it('is shown once, works, is listed without its secret, and is useless after its revocation', async () => {
    const person = { email: `${crypto.randomUUID()}@example.com`, password: 'a good password' };
    await call('v3', 'signUp', { body: bodyOf('user', { ...person, username: 'Robin' }) });
    const created = await command(['api-key', 'create', '--name', 'Tablet app']);
    expect(created).toMatchObject({ code: 0, printed: [expect.stringMatching(/^pak_/)] });
    const key = created.printed[0]!;
    expect(created.told).not.toContain(key);
    expect((await signIn(key, person)).status).toBe(200);

    const { printed } = await command(['api-key', 'list']);
    const line = printed.find((text) => text.endsWith('Tablet app'))!;
    expect(printed.join('\n')).not.toContain(key);
    expect(await command(['api-key', 'revoke', line.split(' ')[0]!])).toMatchObject({ code: 0 });
    expect((await signIn(key, person)).status).toBe(401);
    expect((await command(['api-key', 'revoke', line.split(' ')[0]!])).told).toContain(
      'could not be found. List the valid ones with: npm run cli -- api-key list',
    );
  });

  it.each([
    { line: ['api-key', 'create'], says: '--name is required.' },
    { line: ['api-key', 'create', '--name', ' '], says: '--name is required.' },
    { line: ['api-key', 'create', '--name', 'My', 'app'], says: '"app" is unexpected' },
    { line: ['api-key', 'create', '--colour', 'red'], says: '--colour' },
    { line: ['api-key', 'revoke'], says: 'ID is missing.' },
    { line: ['api-key', 'shred'], says: 'There is no command "api-key shred".' },
  ])('$line is not understood, and the usage is shown', async ({ line, says }) => {
    const { code, told } = await command(line);
    expect(code).toBe(2);
    expect(told).toContain(says);
    expect(told).toContain('Usage: npm run cli -- ');
  });
});

describe('api-token', () => {
  it('reaches its account until it is revoked', async () => {
    const { admin, accountId } = await newWorld();
    const created = await command(['api-token', 'create', '--account', admin.email, '--name', 'Payroll']);
    expect(created).toMatchObject({ code: 0, printed: [expect.stringMatching(/^[A-Za-z0-9]{40}$/)] });
    const query = { api_token: created.printed[0]! };
    expect((await call('public', 'ping', { query })).status).toBe(200);

    const { printed } = await command(['api-token', 'list', '--account', String(accountId)]);
    expect(printed.join('\n')).not.toContain(query.api_token);
    const line = printed.find((text) => text.endsWith('Payroll'))!;
    expect((await command(['api-token', 'revoke', line.split(' ')[0]!])).code).toBe(0);
    expect((await call('public', 'ping', { query })).status).toBe(401);
  });

  it('lists the accounts if the name is ambiguous', async () => {
    await newWorld();
    const { code, told } = await command(['api-token', 'create', '--name', 'Payroll']);
    expect(code).toBe(2);
    expect(told).toContain('there are several accounts');
    expect((await command(['api-token', 'create', '--account', 'nobody@example.com', '--name', 'x'])).told).toContain(
      'There is no account "nobody@example.com"',
    );
  });
});

describe('user create-admin', () => {
  it('makes an account with its admin, whose password is shown once', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { code, printed, told } = await command(['user', 'create-admin', '--email', email, '--username', 'Ann']);
    expect({ code, count: printed.length }).toEqual({ code: 0, count: 1 });
    expect(told).not.toContain(printed[0]);
    const [key] = (await command(['api-key', 'create', '--name', 'x'])).printed;
    expect((await signIn(key!, { email, password: printed[0]! })).status).toBe(200);
    expect(await command(['user', 'create-admin', '--email', email, '--username', 'Ann'])).toMatchObject({
      code: 1,
      told: `email "${email}" is already used by another user.`,
    });
  });

  it('makes one more admin of an account, with a password from standard input', async () => {
    const { accountId, workspaceId } = await newWorld();
    const email = `${crypto.randomUUID()}@example.com`;
    const line = [
      'user',
      'create-admin',
      '--email',
      email,
      '--username',
      'Ann',
      '--account',
      String(accountId),
      '--password-stdin',
    ];
    expect(await command(line, { input: 'short\n' })).toMatchObject({ code: 2 });
    expect(await command(line, { input: 'long enough\n' })).toMatchObject({ code: 0, printed: [] });
    const [key] = (await command(['api-key', 'create', '--name', 'x'])).printed;
    const { body } = await signIn(key!, { email, password: 'long enough' });
    const headers = {
      Authorization: `Bearer ${(body as { data: { attributes: { access_token: string } } }).data.attributes.access_token}`,
    };
    expect(
      (
        await call('v3', 'createArea', {
          params: { workspace_id: workspaceId },
          headers,
          body: bodyOf('area', { name: 'Bar' }),
        })
      ).status,
    ).toBe(201);
  });
});

describe('demo remove', () => {
  it('makes the public credentials useless and keeps passwords that were changed', async () => {
    const { database, directUrl } = await service();
    const environment: Record<string, string> = directUrl ? { DATABASE_URL: directUrl } : {};
    const seed = () => command(['seed'], { environment });
    expect(await seed()).toMatchObject({ code: 0 });
    await expect(requireNoDemoCredentials(database.db)).rejects.toThrow('npm run cli -- demo remove');
    const { admin, employee, password, apiKey, apiToken } = demoCredentials;
    const session = (await signIn(apiKey, { email: admin, password })).body.data.attributes.access_token as string;
    const headers = { Authorization: `Bearer ${session}` };
    expect((await call('v3', 'getCurrentUser', { headers })).status).toBe(200);
    const changed = await hashPassword('a good password');
    await database.db.updateTable('users').set({ password_hash: changed }).where('email', '=', employee).execute();

    const { code, told } = await command(['demo', 'remove']);
    expect(code).toBe(0);
    for (const text of [apiKey, apiToken, admin]) expect(told).toContain(text);
    expect(told).not.toContain(employee);
    await expect(requireNoDemoCredentials(database.db)).resolves.toBeUndefined();
    const other = (await command(['api-key', 'create', '--name', 'App'])).printed[0]!;
    expect((await signIn(apiKey, { email: admin, password })).status).toBe(401);
    expect((await signIn(other, { email: admin, password })).status).toBe(401);
    expect((await signIn(other, { email: employee, password: 'a good password' })).status).toBe(200);
    expect((await call('v3', 'getCurrentUser', { headers })).status).toBe(401);
    expect((await call('public', 'ping', { query: { api_token: apiToken } })).status).toBe(401);
    expect(await command(['demo', 'remove'])).toMatchObject({
      code: 0,
      told: expect.stringContaining('accepts no demo'),
    });
    expect(await seed()).toMatchObject({ code: 1, told: expect.stringContaining('were removed') });
  });
});

describe('migrate, seed, help', () => {
  it('migrates an up-to-date database without a change', async () => {
    expect(await command(['migrate'])).toMatchObject({ code: 0, told: expect.stringContaining('is up to date') });
  });

  it('does not seed a production service', async () => {
    expect(await command(['seed'], { environment: { NODE_ENV: 'production' } })).toMatchObject({
      code: 1,
      told: expect.stringContaining('DEMO=1 npm run seed'),
    });
    expect(await command(['seed'], { environment: { HOST: '0.0.0.0' } })).toMatchObject({ code: 1 });
  });

  it('prints help for all commands, and for each', async () => {
    const overview = (await command(['--help'])).printed.join('\n');
    for (const words of ['api-key create', 'api-token revoke ID', 'user create-admin', 'migrate', 'seed'])
      expect(overview).toContain(words);
    expect((await command(['user', 'create-admin', '--help'])).printed.join('\n')).toContain('--password-stdin');
    expect((await command([])).code).toBe(0);
  });
});
