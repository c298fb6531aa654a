import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, it } from 'vitest';
import { startServer } from '../../support/processes/process.ts';
import { newProcessStorage, type ProcessStorage } from '../../support/processes/process_storage.ts';
import { newPuncher, send } from '../../support/processes/punchers.ts';
import { randomFrom } from '../../support/processes/seeded_random.ts';
import { repetitions, seed, tally } from '../../support/verification.ts';

/*
 * Callers rename areas at the same time, and the server is killed meanwhile. Each event has the name before and after, so the
 * events of an area must form a chain that ends with its present name. Names that are taken make transactions roll back.
 */

const random = randomFrom(seed);
const callers = 8;
let place: ProcessStorage | undefined;
afterEach(() => place?.remove());

interface Page {
  readonly data: { id: string; attributes: { name: string; record_id: string; changes: Record<string, string[]> } }[];
  readonly meta: { readonly next_cursor: string; readonly has_more: boolean; readonly total_count: number };
}

const areaBody = (name: string) => ({ data: { type: 'area', attributes: { name } } });

describe('the change feed after kill -9', () => {
  it('has every committed change once and in order, and none that was rolled back', async () => {
    place = await newProcessStorage();
    let server = await startServer(place.environment);
    const { token, workspaceId } = await newPuncher(server.url);
    const me = await send(server.url, 'GET', '/users/me', token);
    const { id: accountId } = (me.body as { data: { relationships: { account: { data: { id: string } } } } }).data
      .relationships.account.data;
    const areas = `/workspaces/${workspaceId}/areas`;
    const ids: string[] = [];
    for (let number = 0; number < callers; number++) {
      const { body } = await send(server.url, 'POST', areas, token, areaBody(`Area ${number}`));
      ids.push((body as { data: { id: string } }).data.id);
    }

    const chains = new Map<string, string[][]>();
    let next = 'from=beginning';
    const follow = async (): Promise<boolean> => {
      const address = `/accounts/${accountId}/changes?types=area&${next}`;
      const { status, body } = await send(server.url, 'GET', address, token);
      if (status !== 200) throw new Error(JSON.stringify(body));
      const { data, meta } = body as Page;
      for (const { attributes } of data)
        chains.set(attributes.record_id, [...(chains.get(attributes.record_id) ?? []), attributes.changes['name']!]);
      next = `cursor=${meta.next_cursor}`;
      return data.length > 0 || meta.has_more;
    };

    const kills = tally('kills while records change, after which the feed is complete');
    let renamed = 0;
    for (let kill = 0; kill < repetitions(2, 30); kill++) {
      let isUp = true;
      const rename = async (): Promise<void> => {
        while (isUp) {
          const area = ids[Math.floor(random() * ids.length)]!;
          // Another area may have the name already.
          const name = random() < 0.3 ? `Name ${Math.floor(random() * 12)}` : `Number ${renamed++}`;
          await send(server.url, 'PATCH', `${areas}/${area}`, token, areaBody(name)).catch(() => (isUp = false));
        }
      };
      const reading = (async () => {
        while (isUp) await follow().catch(() => (isUp = false));
      })();
      const writing = Promise.all(ids.map(rename));
      await pause(500 + random() * 2000);
      await server.stop('SIGKILL');
      await Promise.all([writing, reading]);
      server = await startServer(place.environment);
      const { body } = await send(server.url, 'GET', `${areas}?items=100`, token);
      const shown = (body as Page).data.filter((area) => ids.includes(area.id));
      const isComplete = (): boolean =>
        shown.every(({ id, attributes }) => chains.get(id)?.at(-1)![1] === attributes.name);
      // An event is shown once every older transaction has ended, also those of other tests on the same PostgreSQL.
      for (let tries = 0; (await follow()) || (!isComplete() && tries < 600); tries++) await pause(100);
      kills.count();
      for (const { id, attributes } of shown) {
        const chain = chains.get(id)!;
        const isChain = chain.every(([before], index) => before === (chain[index - 1]?.[1] ?? null));
        if (!isChain || chain.at(-1)![1] !== attributes.name)
          kills.fail(`area ${id} is ${attributes.name}, but its events say ${JSON.stringify(chain)}`);
      }
    }
    await server.stop();
    kills.close();
  });
});
