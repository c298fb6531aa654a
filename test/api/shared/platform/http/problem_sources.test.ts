import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { newWorld } from '../../../../support/world.ts';

/* Every problem has a pointer. JSON:API has other members for parameters and headers, which stand beside it. */

const sourcesIn = ({ body }: Response): unknown =>
  (body as { errors: { source: object }[] }).errors.map(({ source }) => source);

describe('the source of a problem', () => {
  it('400 names the parameter', async () => {
    const { admin, enterprise } = await newWorld();
    const headers = { Prefer: 'handling=strict' };
    expect(sourcesIn(await admin.call('listUsers', { query: 'items=500&include=x' }))).toEqual([
      { pointer: 'items', parameter: 'items' },
    ]);
    expect(sourcesIn(await admin.call('listUsers', { query: 'filter[x]=1&nonsense=1', headers }))).toEqual([
      { pointer: 'nonsense', parameter: 'nonsense' },
      { pointer: 'filter[x]', parameter: 'filter[x]' },
    ]);
    expect(sourcesIn(await enterprise('findPublicUsers', { query: { page: 'x' } }))).toEqual([
      { pointer: 'page', parameter: 'page' },
    ]);
  });

  it('400 names the header', async () => {
    const { admin } = await newWorld();
    const body = { data: { type: 'area', attributes: { name: 'Bar' } } };
    const tooLong = { 'Idempotency-Key': 'k'.repeat(300) };
    expect(sourcesIn(await admin.call('createArea', { body, headers: tooLong }))).toEqual([
      { pointer: 'Idempotency-Key', header: 'Idempotency-Key' },
    ]);
  });

  it('400 is a pointer alone in a body, 404 for the request as a whole', async () => {
    const { admin } = await newWorld();
    const body = { data: { type: 'area', attributes: {} } };
    expect(sourcesIn(await admin.call('createArea', { body }))).toEqual([{ pointer: 'name' }]);
    expect(sourcesIn(await admin.call('getArea', { params: { area_id: 4711 } }))).toEqual([{ pointer: 'base' }]);
  });
});
