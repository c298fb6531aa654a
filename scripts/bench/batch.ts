import pg from 'pg';
import { tokenOf, type Workspace } from './data_set.ts';
import type { Options } from './options.ts';
import type { Server } from './servers.ts';

/** Seconds that it takes to confirm a batch of trackings, and to do so with one UPDATE. */
export interface BatchFigures {
  readonly ours: number[];
  readonly update: number[];
}

/** Confirms batches by our API, from the request until the last is done, next to a single UPDATE of as many rows. */
export async function measureBatch(
  { url }: Server,
  databaseUrl: string,
  { dataSet, batchSize: size, rounds }: Options,
  say: (text: string) => void,
): Promise<BatchFigures> {
  const { accountId, firstCaller, workspaces } = dataSet.tenants[0]!;
  const workspace = workspaces[0]!;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const figures: BatchFigures = { ours: [], update: [] };
  try {
    // Each batch has its own rows. They are prepared together, so that all are in the same state.
    const { rows } = await client.query<{ id: string }>(
      `update time_trackings set confirmed = false where account_id = $1 and id in (
         select id from time_trackings where account_id = $1 and workspace_id = $2 and ends_at is not null order by id limit $3) returning id`,
      [accountId, workspace.id, size * 2 * (rounds + 1)],
    );
    await client.query('vacuum (analyze) time_trackings');
    const sets = Array.from({ length: 2 * (rounds + 1) }, (_, set) =>
      rows.slice(set * size, (set + 1) * size).map(({ id }) => Number(id)),
    );
    for (let round = 0; round <= rounds; round++) {
      const update = await secondsOf(() =>
        client.query(
          `update time_trackings set confirmed = true, last_editor_id = $3, updated_at = now() where account_id = $1 and id = any($2::bigint[])`,
          [accountId, sets[2 * round], firstCaller],
        ),
      );
      const ours = await secondsOf(() => confirm(url, client, workspace, firstCaller, sets[2 * round + 1]!));
      if (round === 0) continue;
      figures.update.push(update);
      figures.ours.push(ours);
      say(
        `Batch ${round} of ${rounds}: ${ours.toFixed(2)} s for ${size} trackings, ${update.toFixed(2)} s for one UPDATE.`,
      );
    }
    return figures;
  } finally {
    await client.end();
  }
}

async function confirm(
  url: string,
  client: pg.Client,
  { accountId, id: workspaceId }: Workspace,
  caller: number,
  ids: readonly number[],
): Promise<void> {
  const response = await fetch(`${url}/api/v3/workspaces/${workspaceId}/time_trackings/batch_actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf(caller)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { type: 'batch_action', attributes: { action: 'confirm', ids } } }),
  });
  const text = await response.text();
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text.replace(/"request_id":"[^"]*"/, ''))?.[0];
  if (response.status !== 200 || id === undefined)
    throw new Error(`The batch was answered with ${response.status}: ${text.slice(0, 500)}`);
  for (;;) {
    const { rows } = await client.query<{ state: string; failed: number }>(
      'select state, failed from batches where account_id = $1 and id = $2',
      [accountId, id],
    );
    const { state, failed } = rows[0]!;
    if (state === 'finished' && failed === 0) return;
    if (state === 'failed' || failed > 0) throw new Error(`The batch ended as ${state}, with ${failed} failures.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}
