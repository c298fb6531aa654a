import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';

/*
 * Run samples as they are printed, in an empty folder: curl in a shell, and the programs of the other languages one after the
 * other in one process each. PYTHON and PHP name other interpreters than python3 and php.
 */

/** Runs a sample with an access token. Gives an empty text, or what went wrong. */
export type Runner = (name: string, source: string, token: string) => Promise<string>;

export const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-samples-'));
const closers = [() => rmSync(folder, { recursive: true, force: true })];
export const closeRunners = (): void => closers.toReversed().forEach((close) => close());

const runCurl: Runner = async (_name, source, token) => {
  const command = `${source} --silent --show-error --write-out '\\n%{http_code}'`;
  const env = { PATH: process.env['PATH'], TOKEN: token };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
  return /\n2\d\d$/.test(stdout) ? '' : stdout;
};

/** A program that reads samples from its input, one JSON per line, and writes what became of each. It starts with the first. */
function opened(command: string, file: string, driver: string): Runner {
  const start = () => {
    writeFileSync(path.join(folder, file), driver);
    const child = spawn(command, [file], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    // The samples fail if the program cannot be started or ends early.
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    closers.push(() => void child.kill());
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  };
  let running: ReturnType<typeof start> | undefined;
  return async (name, source, token) => {
    running ??= start();
    running.child.stdin.write(`${JSON.stringify({ name, source, token })}\n`);
    const { value, done } = await running.lines.next();
    if (done) throw new Error(`${command} could not be run.`);
    return JSON.parse(value) as string;
  };
}

const python = `
import contextlib, io, json, os, sys
import requests

for line in sys.stdin:
    task = json.loads(line)
    os.environ["TOKEN"] = task["token"]
    result = ""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(task["source"], task["name"], "exec"), {})
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    print(json.dumps(result), flush=True)
`;

const php = `<?php
set_error_handler(function ($level, $text) { throw new ErrorException($text); });
while (($line = fgets(STDIN)) !== false) {
    $task = json_decode($line, true);
    putenv('TOKEN=' . $task['token']);
    $result = '';
    ob_start();
    try {
        (function () use ($task) { eval(substr($task['source'], strlen('<?php'))); })();
    } catch (Throwable $error) {
        $result = get_class($error) . ': ' . $error->getMessage();
    }
    ob_end_clean();
    echo json_encode($result), "\\n";
}
`;

const node = `
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { name, source, token } = JSON.parse(line);
  process.env.TOKEN = token;
  // A module of a name that was imported before would not run again.
  const file = './' + name + count++ + '.mjs';
  writeFileSync(file, source + '\\nexport { error as refused };');
  const result = await import(file).then(({ refused }) => (refused ? JSON.stringify(refused) : ''), String);
  process.stdout.write(JSON.stringify(result) + '\\n');
}
`;

/** Makes the typed client a package in the folder. */
function installClient(): void {
  const installed = path.join(folder, 'node_modules/punchcard-client');
  mkdirSync(installed, { recursive: true });
  writeFileSync(path.join(installed, 'package.json'), '{ "type": "module", "exports": "./client.js" }');
  const entry = path.resolve(import.meta.dirname, '../../src/client/client.ts');
  buildSync({
    entryPoints: [entry],
    outfile: path.join(installed, 'client.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
}

export function openRunners(): Readonly<Record<string, Runner>> {
  installClient();
  return {
    curl: runCurl,
    TypeScript: opened(process.execPath, 'driver.mjs', node),
    Python: opened(process.env['PYTHON'] ?? 'python3', 'driver.py', python),
    PHP: opened(process.env['PHP'] ?? 'php', 'driver.php', php),
  };
}
