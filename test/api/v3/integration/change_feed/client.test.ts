import { describe, expect, it } from 'vitest';
import {
  everyChange,
  publicApi,
  RefusedError,
  resourceApi,
  type ChangeStart,
} from '../../../../../src/client/client.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

const createArea = ({ admin }: World, name: string) => admin.call('createArea', { body: bodyOf('area', { name }) });

/** Takes so many changes, and returns their names with the place to go on. */
async function take(feed: AsyncIterable<{ change: { id: unknown }; resume: ChangeStart }>, count: number) {
  const taken: unknown[] = [];
  let place: ChangeStart = {};
  for await (const { change, resume } of feed) {
    taken.push(change.id);
    place = resume;
    if (taken.length === count) break;
  }
  return { taken, place };
}

describe('everyChange', () => {
  it('follows the feed of the resource API, and goes on where it was', async () => {
    const world = await newWorld();
    const api = resourceApi({ url: (await service()).url, token: world.admin.token });
    const path = { account_id: String(world.accountId) };
    const follow = (start: ChangeStart) =>
      everyChange(api, '/accounts/{account_id}/changes', { params: { path, query: { types: 'area', ...start } } });
    for (const name of ['Bar', 'Kitchen', 'Cellar']) await createArea(world, name);
    const all = await take(follow({ from: 'beginning' }), 3);
    expect(new Set(all.taken).size).toBe(3);
    const coming = take(follow(all.place), 1);
    await createArea(world, 'Hall');
    expect(all.taken).not.toContain((await coming).taken[0]);
    // Stopped in the middle of an answer, it begins with that answer again.
    const { place } = await take(follow({ from: 'beginning' }), 2);
    expect((await take(follow(place), 3)).taken).toEqual(all.taken);
  });

  it('follows the feed of the public API, and throws what the service refuses', async () => {
    const world = await newWorld();
    const api = publicApi({ url: (await service()).url, apiToken: world.apiToken });
    const follow = (start: ChangeStart) => everyChange(api, '/changes', { params: { query: start } });
    await createArea(world, 'Bar');
    expect((await take(follow({ from: 'beginning' }), 1)).taken).toHaveLength(1);
    const refused = await take(follow({ cursor: 'nonsense' }), 1).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect((refused as RefusedError).status).toBe(400);
  });
});
