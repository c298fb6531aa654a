import {
  createsReadable,
  operationsOf,
  operationsWith,
  resolver,
  type Contract,
  type Parameter,
} from '../../src/platform/http/contract_document.ts';

/*
 * Adds the headers that the frame sends to the responses that have them, so that no operation has to repeat them. Their
 * descriptions are in openapi/common.yaml.
 */

type Header = Readonly<Record<string, unknown>>;

interface Response {
  readonly $ref?: string;
  headers?: Readonly<Record<string, object>>;
}

type Responses = Record<string, Response>;

const strict = { 'Preference-Applied': 'PreferenceApplied' };
const everywhere = { 'X-Request-Id': 'RequestId' };
const limited = {
  'RateLimit-Policy': 'RateLimitPolicy',
  RateLimit: 'RateLimit',
  'RateLimit-Limit': 'RateLimitLimit',
  'RateLimit-Remaining': 'RateLimitRemaining',
  'RateLimit-Reset': 'RateLimitReset',
};
const neverStored = { 'Cache-Control': 'NoStore' };
const waiting = { 'Retry-After': 'RetryAfter' };
const retried = new Set(['RateLimited', 'ServiceUnavailable']);
const replayed = { 'Idempotency-Replayed': 'IdempotencyReplayed' };
const located = { Location: 'Location' };
const deprecated = { Deprecation: 'Deprecation', Link: 'DeprecationLink' };
const switchedOff = { Sunset: 'Sunset' };

/** Adds `Prefer` to every operation with a body. `described` is its description. */
export function addPreference(contract: Contract, described: Parameter): Contract {
  const name = 'prefer_strict_body';
  for (const { operation } of operationsOf(contract))
    if (operation.requestBody) {
      const parameters = [...(operation.parameters ?? []), { $ref: `#/components/parameters/${name}` }];
      Object.assign(operation, { parameters });
    }
  Object.assign(contract.components, { parameters: { ...contract.components.parameters, [name]: described } });
  return contract;
}

/** Adds them to a bundled contract. `described` has the descriptions by name. */
export function addFrameHeaders(contract: Contract, described: Readonly<Record<string, Header>>): Contract {
  const components = contract.components as { headers?: Record<string, Header>; responses?: Responses };
  const resolve = resolver(contract);
  const add = (response: Response, names: Readonly<Record<string, string>>): void => {
    for (const [header, name] of Object.entries(names)) {
      components.headers = { ...components.headers, [name]: described[name]! };
      response.headers = { ...response.headers, [header]: { $ref: `#/components/headers/${name}` } };
    }
  };
  // Addresses in the responses of the public API may contain its token.
  const always = { ...everywhere, ...(contract.servers[0]!.url.startsWith('/public_api') ? neverStored : {}) };
  for (const [name, shared] of Object.entries(components.responses ?? {}))
    add(shared, { ...(retried.has(name) ? waiting : {}), ...limited, ...always });
  const keyed = operationsWith(contract, 'Idempotency-Key');
  for (const { operation, path } of operationsOf(contract)) {
    const responses = operation.responses as Responses;
    for (const [status, response] of Object.entries(responses)) {
      if (operation.deprecated) responses[status] = { ...(response.$ref ? resolve(response.$ref) : response) };
      const isOwn = response.$ref === undefined;
      const isSuccess = status.startsWith('2');
      add(responses[status]!, {
        ...(operation.deprecated ? deprecated : {}),
        ...(operation['x-sunset'] ? switchedOff : {}),
        ...(isSuccess && keyed.has(operation.operationId) ? replayed : {}),
        ...(isSuccess && operation.requestBody ? strict : {}),
        ...(status === '201' && createsReadable(contract, { path, operation }, resolve) ? located : {}),
        ...(isOwn && operation.security?.length !== 0 ? limited : {}),
        ...(isOwn ? always : {}),
      });
    }
  }
  return contract;
}
