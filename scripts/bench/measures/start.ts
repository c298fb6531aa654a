import { startOurs } from '../contenders.ts';
import { adminId, tokenOf } from '../data_set.ts';

/** Seconds from the start of the process on an existing embedded database. */
export interface StartFigures {
  readonly ready: number[];
  /** Until it has returned a list. */
  readonly answered: number[];
  /** CPU time until it is ready. */
  readonly atWork: number[];
}

export async function measureStart(folder: string, rounds: number, say: (text: string) => void): Promise<StartFigures> {
  const figures: StartFigures = { ready: [], answered: [], atWork: [] };
  // The first start does not count. It creates the tables of the queue and the reference.
  for (let round = 0; round <= rounds; round++) {
    const server = await startOurs({ DATA_DIR: folder });
    const since = performance.now();
    const response = await fetch(`${server.url}/api/v3/workspaces/1/time_trackings`, {
      headers: { authorization: `Bearer ${tokenOf(adminId)}` },
    });
    await response.arrayBuffer();
    const answered = server.startSeconds + (performance.now() - since) / 1000;
    await server.stop();
    if (response.status !== 200) throw new Error(`The first list was answered with ${response.status}.`);
    if (round === 0) continue;
    figures.ready.push(server.startSeconds);
    figures.answered.push(answered);
    figures.atWork.push(server.startSecondsAtWork);
    say(`Start ${round} of ${rounds}: ready after ${figures.ready.at(-1)!.toFixed(2)} s.`);
  }
  return figures;
}
