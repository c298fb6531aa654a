import { startOurs } from './contenders.ts';
import { adminId, tokenOf } from './data_set.ts';

/** Seconds from the start of the process on an existing embedded database until it is ready, and until it has answered a list. */
export async function measureStart(folder: string, rounds: number, say: (text: string) => void): Promise<{ ready: number[]; answered: number[] }> {
  const figures = { ready: [] as number[], answered: [] as number[] };
  for (let round = 1; round <= rounds; round++) {
    const server = await startOurs({ DATA_DIR: folder });
    const since = performance.now();
    const response = await fetch(`${server.url}/api/v3/workspaces/1/time_trackings`, { headers: { authorization: `Bearer ${tokenOf(adminId)}` } });
    await response.arrayBuffer();
    figures.ready.push(server.startMilliseconds / 1000);
    figures.answered.push((server.startMilliseconds + performance.now() - since) / 1000);
    await server.stop();
    if (response.status !== 200) throw new Error(`The first list was answered with ${response.status}.`);
    say(`Start ${round} of ${rounds}: ready after ${figures.ready.at(-1)!.toFixed(2)} s.`);
  }
  return figures;
}
