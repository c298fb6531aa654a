import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/processes/process.ts';
import { run } from './run.ts';
import { mails, serverUrl } from './server.ts';

/*
 * Downloads the workflows into an empty folder, carries them out step by step as they are described, and checks each response
 * against the contract.
 */
const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'openapi/workflows');

const elsewhere = temporaryFolder();
const cli = path.join(root, 'node_modules/@redocly/cli/bin/cli.js');

afterAll(elsewhere.remove);

const download = async (file: string): Promise<void> => {
  const address = `${serverUrl()}/openapi/workflows/${file}.yaml`;
  const { code, output } = await run('curl', ['-sSfO', address], elsewhere.folder);
  expect(code, output).toBe(0);
};

const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const today = new Date();
const endOfLastMonth = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 0)).toISOString().slice(0, 10);
const nextYear = today.getUTCFullYear() + 1;

const newcomer = { email: 'newcomer@example.com', password: 'correct horse battery', username: 'Kim Newcomer' };
const admin = { api_key: 'demo-api-key', email: 'admin@example.com', password: 'demo-password', workspace_id: '1' };
const inputs: Record<string, Record<string, string>> = {
  first_punch: newcomer,
  correct_day: { ...admin, user_id: '2', day: dayFromNow(-1) },
  vacation: {
    api_key: 'demo-api-key',
    employee_email: 'employee@example.com',
    admin_email: 'admin@example.com',
    password: 'demo-password',
    first_day: `${nextYear}-07-05`,
    last_day: `${nextYear}-07-16`,
  },
  batch: { ...admin, user_id: '4', day: dayFromNow(-1) },
  month_end: {
    ...admin,
    user_id: '2',
    month: endOfLastMonth.slice(0, 7),
    first_day: `${endOfLastMonth.slice(0, 7)}-01`,
    last_day: endOfLastMonth,
    forgotten_day: endOfLastMonth,
  },
  synchronise_users: {
    api_token: 'demo-api-token',
    external_id: 'hr-7001',
    location_external_id: 'harbour',
    year: String(nextYear),
  },
};

/** Carries out a workflow, and gives the line that counts its workflows. */
async function respect(file: string, workflow: string, values: Record<string, string>): Promise<string | undefined> {
  const options = [
    ...['--server', `v3=${serverUrl()}/api/v3`, '--server', `public=${serverUrl()}/public_api/v1`],
    ...Object.entries(values).flatMap(([name, value]) => ['--input', `${name}=${value}`]),
  ];
  await download(file);
  const { code, output } = await run(
    process.execPath,
    [cli, 'respect', `${file}.yaml`, '--workflow', workflow, ...options],
    elsewhere.folder,
  );
  expect(code, output).toBe(0);
  return /Workflows: .*/.exec(output)?.[0];
}

describe('openapi/workflows', () => {
  it.each(Object.entries(inputs))('%s', async (name, values) => {
    expect(await respect(name, name, values)).toBe('Workflows: 1 passed, 1 total');
  });

  it('password_reset, with the token from the mail', async () => {
    const { email } = newcomer;
    expect(await respect('password_reset', 'request_reset', { email })).toBe('Workflows: 1 passed, 1 total');
    const token = await expect
      .poll(() => tokenFor(email), { timeout: 60_000 })
      .toBeDefined()
      .then(() => tokenFor(email)!);
    const values = { api_key: 'demo-api-key', email, new_password: 'an even better one', reset_password_token: token };
    expect(await respect('password_reset', 'set_new_password', values)).toBe('Workflows: 1 passed, 1 total');
  });

  it('run as the reference prints them', async () => {
    const guide = readFileSync(path.join(root, 'openapi/guides/workflows.md'), 'utf8');
    const printed = [...guide.matchAll(/```\n(.*?)```/gs)].map((match) => match[1]!);
    expect(printed).toHaveLength(2);
    for (const commands of printed) {
      const here = commands
        .replaceAll('http://127.0.0.1:3000', serverUrl())
        .replaceAll('npx @redocly/cli', `'${process.execPath}' '${cli}'`);
      const { code, output } = await run('sh', ['-ec', here], elsewhere.folder);
      expect(code, output).toBe(0);
      expect(output).toContain('Workflows: 1 passed, 1 total');
    }
  });

  it('are all carried out', () => {
    const described = readdirSync(folder).filter((name) => name !== 'redocly.yaml');
    expect(described.sort()).toEqual([...Object.keys(inputs), 'password_reset'].map((name) => `${name}.yaml`).sort());
  });
});

const tokenFor = (email: string): string | undefined => {
  const mail = mails().find((text) => text.includes(`To: ${email}`) && text.includes('reset_password_token='));
  return mail && /reset_password_token=([\w-]+)/.exec(mail)![1];
};
