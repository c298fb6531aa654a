import fc from 'fast-check';
import { requestBodySchema } from '../../../src/platform/http/contract_document.ts';
import { validRequests, rawRequestOf, type RequestParts } from '../../support/contract/valid_requests.ts';
import { bodyPaths } from '../../support/contract/record_references.ts';
import type { RawRequest } from '../../support/contract/raw_http.ts';
import type { Tenant } from '../../support/contract/tenant/tenant.ts';
import { resolvers, type ApiOperation } from '../../support/contract/operations.ts';
import { fitting, type Resolve, type Schema } from './fitting_values.ts';
import { jsonOf, oddText, oddValue } from './odd_values.ts';

/*
 * Requests that a client might send by mistake or by intent: valid ones with a few values changed, or with a broken form.
 */

type Json = Record<string | number, unknown>;
type Change<T> = (value: T) => T;

/** Requests for one operation; the same seed gives the same requests. */
export function fuzzedRequests(operation: ApiOperation, tenant: Tenant, seed: number, count: number): RawRequest[] {
  const drafts = validRequests(operation, tenant);
  const request = fc
    .record({
      draft: fc.constantFrom(...drafts),
      body: bodyChanges(operation),
      path: fc.array(fc.tuple(fc.nat(), fc.oneof(oddText, fc.integer().map(String))), { maxLength: 1 }),
      query: fc.array(queryPart(operation), { maxLength: 4 }),
      wire: fc.option(wireChange, { freq: 4, nil: undefined }),
      headers: fc.option(oddHeaders, { freq: 4, nil: undefined }),
      isPathOdd: fc.nat(9),
    })
    .map(({ draft, body, path, query, wire, headers, isPathOdd }) => {
      const changed = withPath(body(structuredClone(draft)), isPathOdd < 2 ? path : []);
      const sent = jsonSent(operation, changed, tenant);
      const text = query.join('&');
      const address = text === '' ? sent.address : `${sent.address}${sent.address.includes('?') ? '&' : '?'}${text}`;
      const plain: RawRequest = {
        ...sent,
        address: address.slice(0, 12_000),
        headers: { ...sent.headers, ...headers },
      };
      return wire && sent.body !== undefined ? wire(plain) : plain;
    });
  return fc.sample(request, { seed, numRuns: count });
}

/** As JSON with raw pieces, unless the operation takes a form. */
function jsonSent(operation: ApiOperation, draft: RequestParts, tenant: Tenant): RawRequest {
  const isForm = operation.requestBody && Object.hasOwn(operation.requestBody.content, 'multipart/form-data');
  const isObject = typeof draft.body === 'object' && draft.body !== null && !Array.isArray(draft.body);
  const sent = rawRequestOf(operation, isObject || !operation.requestBody ? draft : { ...draft, body: {} }, tenant);
  if (sent.body === undefined || isForm) return sent;
  const token = operation.api === 'public' && isObject ? { api_token: tenant.apiToken } : {};
  return { ...sent, body: jsonOf(isObject ? { ...draft.body, ...token } : draft.body) };
}

function withPath(draft: RequestParts, changes: readonly (readonly [number, string])[]): RequestParts {
  const names = Object.keys(draft.params);
  // An empty or dotted segment would address another operation.
  for (const [index, text] of changes)
    if (names.length > 0)
      draft.params[names[index % names.length]!] = wellFormed(text).replace(/^(\.*|me|actions|batch_actions)$/, 'x');
  return draft;
}

const wellFormed = (text: string): string => text.replaceAll(/[\ud800-\udfff]/g, '\ufffd').slice(0, 2000);

function bodyChanges(operation: ApiOperation): fc.Arbitrary<Change<RequestParts>> {
  if (!operation.requestBody) return fc.constant((draft: RequestParts) => draft);
  const resolve = resolvers[operation.api] as Resolve;
  const schema = requestBodySchema(operation, undefined, resolve) as Schema;
  const places = bodyPaths(operation);
  const change = fc.constantFrom(...(places.length > 0 ? places : [['data'] as (string | 0)[]])).chain((steps) =>
    fc.oneof(
      {
        weight: 5,
        arbitrary: fitting(schemaAt(schema, steps, resolve), resolve).map((value) => [steps, value] as const),
      },
      { weight: 4, arbitrary: oddValue.map((value) => [steps, value] as const) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.nat(), oddValue)
          .map(([cut, value]) => [steps.slice(0, 1 + (cut % steps.length)), value] as const),
      },
      { weight: 1, arbitrary: fc.constant([steps, undefined] as const) },
      { weight: 1, arbitrary: oddText.map((name) => [[...steps.slice(0, -1), name], 'more'] as const) },
    ),
  );
  const few = fc.array(change, { maxLength: 3 }).map((changes): Change<RequestParts> => (draft) => {
    // A copy, because the next change may modify the value.
    for (const [steps, value] of changes) assign(draft.body as Json, steps, structuredClone(value));
    return draft;
  });
  const whole = fc.oneof(fitting(schema, resolve), oddValue).map((body): Change<RequestParts> => (draft) => ({
    ...draft,
    body: structuredClone(body) as RequestParts['body'],
  }));
  return fc.oneof({ weight: 8, arbitrary: few }, { weight: 2, arbitrary: whole });
}

function schemaAt(schema: Schema, steps: readonly (string | 0)[], resolve: Resolve): Schema {
  if (schema.$ref) return schemaAt(resolve(schema.$ref), steps, resolve);
  if (steps.length === 0) return schema;
  for (const branch of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    const found = schemaAt(branch, steps, resolve);
    if (found.type) return found;
  }
  const [first, ...rest] = steps;
  const next = first === 0 ? schema.items : schema.properties?.[first!];
  return next ? schemaAt(next, rest, resolve) : {};
}

function assign(root: Json, steps: readonly (string | 0)[], value: unknown): void {
  let node = root;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    if (typeof node[step] !== 'object' || node[step] === null) node[step] = steps[index + 1] === 0 ? [] : {};
    node = node[step] as Json;
  }
  // Setting the length of an array would truncate it.
  if (Array.isArray(node) && steps.at(-1) === 'length') return;
  if (value === undefined) delete node[steps.at(-1)!];
  else Object.defineProperty(node, steps.at(-1)!, { value, enumerable: true, configurable: true, writable: true });
}

const encoded = (text: string): string => encodeURIComponent(wellFormed(text));

/** One part of a query: known names with odd values, odd names, or a malformed query. */
function queryPart({ allParameters }: ApiOperation): fc.Arbitrary<string> {
  const names = allParameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const value = oddText.map(encoded);
  const noise = fc.constantFrom(
    ...[
      '%',
      '%zz',
      '%ff',
      '%00',
      '%ed%a0%80',
      '&&&',
      '=',
      '[]',
      '[',
      'a[b',
      'filter',
      'filter=',
      'filter[',
      'filter[]=1',
      'filter[x][y][z][w]=1',
      'filter[id][]=1',
    ],
    ...[
      'page=1&page=2',
      'page[]=1',
      'page[a]=1',
      'items=100',
      'items=101',
      'outset=100000000',
      'sort=-',
      'sort=,,',
      'sort[]=id',
      'include=',
      'include=,',
      'include[]=user',
    ],
    ...[
      'fields',
      'fields=',
      'fields[user]=id',
      'fields[]=id',
      'fields[__proto__]=x',
      'permissions=',
      'permissions[]=read',
      '__proto__[a]=1',
      'constructor[prototype][a]=1',
    ],
    ...['api_token=x', `x=${'y'.repeat(5000)}`, Array.from({ length: 300 }, (_item, index) => `p${index}=1`).join('&')],
  );
  const knownName =
    names.length > 0 ? fc.tuple(fc.constantFrom(...names), value).map(([name, text]) => `${name}=${text}`) : noise;
  return fc.oneof(
    { weight: 6, arbitrary: knownName },
    { weight: 2, arbitrary: noise },
    { weight: 1, arbitrary: fc.tuple(value, value).map((pair) => pair.join('=')) },
  );
}

const oddHeaders: fc.Arbitrary<Record<string, string | string[]>> = fc.constantFrom<Record<string, string | string[]>>(
  ...['', ' ', 'a'.repeat(255), 'a'.repeat(256), '\xff', '"quoted"', 'a\tb', '%00'].map((key) => ({
    'Idempotency-Key': key,
  })),
  ...['', 'text/html', 'application/json;q=0', 'x'.repeat(3000), '*/*;q=nan'].map((type) => ({ Accept: type })),
  { 'Accept-Encoding': 'identity;q=0, *;q=0' },
  { 'X-Request-Id': 'x'.repeat(5000) },
  { 'X-HTTP-Method-Override': 'DELETE' },
  { 'X-Forwarded-For': "' or 1=1", 'X-Forwarded-Proto': 'javascript', 'X-Forwarded-Host': 'evil.example.com' },
  { Range: 'bytes=0-1', 'If-None-Match': '*', 'If-Modified-Since': 'never' },
  { Origin: 'null', 'Access-Control-Request-Method': 'DELETE' },
  { Cookie: `a=${'b'.repeat(3000)}` },
  { Host: 'evil.example.com:99999' },
);

/** Changes that leave JSON, or its envelope, broken or unusual. */
const wireChange: fc.Arbitrary<Change<RawRequest>> = fc.oneof(
  fc
    .constantFrom(
      '',
      'null',
      '1',
      '"text"',
      '[]',
      '{',
      '{"data":',
      '\ufeff{}',
      '{}{}',
      "{'a':1}",
      '[1,]',
      'NaN',
      '{"a":1,}',
      `{"a":"${'z'.repeat(1_100_000)}"}`,
    )
    .map((body) => (sent: RawRequest) => ({ ...sent, body })),
  fc.constantFrom('['.repeat(20_000), '{"a":'.repeat(20_000)).map((body) => (sent: RawRequest) => ({ ...sent, body })),
  fc.constant((sent: RawRequest) => ({
    ...sent,
    body: String(sent.body).replace('{', '{"data":{"type":"x"},"user":null,"__proto__":{"a":1},'),
  })),
  fc.constant((sent: RawRequest) => ({
    ...sent,
    body: Buffer.concat([
      Buffer.from(sent.body!).subarray(0, 20),
      Buffer.from([0xff, 0xfe, 0xc0]),
      Buffer.from(sent.body!).subarray(20),
    ]),
  })),
  fc.nat(200).map((length) => (sent: RawRequest) => ({ ...sent, body: Buffer.from(sent.body!).subarray(0, length) })),
  fc
    .constantFrom(
      ...[
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/xml',
        '',
        'application/json; charset=utf-16',
        'application/json; charset=nonsense',
        'json',
      ],
      ...[
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'multipart/form-data; boundary=x',
        'APPLICATION/JSON',
        'application/json;;;',
        'application/vnd.api+json; ext=x',
      ],
    )
    .map((type) => (sent: RawRequest) => ({ ...sent, headers: { ...sent.headers, 'Content-Type': type } })),
  fc
    .constantFrom('gzip', 'br', 'deflate', 'nonsense', 'identity')
    .map((coding) => (sent: RawRequest) => ({ ...sent, headers: { ...sent.headers, 'Content-Encoding': coding } })),
);
