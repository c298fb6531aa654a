import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { answerOf, resourceApi } from '../../src/client/client.ts';
import { temporaryFolder } from '../support/processes/process.ts';
import { run } from './run.ts';
import { serverUrl } from './server.ts';

/*
 * The client as another project uses it: packed, installed there without a network, compiled by that project, run by plain Node.
 */
const root = path.resolve(import.meta.dirname, '../..');
const project = temporaryFolder();

afterAll(project.remove);

const inProject = (file: string): string => path.join(project.folder, file);

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

/** The packages that a package needs, and those that they need. */
const neededBy = (folder: string): string[] =>
  Object.keys(manifestIn(folder).dependencies ?? {}).flatMap((name) => [
    name,
    ...neededBy(path.join(root, 'node_modules', name)),
  ]);

const settings = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'NodeNext',
    target: 'ES2022',
    outDir: 'out',
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules/@types')],
  },
  include: ['*.ts'],
};

const program = `
import { Webhook } from 'standardwebhooks';
import { answerOf, everyChange, publicApi, RefusedError, resourceApi, verifyWebhook } from 'punchcard-client';

const url = process.argv[2]!;
const refused = await answerOf(resourceApi({ url, token: 'nonsense' }).GET('/users/me')).catch((error: unknown) => error);
if (!(refused instanceof RefusedError)) throw refused;
console.log(refused.status, refused.message, refused.requestId?.length, refused.codes.includes('unauthenticated'));
// @ts-expect-error No problem has this code.
refused.codes.includes('nonsense');

let lost = 2;
const flaky = (request: Request) => (lost-- > 0 ? Promise.reject(new TypeError('lost')) : fetch(request));
const api = publicApi({ url, apiToken: 'demo-api-token', fetch: flaky, retries: 2, timeoutMs: 10_000 });
for await (const { change } of everyChange(api, '/changes', { params: { query: { from: 'beginning' } } })) {
  console.log(typeof change.id);
  // Ids come as texts, and operations take them.
  await answerOf(api.GET('/users', { params: { query: { id: change.user_id ?? '1' } } }));
  break;
}

// @ts-expect-error This path does not exist.
void (() => api.GET('/nonsense'));

const secret = 'whsec_' + Buffer.from('a secret of some length').toString('base64');
const body = JSON.stringify({ type: 'ping' });
const now = new Date();
const headers = {
  'webhook-id': 'one',
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': new Webhook(secret).sign('one', now, body),
};
console.log(verifyWebhook(secret, headers, body).type);
`;

const pagesWithSamples = ['src/client/README.md', 'openapi/guides/clients.md'];

const samplesIn = (page: string): string[] =>
  [...readFileSync(path.join(root, page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]!);

/** The first sample on a page that imports the package, with the values that it takes as given. */
function sampleIn(page: string): string {
  const sample = samplesIn(page).find((text) => text.includes("'punchcard-client'"));
  const given = ['url', 'email', 'password', 'apiToken'].map((name) => `declare const ${name}: string;\n`);
  return given.join('') + sample!;
}

/** The two programs of the guide. The first one takes a client as given. */
const [monthSample, payrollSync] = samplesIn('openapi/guides/typed_client.md');
const monthProgram = `
import { answerOf, everyRecord, resourceApi } from 'punchcard-client';
const [url, token] = process.argv.slice(2) as [string, string];
const api = resourceApi({ url, token });
const { data: me } = await answerOf(api.GET('/users/me'));
const path = { workspace_id: me.relationships.workspaces!.data[0]!.id };
${monthSample!}`;

/** A client of the account admin of the demo organisation, and their token. */
async function demoAdmin() {
  const body = {
    data: { type: 'user', attributes: { email: 'admin@example.com', password: 'demo-password' } },
  } as const;
  const guest = resourceApi({ url: serverUrl(), apiKey: 'demo-api-key' });
  const { data } = await answerOf(guest.POST('/sign_in', { body }));
  const token = data.attributes.access_token;
  return { token, api: resourceApi({ url: serverUrl(), token }) };
}

describe('punchcard-client', () => {
  it('is packed without the server, in less than 100 kB', async () => {
    const packed = await run('npm', ['run', 'client', '--', '--to', project.folder], root);
    expect(packed.code, packed.output).toBe(0);
    const [tarball] = readdirSync(project.folder);
    expect(statSync(inProject(tarball!)).size).toBeLessThan(100_000);
    const [client, server] = [manifestIn(path.join(root, 'src/client')), manifestIn(root)];
    expect(client.version).toBe(server.version);
    expect({ ...server.devDependencies, ...server.dependencies }).toMatchObject(client.dependencies!);
  });

  it('installs into an empty project, without a network', async () => {
    const packages = neededBy(path.join(root, 'src/client')).map((name) => path.join(root, 'node_modules', name));
    const packed = await run('npm', ['pack', ...packages, '--ignore-scripts'], project.folder);
    expect(packed.code, packed.output).toBe(0);
    const tarballs = readdirSync(project.folder).filter((name) => name.endsWith('.tgz'));
    expect(tarballs.map((name) => name.replace(/-[\d.]+\.tgz$/, '')).sort()).toEqual([
      'fast-sha256',
      'openapi-fetch',
      'openapi-typescript-helpers',
      'punchcard-client',
      'stablelib-base64',
      'standardwebhooks',
    ]);
    writeFileSync(inProject('package.json'), JSON.stringify({ name: 'elsewhere', private: true, type: 'module' }));
    const files = tarballs.map((name) => `./${name}`);
    const installed = await run('npm', ['install', ...files, '--offline'], project.folder);
    expect(installed.code, installed.output).toBe(0);
  });

  it('compiles there under strict, with the samples of every page', async () => {
    expect(readFileSync(path.join(root, 'src/client/README.md'), 'utf8')).toContain(monthSample);
    copyFileSync(path.join(root, 'src/client/example.ts'), inProject('example.ts'));
    writeFileSync(inProject('program.ts'), program);
    writeFileSync(inProject('month.ts'), monthProgram);
    writeFileSync(inProject('payroll_sync.ts'), payrollSync!);
    for (const [index, page] of pagesWithSamples.entries())
      writeFileSync(inProject(`sample_${index}.ts`), sampleIn(page));
    writeFileSync(inProject('tsconfig.json'), JSON.stringify(settings));
    expect(await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc')], project.folder)).toEqual({
      code: 0,
      output: '',
    });
  });

  it('costs the compiler little', async () => {
    const settingsOfOne = { ...settings, include: [], files: ['example.ts'] };
    writeFileSync(inProject('tsconfig.one.json'), JSON.stringify(settingsOfOne));
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = ['-p', 'tsconfig.one.json', '--noEmit', '--skipLibCheck', '--extendedDiagnostics'];
    const { code, output } = await run(process.execPath, [tsc, ...options], project.folder);
    expect(code, output).toBe(0);
    const figure = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(output)?.[1]);
    // The types of openapi-fetch took 64,000 for a program of this size, and twice the time. Unlike the time, it is always the same.
    expect(figure('Instantiations')).toBeLessThan(15_000);
  });

  it('runs the example there', async () => {
    const { code, output } = await run(process.execPath, ['out/example.js', serverUrl()], project.folder);
    expect(code, output).toBe(0);
    expect(output.split('\n').map((line) => line.replaceAll(/\d[\dTZ:.-]*/g, '…'))).toEqual([
      'Signed in as Erin Example.',
      'Punched: start at …',
      'Punched: end at …',
      'Asked for vacation: … days, pending.',
      'Worked … hours in … time trackings.',
      'The enterprise: Alex Admin, Erin Example, Robin Baker, Sam Cook, Noor Night, Jo Newman, Lee Leaver.',
      '',
    ]);
  });

  it('has typed errors, retries, the change feed and webhooks there', async () => {
    const { code, output } = await run(process.execPath, ['out/program.js', serverUrl()], project.folder);
    expect(code, output).toBe(0);
    expect(output.split('\n')).toEqual(['401 This operation needs a valid credential. 36 true', 'string', 'ping', '']);
  });

  it('keeps the payroll of a month up to date with the program of the guide, and reads the month', async () => {
    const { token, api } = await demoAdmin();
    const environment = { PUNCHCARD_URL: serverUrl(), PUNCHCARD_TOKEN: token, PUNCHCARD_API_TOKEN: 'demo-api-token' };
    const child = spawn(process.execPath, ['out/payroll_sync.js', '2026-05-01', '2026-05-31'], {
      cwd: project.folder,
      env: { PATH: process.env['PATH'], ...environment },
    });
    onTestFinished(() => void child.kill());
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    await expect.poll(() => output, { timeout: 60_000 }).toContain('Following changes.\n');
    const before = output.split('\n').filter((line) => line.includes(';'));
    expect(before).toContainEqual(expect.stringMatching(/^1002;Erin Example;/));

    const { data: me } = await answerOf(api.GET('/users/me'));
    const path = { workspace_id: me.relationships.workspaces!.data[0]!.id };
    const attributes = { starts_at: '2026-05-04T08:00:00Z', ends_at: '2026-05-04T10:30:00Z' };
    await answerOf(
      api.POST('/workspaces/{workspace_id}/time_trackings', {
        params: { path },
        body: { data: { type: 'time_tracking', attributes } },
      }),
    );
    await expect
      .poll(() => output.split('Following changes.\n')[1], { timeout: 60_000 })
      .toMatch(/^[^;]*;Alex Admin;2\.5;/);

    const month = await run(process.execPath, ['out/month.js', serverUrl(), token], project.folder);
    expect(month).toEqual({ code: 0, output: '2026-05-04T08:00:00Z 2.5\n' });
  });
});
