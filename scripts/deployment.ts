/**
 * Checks the files for operators: runs the steps of the Dockerfile in a clean folder, starts what they built, and hands the
 * other files to the programs that read them, as far as these are installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'punchcard-deployment-'));
const failures: string[] = [];

const check = (what: string, problem: string | undefined): void => {
  console.log(`${problem === undefined ? 'ok     ' : 'FAILED '} ${what}`);
  if (problem !== undefined) failures.push(`${what}\n${problem}`);
};

interface Run {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program. Returns what it printed if it fails, otherwise undefined. */
function problemOf(
  program: string,
  args: readonly string[],
  { cwd = root, env = process.env }: Run = {},
): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  return status === 0 ? undefined : `${error?.message ?? ''}${stdout}${stderr}`.trim();
}

const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0;

/** The files that .dockerignore lets through, which lists what is copied. */
const copied = readFileSync(path.join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

/** Folders of the checkout may have packages of their own, which are installed for tests. */
const isNoPackage = (file: string): boolean => path.basename(file) !== 'node_modules';

const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');

/** What a container runs. */
const [program, ...programOptions] = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)![1]!) as [string, ...string[]];

/** The commit that the image is built from, as the service reports it. */
const commit = 'abcdef012345';

/** Runs the steps of both stages of the Dockerfile, except for those that need another user. Returns the folder of the image. */
function buildImage(): string {
  const [build, image] = [path.join(folder, 'build'), path.join(folder, 'image')];
  mkdirSync(build);
  mkdirSync(image);
  const [firstStage, secondStage] = dockerfile.split(/^FROM .*(?<!AS build)$/m);
  const env = { ...process.env, GIT_COMMIT: commit };
  for (const line of firstStage!.split('\n')) {
    const [instruction, ...words] = line.split(' ');
    if (instruction === 'COPY')
      for (const name of words[0] === '.' ? copied : words.slice(0, -1))
        cpSync(path.join(root, name), path.join(build, name), { recursive: true, filter: isNoPackage });
    if (instruction === 'RUN')
      check(`Dockerfile: ${words.join(' ')}`, problemOf('sh', ['-c', words.join(' ')], { cwd: build, env }));
  }
  for (const [, name] of secondStage!.matchAll(/^COPY --from=build \/punchcard\/(\S+)/gm))
    renameSync(path.join(build, name!), path.join(image, name!));
  rmSync(build, { recursive: true });
  return image;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const filesIn = (image: string): string => readdirSync(path.join(image, 'dist'), { recursive: true }).join('\n');

/** Starts what was built as a container would, with a data folder of its own, and asks for its health. */
async function tryImage(image: string): Promise<void> {
  const port = String(await freePort());
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    DEMO: '1',
    PORT: port,
    DATA_DIR: path.join(folder, 'data'),
  };
  const filesBefore = filesIn(image);
  const health = () => problemOf('node', ['dist/health.js'], { cwd: image, env });
  check('the health check fails while nothing runs', health() === undefined ? 'It succeeded.' : undefined);
  const server = spawn(program, programOptions, { cwd: image, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let problem = health();
  for (let seconds = 0; problem !== undefined && seconds < 60 && server.exitCode === null; seconds++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    problem = health();
  }
  check('the server starts and is healthy', problem);
  const { meta } = (await (await fetch(`http://127.0.0.1:${port}/api/v3/users/me`)).json()) as {
    meta: { git_commit: string };
  };
  check('it reports the commit that it was built from', meta.git_commit === commit ? undefined : meta.git_commit);
  const reference = await fetch(`http://127.0.0.1:${port}/docs/v3`);
  check('it serves the reference', reference.status === 200 ? undefined : `The status is ${reference.status}.`);
  check('it writes nothing beside its programs', filesIn(image) === filesBefore ? undefined : 'There are new files.');
  const exited = new Promise<number | null>((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  check('SIGTERM stops it', (await exited) === 0 ? undefined : 'The exit code is not 0.');
}

/** Hands a file to the program that reads it. */
function checkWith(program: string, args: readonly string[], what: string): void {
  if (isInstalled(program)) check(what, problemOf(program, args));
  else console.log(`skipped ${what}: ${program} is not installed`);
}

function checkCompose(): void {
  const { services } = parse(readFileSync(path.join(root, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, { command?: string[]; environment: Record<string, string> }>;
  };
  const known = readFileSync(path.join(root, 'docs/settings.md'), 'utf8');
  const settings = Object.keys(services['server']!.environment);
  const unknown = settings.filter((name) => !known.includes(`\`${name}\``));
  check('compose.yaml sets only settings that exist', unknown.length === 0 ? undefined : `Unknown: ${unknown.join()}`);
}

/** nginx reads certificates, so the check gets one. */
function checkNginx(): void {
  const config = readFileSync(path.join(root, 'deploy/nginx/punchcard.conf'), 'utf8');
  const [certificate, key] = [path.join(folder, 'certificate.pem'), path.join(folder, 'key.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=time.example.com'];
  if (!isInstalled('nginx') || !isInstalled('openssl')) return console.log('skipped nginx: it is not installed');
  check('openssl makes a certificate', problemOf('openssl', [...request, '-keyout', key, '-out', certificate]));
  const file = path.join(folder, 'nginx.conf');
  const site = config
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
  writeFileSync(file, `pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off;\n${site}\n}`);
  check('nginx -t', problemOf('nginx', ['-t', '-q', '-c', file]));
}

try {
  checkCompose();
  checkNginx();
  checkWith('caddy', ['validate', '--adapter', 'caddyfile', '--config', 'deploy/caddy/Caddyfile'], 'caddy validate');
  checkWith('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yaml'], 'promtool check rules');
  for (const unit of readdirSync(path.join(root, 'deploy/systemd')))
    checkWith(
      'systemd-analyze',
      ['security', '--offline=yes', '--threshold=40', `deploy/systemd/${unit}`],
      `systemd-analyze ${unit}`,
    );
  await tryImage(buildImage());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`\n${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
