/**
 * The limit: node:http and pg only. It neither checks credentials nor validates. It runs one prepared statement per read and
 * answers with the same bytes as Punchcard.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import type { Incoming } from '../operation.ts';
import { operationsOf } from './operations.ts';

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL'] ?? 10),
});
// Planning a page for its values takes as long as reading it.
pool.on('connect', (client) => void client.query('set plan_cache_mode = force_generic_plan'));
const operations = operationsOf(pool);

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  if (req.method === 'GET') return undefined;
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) text += chunk;
  return JSON.parse(text);
}

/** Finds the operation by the number of segments in the path. */
function match(method: string, segments: readonly string[]): { id: string; params: Record<string, string> } {
  if (segments[1] === 'public_api') return { id: 'findPublicAbsences', params: {} };
  const params = { workspace_id: segments[4]!, time_tracking_id: segments[6] ?? '' };
  if (method === 'POST') return { id: segments[6] === 'actions' ? 'createAction' : 'createTimeTracking', params };
  return { id: segments[6] === undefined ? 'listTimeTrackings' : 'getTimeTracking', params };
}

const server = createServer(async (req, res) => {
  try {
    const url = req.url!;
    const [path, query] = url.split('?');
    const { id, params } = match(req.method!, path!.split('/'));
    const given = req.headers['x-request-id'];
    const incoming: Incoming = {
      params,
      query: query === undefined ? {} : Object.fromEntries(new URLSearchParams(query)),
      body: await bodyOf(req),
      url,
      requestId: typeof given === 'string' ? given : randomUUID(),
      userId: null,
    };
    const { status, headers, body } = await operations[id]!(incoming);
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
