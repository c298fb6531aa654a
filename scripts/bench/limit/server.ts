/**
 * The limit: node:http and pg only. It looks up the token as Punchcard does, validates nothing, and answers with the same bytes
 * from one prepared statement per read.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { callerIn, openPool } from '../credentials.ts';
import { operationsOf } from './operations.ts';

const pool = openPool();
// Planning a page for its values takes as long as reading it.
pool.on('connect', (client) => void client.query('set plan_cache_mode = force_generic_plan'));
const findCaller = callerIn(pool);
const operations = operationsOf(pool);

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  if (req.method === 'GET') return undefined;
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) text += chunk;
  return JSON.parse(text);
}

const operationOf = (method: string, id: string | undefined): keyof typeof operations =>
  method === 'POST'
    ? id === 'actions'
      ? 'createAction'
      : 'createTimeTracking'
    : id === undefined
      ? 'listTimeTrackings'
      : 'getTimeTracking';

const server = createServer(async (req, res) => {
  try {
    const [path, query] = req.url!.split('?');
    if (path === '/health/ready') return void res.end();
    const [, , , , workspaceId, , id] = path!.split('/') as [string, string, string, string, string, string, string?];
    const caller = await findCaller(req.headers.authorization, workspaceId);
    if (!caller) return void res.writeHead(401).end();
    const given = req.headers['x-request-id'];
    const { status, headers, body } = await operations[operationOf(req.method!, id)]({
      ...caller,
      workspaceId: Number(workspaceId),
      id: id ?? '',
      query: query === undefined ? {} : Object.fromEntries(new URLSearchParams(query)),
      body: await bodyOf(req),
      requestId: typeof given === 'string' ? given : randomUUID(),
    });
    const text = JSON.stringify(body);
    res
      .writeHead(status, {
        ...headers,
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
      })
      .end(text);
  } catch (error) {
    res.writeHead(500).end(String(error));
  }
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
