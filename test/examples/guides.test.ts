import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDemoServer, type DemoServer } from '../../scripts/examples/demo_server.ts';
import { temporaryFolder } from '../support/processes/process.ts';

/*
 * Runs the programs of the guides as they are printed, on a demo organisation of today. Only the address of the server and the
 * port of the receiver are others.
 */

const elsewhere = temporaryFolder();
const guide = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../../openapi/guides', `${name}.md`), 'utf8');
const blocksIn = (name: string, language: string): string[] =>
  [...guide(name).matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map((match) => match[1]!);

let server: DemoServer;
let timer: NodeJS.Timeout;
beforeAll(async () => {
  server = await openDemoServer(() => new Date());
  timer = setInterval(() => void server.drain().catch(() => {}), 1_000);
});
afterAll(async () => {
  clearInterval(timer);
  await server?.close();
  elsewhere.remove();
});

const runInShell = async (script: string): Promise<string> => {
  const here = script.replaceAll('http://127.0.0.1:3000', server.url);
  return (await promisify(execFile)('sh', ['-ec', here], { cwd: elsewhere.folder })).stdout;
};

const signIn = `curl -sSf -X POST http://127.0.0.1:3000/api/v3/sign_in -H 'Api-Key: demo-api-key' \\
  -H 'Content-Type: application/json' \\
  -d '{"data":{"type":"user","attributes":{"email":"admin@example.com","password":"demo-password"}}}'`;
const tokenIn = (text: string): string => /"access_token":"([^"]+)"/.exec(text)![1]!;

it('A payroll month closes a month, makes the file and reopens the month', async () => {
  // The file is at the public address of the server, which has no name here.
  const script = blocksIn('payroll_month', 'sh').join('\n');
  const here = script.replace(
    'read_json data.attributes.file_url',
    `$& | sed 's#https://time.example.com#${server.url}#'`,
  );
  const output = await runInShell(here);
  expect(output).toContain('Ziel=LODAS');
  expect(output).toContain('"status":"reopened"');
});

it('the loop over pages of v3 reads every record', async () => {
  const [program] = blocksIn('collections', 'ts');
  const { code } = await transform(`export default ${program}`, { loader: 'ts', format: 'esm' });
  const { default: everyArea } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    default(url: string, workspaceId: string, token: string): AsyncGenerator<{ attributes: { name: string } }>;
  };
  const names: string[] = [];
  for await (const { attributes } of everyArea(server.url, '1', tokenIn(await runInShell(signIn))))
    names.push(attributes.name);
  expect(names).toEqual(['Kitchen', 'Service', 'Terrace']);
});

const receivers = [
  ['js', 'receiver.mjs', (file: string) => [process.execPath, file]],
  ['python', 'receiver.py', (file: string) => ['python3', file]],
  ['php', 'receiver.php', (file: string, port: number) => ['php', '-S', `127.0.0.1:${port}`, file]],
] as const;

it.each(receivers)(
  'the receiver in %s prints a message that is signed, and refuses another',
  async (language, file, command) => {
    const port = await freePort();
    const [program] = blocksIn('local_webhooks', language);
    writeFileSync(path.join(elsewhere.folder, file), program!.replaceAll('8090', String(port)));
    const [name, ...args] = command(file, port);
    const receiver = spawn(name!, args, { cwd: elsewhere.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed = outputOf(receiver);
    try {
      const url = `http://127.0.0.1:${port}/`;
      await expect
        .poll(
          () =>
            fetch(url).then(
              () => true,
              () => false,
            ),
          { timeout: 60_000 },
        )
        .toBe(true);
      await server.pool.query(`update webhooks set url = '${url}' where id = 1`);
      const [ping] = blocksIn('local_webhooks', 'sh');
      await runInShell(ping!);
      await server.deliver();
      await expect.poll(printed, { timeout: 60_000 }).toMatch(/^ping$/m);
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,AAAA',
      };
      expect((await fetch(url, { method: 'POST', headers, body: '{"type":"ping"}' })).status).toBe(400);
    } finally {
      receiver.kill();
    }
  },
);

function outputOf(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream!.on('data', (data: Buffer) => (text += String(data)));
  return () => text;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}
