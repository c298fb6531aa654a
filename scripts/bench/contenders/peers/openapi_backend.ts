/** A peer: Express with openapi-backend on both contracts, which routes, validates and secures, and JSON.stringify. */
import { randomUUID } from 'node:crypto';
import addFormats from 'ajv-formats';
import express, { type Request, type Response } from 'express';
import { OpenAPIBackend, type Context, type Document } from 'openapi-backend';
import { readContract } from '../../../../src/http/contract_document.ts';
import { expanded } from '../../../clients/expanded.ts';
import { isEnterprise, userOf } from './credentials.ts';
import type { Incoming, Operation } from '../operation.ts';
import { openPool, operationsOf } from './operations.ts';

const pool = openPool();
const operations = operationsOf(pool);

const handlerOf = (operation: Operation) => async (context: Context, req: Request, res: Response) => {
  const { status, headers, body } = await operation({
    params: context.request.params as Incoming['params'],
    query: context.request.query as Incoming['query'],
    body: context.request.requestBody,
    url: req.originalUrl,
    requestId: req.get('X-Request-Id') ?? randomUUID(),
    userId: (context.security?.['bearer'] as number | undefined) ?? null,
  });
  res.status(status).set(headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
};

const contractOf = (name: 'v3' | 'public'): Document => expanded(readContract(name)) as unknown as Document;

async function backendOf(
  name: 'v3' | 'public',
  security: Record<string, (context: Context, ...given: unknown[]) => Promise<unknown>>,
): Promise<OpenAPIBackend> {
  const backend = new OpenAPIBackend({
    definition: contractOf(name),
    // Without it, openapi-backend validates the contract as OpenAPI 3.0 and rejects 3.1.
    quick: true,
    ajvOpts: { strict: false },
    customizeAjv: (ajv) => addFormats.default(ajv as never) as never,
    coerceTypes: true,
  });
  const known = new Set((await backend.init()).router.getOperations().map(({ operationId }) => operationId));
  for (const [id, operation] of Object.entries(operations))
    if (known.has(id)) backend.register(id, handlerOf(operation));
  backend.register({
    validationFail: (context: Context, _req: Request, res: Response) => res.status(400).json(context.validation.errors),
    notFound: (_context: Context, _req: Request, res: Response) => res.status(404).json({}),
    unauthorizedHandler: (_context: Context, _req: Request, res: Response) => res.status(401).json({}),
  });
  for (const [scheme, handler] of Object.entries(security)) backend.registerSecurityHandler(scheme, handler);
  return backend;
}

const v3 = await backendOf('v3', {
  bearer: ({ request }) =>
    userOf(pool, request.headers['authorization'] as string | undefined, String(request.params['workspace_id'] ?? '0')),
});
const publicApi = await backendOf('public', {
  apiToken: (_context, _req, _res, apiToken) => isEnterprise(pool, apiToken as string | undefined),
});

const app = express();
app.set('etag', false);
app.use(express.json());
const mounted = (backend: OpenAPIBackend) => (req: Request, res: Response) => {
  const [path, query] = req.url.split('?');
  // The contract names the parameter `filter[user_id]`; a nested query parser would split it.
  const parameters = new URLSearchParams(query);
  const apiToken = parameters.get('api_token') ?? undefined;
  // openapi-backend reports a credential in the query as an unknown parameter.
  parameters.delete('api_token');
  const request = {
    method: req.method,
    path: path!,
    query: Object.fromEntries(parameters),
    headers: req.headers as never,
    body: req.body as never,
  };
  return backend.handleRequest(request, req, res, apiToken);
};
app.use('/api/v3', mounted(v3));
app.use('/public_api/v1', mounted(publicApi));
app.listen(Number(process.env['PORT']), '127.0.0.1');
