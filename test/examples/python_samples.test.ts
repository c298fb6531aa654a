import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDemoServer, type DemoServer } from '../../scripts/examples/demo_server.ts';
import { publishedContract } from '../../scripts/docs/publish.ts';
import { sampleOrigin } from '../../src/programs/docs/serve.ts';
import { operationsOf } from '../../src/platform/http/contract_document.ts';

/*
 * The Python samples, as they are published. One process compiles all of them and runs some, in an empty folder. They need
 * Python 3 with the package requests; PYTHON names another interpreter than python3.
 */

const samples = new Map(
  (['v3', 'public'] as const).flatMap((api) =>
    operationsOf(publishedContract(api)).map(({ path: address, method, operation }) => {
      const shown = (operation as { 'x-codeSamples'?: { label: string; source: string }[] })['x-codeSamples'];
      const source = shown?.find(({ label }) => label === 'Python')?.source ?? '';
      return [operation.operationId, { address, method, source }] as const;
    }),
  ),
);

/** Reads samples from its input, one JSON per line, and writes what became of each. */
const driver = `
import contextlib, io, json, os, sys
import requests

for line in sys.stdin:
    task = json.loads(line)
    os.environ["TOKEN"] = task["token"]
    names = {}
    output = io.StringIO()
    try:
        program = compile(task["source"], task["name"], "exec")
        if task["token"]:
            with contextlib.redirect_stdout(output):
                exec(program, names)
        result = output.getvalue()
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    print(json.dumps(result), flush=True)
`;

const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-python-'));
const python = spawn(process.env['PYTHON'] ?? 'python3', ['-c', driver], {
  cwd: folder,
  stdio: ['pipe', 'pipe', 'inherit'],
});
// The samples fail below if Python cannot be started or ends early.
python.on('error', () => {});
python.stdin.on('error', () => {});
const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();

/** What a sample prints, or its error. Without a token it is only compiled. */
async function outputOf(name: string, source: string, token = ''): Promise<string> {
  python.stdin.write(`${JSON.stringify({ name, source, token })}\n`);
  const { value, done } = await lines.next();
  if (done) throw new Error('Python could not be run. Install Python 3 with the package requests.');
  return JSON.parse(value) as string;
}

let server: DemoServer;
beforeAll(async () => {
  server = await openDemoServer();
});
afterAll(async () => {
  python.kill();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('every Python sample compiles', async () => {
  const outputs: string[] = [];
  for (const [name, { source }] of samples) {
    expect(source, name).toContain('import requests');
    const output = await outputOf(name, source);
    if (output !== '') outputs.push(`${name}: ${output}`);
  }
  expect(outputs).toEqual([]);
  expect(await outputOf('wrong', 'requests.get(')).toContain('SyntaxError');
});

it('samples run as they are, on the demo organisation', async () => {
  const signIn = await outputOf('signIn', here('signIn'), 'none');
  const [, token = ''] = /'access_token': '([^']+)'/.exec(signIn) ?? [];
  expect(token, signIn).not.toBe('');
  const outputs: Record<string, string> = {};
  for (const name of run) outputs[name] = await outputOf(name, here(name), token);
  // A sample prints the body of the response, where there is one.
  const wrong = Object.entries(outputs).filter(
    ([name, output]) => !(here(name).includes('print(') ? /^[{[]/ : /^$/).test(output),
  );
  expect(wrong).toEqual([]);
  expect(run.length).toBeGreaterThan(20);
  expect(outputs['createArea']).toContain("'name': 'Bar'");
  // The samples raise an error where the service refuses: the name is taken now.
  expect(await outputOf('createArea', here('createArea'), token)).toContain('HTTPError: 400');
}, 120_000);

const here = (name: string): string => samples.get(name)!.source.replaceAll(sampleOrigin, server.url);

/** A record that an earlier example made, by its id. */
const namesRecord = /"\w*_id": "\d/;

/** Operations that need nothing but the demo organisation: reads of whole lists, and some that write. */
const run = [
  ...[...samples]
    .filter(([, { address, method }]) => method === 'get' && /^(\/workspaces\/\{workspace_id\})?\/\w+$/.test(address))
    .filter(([, { source }]) => !namesRecord.test(source))
    .map(([name]) => name),
  'createArea',
  'createTag',
  'createPublicUser',
];
