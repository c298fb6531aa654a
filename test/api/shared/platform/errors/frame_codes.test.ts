import supertest, { type Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { recordProblems } from '../../../../support/contract/coverage.ts';
import { codesIn } from '../../../../support/client.ts';
import { service, serviceWith } from '../../../../support/service.ts';
import { newWorld } from '../../../../support/world.ts';

/*
 * Answers that no operation gives: the frame refuses the request before it, or instead of it. The codes that need an operation
 * are shown by the tests of the operations.
 */

const noted = (response: Response): [number, ...string[]] => {
  recordProblems(response.status, (response.body as { errors: { code: string; title: string }[] }).errors);
  return [response.status, ...codesIn(response)];
};

const bases = [
  ['the resource API', '/api/v3', '/sign_in'],
  ['the public API', '/public_api/v1', '/users'],
] as const;

describe.each(bases)('%s', (_name, base, writable) => {
  it('404 unknown_path', async () => {
    const { url } = await service();
    expect(noted(await supertest(url).get(`${base}/nowhere`))).toEqual([404, 'unknown_path']);
  });

  it('405 method_not_allowed', async () => {
    const { url } = await service();
    expect(noted(await supertest(url).patch(`${base}${writable}`))).toEqual([405, 'method_not_allowed']);
  });

  it('400 malformed_request for a body that is not JSON', async () => {
    const { url } = await service();
    const request = supertest(url).post(`${base}${writable}`).set('Content-Type', 'application/json');
    expect(noted(await request.send('{"data"'))).toEqual([400, 'malformed_request']);
  });

  it('413 payload_too_large', async () => {
    const { url } = await service();
    const request = supertest(url).post(`${base}${writable}`).set('Content-Type', 'application/json');
    expect(noted(await request.send(JSON.stringify('a'.repeat(2 ** 20))))).toEqual([413, 'payload_too_large']);
  });

  it('401 unauthenticated', async () => {
    const { url } = await service();
    const address = base === '/api/v3' ? '/users/me' : '/ping';
    expect(noted(await supertest(url).get(base + address))).toEqual([401, 'unauthenticated']);
  });

  it('503 unavailable', async () => {
    const url = await serviceWith({}, { isStopping: () => true });
    expect(noted(await supertest(url).get(`${base}/status`))).toEqual([503, 'unavailable']);
  });
});

it('404 unknown_path beside the APIs', async () => {
  const { url } = await service();
  expect(noted(await supertest(url).get('/nowhere'))).toEqual([404, 'unknown_path']);
});

it('415 unsupported_media_type', async () => {
  const { admin } = await newWorld();
  const response = await admin.call('createTag', { headers: { 'Content-Type': 'text/csv' }, body: 'title' });
  expect([response.status, ...codesIn(response)]).toEqual([415, 'unsupported_media_type']);
});

it('409 idempotency_key_reused', async () => {
  const { admin } = await newWorld();
  const create = (title: string) =>
    admin.call('createTag', {
      headers: { 'Idempotency-Key': 'once' },
      body: { data: { type: 'tag', attributes: { title } } },
    });
  expect((await create('Late')).status).toBe(201);
  const response = await create('Early');
  expect([response.status, ...codesIn(response)]).toEqual([409, 'idempotency_key_reused']);
});
