/**
 * Runs the server and restarts it when a file is saved. A change of the contract is generated first. While generating fails,
 * the last working server stays up.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const say = (line: string): void => void process.stdout.write(`\n[dev] ${line}\n`);

const run = (file: string, ...options: string[]): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', file, ...options], { cwd: root, stdio: 'inherit' });

async function succeeds(file: string, ...options: string[]): Promise<boolean> {
  const [code] = (await once(run(file, ...options), 'exit')) as [number | null];
  return code === 0;
}

let server: ChildProcess | undefined;
const isRunning = (): boolean => server !== undefined && server.exitCode === null && server.signalCode === null;

async function restart(): Promise<void> {
  // The embedded database admits one process at a time.
  if (isRunning()) {
    server!.kill('SIGTERM');
    await once(server!, 'exit');
  }
  server = run('src/programs/main.ts');
  server.once('exit', (code, signal) => {
    if (code !== 0 && signal !== 'SIGTERM') say('The server stopped. Save a file to start it again.');
  });
}

/** What was saved since the last restart. */
const saved = { contract: false, schema: false, source: false };
let isBusy = false;

async function round(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  while (saved.contract || saved.schema || saved.source) {
    const { contract, schema } = saved;
    Object.assign(saved, { contract: false, schema: false, source: false });
    if (contract || schema) {
      say(schema ? 'The schema changed: generating.' : 'The contract changed: generating.');
      const isGenerated = schema
        ? await succeeds('scripts/generate.ts')
        : await succeeds('scripts/generate.ts', '--contract-only');
      if (!isGenerated || !(await succeeds('scripts/build/build.ts', 'docs'))) {
        say('Generating failed, see above. The server keeps running as it was.');
        continue;
      }
    }
    say('Starting.');
    await restart();
  }
  isBusy = false;
}

let timer: NodeJS.Timeout | undefined;
function onSave(kind: keyof typeof saved): void {
  saved[kind] = true;
  clearTimeout(timer);
  // Editors write a file in several steps.
  timer = setTimeout(() => void round(), 150);
}

watch(
  path.join(root, 'openapi'),
  { recursive: true },
  (_event, name) => /\.(yaml|md)$/.test(name ?? '') && onSave('contract'),
);
watch(path.join(root, 'src'), { recursive: true }, (_event, name) => {
  if (name?.endsWith('.ts')) onSave(name.startsWith(path.join('db', 'migrations')) ? 'schema' : 'source');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    if (isRunning()) {
      server!.kill('SIGTERM');
      await once(server!, 'exit');
    }
    process.exit(0);
  });
}
say('Watching src/ and openapi/. Stop with Ctrl+C.');
onSave('contract');
