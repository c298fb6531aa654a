import { describe, expect, it } from 'vitest';
import { newWorld } from '../../support/world.ts';

/* What the table of differences from JSON:API 1.1 in the guide about conventions says, as far as no other test shows it. */

const area = (attributes: object, others: object = {}) => ({ data: { type: 'area', ...others, attributes } });

describe('a document', () => {
  it('201 is JSON, without links and jsonapi, for either media type with any parameters', async () => {
    const { admin } = await newWorld();
    const types = ['application/vnd.api+json', 'application/json', 'application/vnd.api+json; ext="https://x.example"'];
    for (const [index, type] of types.entries()) {
      const headers = { 'Content-Type': type, Accept: 'application/vnd.api+json; profile="https://x.example"' };
      const {
        status,
        body,
        headers: sent,
      } = await admin.call('createArea', {
        body: area({ name: `Bar ${index}` }),
        headers,
      });
      expect([status, sent['content-type']]).toEqual([201, 'application/json; charset=utf-8']);
      expect(Object.keys(body).sort()).toEqual(['data', 'meta']);
      expect(Object.keys(body.data).sort()).toEqual(['attributes', 'id', 'relationships', 'type']);
    }
  });

  it('201 ignores an id, 200 needs none and compares none, 400 for another type', async () => {
    const { admin } = await newWorld();
    const created = await admin.call('createArea', { body: area({ name: 'Bar' }, { id: '4711', lid: 'x' }) });
    expect([created.status, created.body.data.id === '4711']).toEqual([201, false]);
    const params = { area_id: created.body.data.id as string };
    for (const others of [{}, { id: '4711' }])
      expect((await admin.call('updateArea', { params, body: area({ name: 'Bar' }, others) })).status).toBe(200);
    expect((await admin.call('createArea', { body: area({ name: 'Inn' }, { type: 'areas' }) })).status).toBe(400);
    const deleted = await admin.call('deleteArea', { params });
    expect([deleted.status, deleted.body.data.id]).toEqual([200, params.area_id]);
  });

  it('200 takes blanks around included names, and refuses a path', async () => {
    const { admin } = await newWorld();
    expect((await admin.call('listUsers', { query: 'include=areas , workspaces' })).status).toBe(200);
    expect((await admin.call('listUsers', { query: 'include=areas.users' })).status).toBe(400);
  });
});
