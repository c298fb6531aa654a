import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { operationsOf, readContract, resolver } from '../../../../../../src/platform/http/contract_document.ts';
import { checkResponse, commonHeaders } from '../../../../../support/contract/response_check.ts';
import { service } from '../../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../../support/world.ts';

/** The headers of all responses in a contract. */
function declaredIn(api: 'v3' | 'public'): string[] {
  const contract = readContract(api);
  const resolve = resolver(contract);
  return operationsOf(contract).flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap((response) => {
      const { headers } = ('$ref' in response ? resolve(String(response.$ref)) : response) as { headers?: object };
      return Object.keys(headers ?? {});
    }),
  );
}

/** Scripts may read these without permission. */
const alwaysReadable = ['cache-control'];
/** Sent by deprecated operations alone. */
const ofDeprecated = ['deprecation', 'sunset', 'link'];
/** Sent with 405, which belongs to no operation. */
const ofNoOperation = ['allow'];

describe('the headers of responses', () => {
  it('are readable by web pages of other origins, if the contract has them', async () => {
    const declared = [...declaredIn('v3'), ...declaredIn('public')].map((name) => name.toLowerCase());
    const response = await supertest((await service()).url).get('/api/v3/status');
    const exposed = response.headers['access-control-expose-headers']!.toLowerCase().split(',');
    const readable = [...new Set([...declared, ...ofDeprecated, ...ofNoOperation])].filter(
      (name) => !alwaysReadable.includes(name),
    );
    expect([...exposed].sort()).toEqual(readable.sort());
  });

  it('are in the contract: each test refuses a response with another one', async () => {
    const response = await supertest((await service()).url).get('/api/v3/status');
    const answer = { status: 204, text: '', type: '', body: undefined };
    expect(() => checkResponse('v3', 'getStatus', { ...answer, headers: response.headers }, false)).not.toThrow();
    expect(() =>
      checkResponse('v3', 'getStatus', { ...answer, headers: { ...response.headers, 'x-new': '1' } }, false),
    ).toThrow('getStatus 204: the contract does not have the headers x-new.');
  });

  it('let only the cache of the caller keep what the resource API shows, and no cache a secret', async () => {
    const { admin } = await newWorld();
    const cachings = async (operation: string, options = {}) =>
      (await admin.call(operation, options)).headers['cache-control'];
    expect(await cachings('getCurrentUser')).toBe('private, no-cache');
    expect(await cachings('listUsers')).toBe('private, no-cache');
    expect(await cachings('listUsers', { query: { page: 0 } })).toBe('private, no-cache');
    expect(
      await cachings('createWebhook', { body: bodyOf('webhook', { url: 'https://93.184.215.14/', events: ['*'] }) }),
    ).toBe('no-store');
  });

  it('that the guide lists are sent, or are for bodies', async () => {
    const response = await supertest((await service()).url)
      .get('/api/v3/nowhere')
      .set('Accept-Encoding', 'gzip');
    const missing = [...commonHeaders].filter((name) => response.headers[name] === undefined);
    // They depend on the length of the body and on the connection.
    const sometimes = ['content-encoding', 'transfer-encoding', 'content-length', 'keep-alive'];
    expect(missing.filter((name) => !sometimes.includes(name))).toEqual([]);
  });
});
