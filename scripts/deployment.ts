/**
 * Checks the files for operators: runs the steps of the Dockerfile's first stage in a clean folder, starts what they built, and
 * hands the other files to the programs that read them, as far as these are installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');

/** What a container runs. */
const [program, ...programOptions] = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)![1]!) as [string, ...string[]];

/** Runs the steps of the first stage of the Dockerfile: COPY from the checkout, and RUN. */
function buildImage(): string {
  const image = path.join(folder, 'image');
  mkdirSync(image);
  const [firstStage] = dockerfile.split(/^FROM .*(?<!AS build)$/m);
  for (const line of firstStage!.split('\n')) {
    const [instruction, ...words] = line.split(' ');
    if (instruction === 'COPY')
      for (const name of words[0] === '.' ? copied : words.slice(0, -1))
        cpSync(path.join(root, name), path.join(image, name), { recursive: true });
    if (instruction === 'RUN')
      check(`Dockerfile: ${words.join(' ')}`, problemOf('sh', ['-c', words.join(' ')], { cwd: image }));
  }
  return image;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

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
  const built = readdirSync(path.join(image, 'dist/run')).join();
  const health = () => problemOf('node', ['src/run/health.js'], { cwd: image, env });
  check('the health check fails while nothing runs', health() === undefined ? 'It succeeded.' : undefined);
  const server = spawn(program, programOptions, { cwd: image, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let problem = health();
  for (let seconds = 0; problem !== undefined && seconds < 60 && server.exitCode === null; seconds++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    problem = health();
  }
  check('the server starts and is healthy', problem);
  check(
    'the start built nothing',
    readdirSync(path.join(image, 'dist/run')).join() === built ? undefined : 'dist/run has changed.',
  );
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
  const known = readFileSync(path.join(root, 'README.md'), 'utf8');
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
