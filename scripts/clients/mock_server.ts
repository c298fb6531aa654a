import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import { OpenAPIBackend, type Context, type Document } from 'openapi-backend';
import { publishedContract } from '../docs/publish.ts';
import { successStatuses, type Contract } from '../../src/platform/http/contract_document.ts';
import { expanded } from './expanded.ts';

/*
 * Answers both contracts from their examples, without a database. It refuses what the contracts refuse: an unknown path, a missing
 * credential, a body or parameter of the wrong form. It does not read forms with files.
 */

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Answers = (request: IncomingMessage, url: URL, body: string) => Promise<Answer>;

const headersOf = ({ operation }: Context, status: number): Record<string, string> => {
  const { headers = {} } = operation.responses?.[status] as { headers?: Record<string, { example?: string }> };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, { example }]) => (example === undefined ? [] : [[name, String(example)]])),
  );
};

/** The example of a status that the contract documents for the operation. */
function exampleOf(context: Context, status: number): Answer {
  const { mock } = context.api.mockResponseForOperation(context.operation.operationId!, { code: status });
  const hasBody = 'content' in (context.operation.responses?.[status] ?? {});
  return { status, headers: headersOf(context, status), ...(hasBody ? { body: mock as unknown } : {}) };
}

const phrases: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  404: 'not_found',
  405: 'method_not_allowed',
};

interface Problem {
  readonly code: string;
  readonly pointer?: string;
  readonly title: string;
}

/** The refusals of an API. Those of the public API repeat the first title in `response`. */
const refusalsOf =
  (api: 'v3' | 'public') =>
  (status: number, problems: readonly Problem[]): Answer => ({
    status,
    body: {
      errors: problems.map(({ code, pointer = 'base', title }) => ({
        status: phrases[status],
        code,
        source: { pointer },
        title,
      })),
      ...(api === 'public' ? { response: problems[0]?.title } : {}),
      meta: { request_id: crypto.randomUUID(), git_commit: 'mock' },
    },
  });

const codes: Readonly<Record<string, string>> = {
  required: 'required',
  type: 'invalid_type',
  format: 'invalid_format',
  pattern: 'invalid_format',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  minLength: 'too_short',
  maxLength: 'too_long',
};

function problemIn({ keyword, instancePath, params, message = 'is not allowed' }: ErrorObject): Problem {
  const missing = (params as { missingProperty?: string }).missingProperty;
  const steps = [...instancePath.split('/').slice(2), ...(missing === undefined ? [] : [missing])];
  // The service leaves out the frame of an attribute.
  const pointer = steps.join('/').replace(/^data\/(attributes\/)?/, '') || 'base';
  return { code: codes[keyword] ?? 'invalid_value', pointer, title: `${pointer} ${message}.` };
}

/** `Prefer: code=404` asks for the example of another status. */
const preferredStatus = (request: IncomingMessage): number | undefined => {
  const match = /\bcode=(\d{3})\b/.exec(String(request.headers['prefer'] ?? ''));
  return match ? Number(match[1]) : undefined;
};

const isTokenIn = (body: unknown): boolean => typeof body === 'object' && body !== null && 'api_token' in body;

/** Any credential is accepted, where the contract asks for one. */
const credentials: Readonly<Record<string, (context: Context, request: IncomingMessage, url: URL) => boolean>> = {
  bearer: ({ request }) => /^Bearer ./.test(String(request.headers['authorization'])),
  apiKey: ({ request }) => 'api-key' in request.headers,
  apiToken: ({ request }, _request, url) => url.searchParams.has('api_token') || isTokenIn(request.requestBody),
};

/** Every page is the example, so the second one is the last: a client that follows the links comes to an end. */
const lastPageOf = (answer: Answer): Answer => {
  const body = answer.body as { links?: object } | undefined;
  return body?.links ? { ...answer, body: { ...body, links: { next: null } } } : answer;
};

async function answersOf(api: 'v3' | 'public'): Promise<Answers> {
  const contract: Contract = publishedContract(api);
  const refusal = refusalsOf(api);
  const successes = successStatuses(contract);
  const backend = new OpenAPIBackend({
    definition: expanded(contract) as unknown as Document,
    apiRoot: contract.servers[0]!.url,
    // Without it, openapi-backend validates the contract as OpenAPI 3.0 and rejects 3.1.
    quick: true,
    ajvOpts: { strict: false, allErrors: true },
    customizeAjv: (ajv) => addFormats.default(ajv as never) as never,
    coerceTypes: true,
    // openapi-backend does not read forms.
    validate: (_context, { headers }: IncomingMessage) => !headers['content-type']?.startsWith('multipart/'),
    handlers: {
      notFound: () => refusal(404, [{ code: 'unknown_path', title: 'The contract has no such path.' }]),
      methodNotAllowed: () =>
        refusal(405, [{ code: 'method_not_allowed', title: 'The path does not support this method.' }]),
      unauthorizedHandler: (context) => exampleOf(context, 401),
      validationFail: ({ validation }) => refusal(400, (validation.errors ?? []).map(problemIn)),
      notImplemented(context, request: IncomingMessage) {
        const status = preferredStatus(request) ?? successes.get(context.operation.operationId!)!;
        if (context.operation.responses?.[status]) return exampleOf(context, status);
        const title = `${context.operation.operationId} documents no ${status}.`;
        return refusal(400, [{ code: 'invalid_value', pointer: 'Prefer', title }]);
      },
    },
  });
  for (const scheme of Object.keys(contract.components.securitySchemes ?? {}))
    backend.registerSecurityHandler(scheme, credentials[scheme]!);
  await backend.init();
  return async (request, url, body) => {
    const { pathname: path } = url;
    const [method, headers] = [request.method!, request.headers as Record<string, string>];
    const operation = backend.matchOperation({ method, path, headers });
    const declared = new Set(operation?.parameters?.map((parameter) => ('name' in parameter ? parameter.name : '')));
    // The service ignores parameters that it does not know.
    const query = Object.fromEntries([...url.searchParams].filter(([name]) => declared.has(name)));
    const answer = (await backend.handleRequest({ method, path, query, headers, body }, request, url)) as Answer;
    return query['after'] === undefined ? answer : lastPageOf(answer);
  };
}

/** Both APIs on one server. It does not listen yet. */
export async function mockServer(): Promise<Server> {
  const apis = { '/api/v3': await answersOf('v3'), '/public_api/v1': await answersOf('public') };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url!, 'http://mock');
    const body = await text(request);
    const answers = Object.entries(apis).find(([base]) => url.pathname.startsWith(`${base}/`))?.[1] ?? apis['/api/v3'];
    const { status, headers, body: content } = await answers(request, url, body);
    response.writeHead(status, {
      ...headers,
      'Access-Control-Allow-Origin': '*',
      ...(content === undefined ? {} : { 'Content-Type': 'application/json; charset=utf-8' }),
    });
    response.end(content === undefined ? undefined : JSON.stringify(content));
  };
  return createServer((request, response) => {
    if (request.method === 'OPTIONS') return void response.writeHead(204, crossOrigin).end();
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
}

const crossOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': '*, Authorization',
};
