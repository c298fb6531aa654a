import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { cursorNow } from '../../../../support/events/feed.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

const changes = ({ enterprise }: World, query: Record<string, string>) =>
  enterprise('getPublicChanges', { query, headers: { Prefer: 'wait=30' } });

describe('getPublicChanges', () => {
  it('200 has what both APIs changed, with ids as numbers', async () => {
    const world = await newWorld();
    const { admin, enterprise, workspaceId } = world;
    const { body: start } = await enterprise('getPublicChanges');
    expect(start).toMatchObject({ changes: [], has_more: false });
    const { body: area } = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const { status, body } = await changes(world, { cursor: start.next_cursor, types: 'area' });
    expect(status).toBe(200);
    expect(body.changes).toMatchObject([
      {
        type: 'history_event',
        name: 'area.created',
        actor_type: 'user',
        actor_id: admin.id,
        record_type: 'area',
        record_id: Number(area.data.id),
        external_id: null,
        location_id: workspaceId,
        changes: { name: [null, 'Bar'] },
      },
    ]);
    expect(
      (await enterprise('getPublicChanges', { query: { from: 'beginning', types: 'area' } })).body.changes,
    ).toEqual(body.changes);
    const removed = await enterprise('deleteWorkingArea', { query: { id: area.data.id, location_id: workspaceId } });
    expect(removed.status).toBe(200);
    const { body: next } = await changes(world, { cursor: body.next_cursor });
    expect(next.changes).toMatchObject([
      { name: 'area.deleted', actor_type: 'api_token', actor_id: expect.any(String) },
    ]);
  });

  it('401 if the token is revoked while the request waits', async () => {
    const world = await newWorld();
    const { admin, accountId } = world;
    const answer = changes(world, {});
    answer.then(() => {});
    await pause(500);
    const tokens = await admin.call('listApiTokens', { params: { account_id: accountId } });
    const params = { account_id: accountId, api_token_id: tokens.body.data[0].id };
    expect((await admin.call('deleteApiToken', { params })).status).toBeLessThan(300);
    await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    expect((await answer).status).toBe(401);
  });

  it('400 for the cursor of another enterprise, for unknown types, and for cursor and from', async () => {
    const world = await newWorld();
    const { admin: other } = await newWorld();
    const foreign = await changes(world, { cursor: await cursorNow(other) });
    expect([foreign.status, pointersIn(foreign)]).toEqual([400, ['cursor']]);
    expect((await changes(world, { types: 'shop' })).status).toBe(400);
    expect((await changes(world, { cursor: await cursorNow(world.admin), from: 'beginning' })).status).toBe(400);
  });
});
