import type { Example } from '../../src/docs/examples.ts';
import { enterprise } from './scenes/enterprise.ts';
import { gettingIn } from './scenes/getting_in.ts';
import { organisation, people } from './scenes/organisation.ts';
import { timeAway } from './scenes/time_away.ts';
import { punching, workingTime } from './scenes/working_time.ts';
import { sendByFetch, type Send } from './send.ts';
import { createShow, routes, type Take } from './show.ts';
import { openStage } from './stage.ts';
import { examplesOf } from './stand_ins.ts';

/** What a run brings. */
export interface Play {
  readonly takes: readonly Take[];
  /** The same as examples, with stand-ins for what is random. */
  readonly examples: ReadonlyMap<string, Example & Pick<Take, 'api'>>;
  /** What a server answers that is about to stop. */
  readonly failure: unknown;
}

const scenes = [gettingIn, organisation, people, punching, workingTime, timeAway, enterprise];

/** Carries out every operation of both contracts on a fresh demo organisation. */
export async function play(send?: Send, progress: (scene: string) => void = () => {}): Promise<Play> {
  const stage = await openStage();
  try {
    const show = await createShow(stage, send);
    for (const scene of scenes) {
      progress(scene.name);
      try {
        await scene(show);
      } catch (error) {
        // A scene that cannot go on has mostly said why already.
        if (show.problems.length === 0) throw error;
      }
    }
    if (show.problems.length > 0) throw new Error(show.problems.join('\n'));
    const shown = new Set(show.takes.map(({ operationId }) => operationId));
    const missing = [...routes.keys()].filter((operationId) => !shown.has(operationId));
    if (missing.length > 0)
      throw new Error(`Never shown: ${missing.join(', ')}. Add them to a scene in scripts/examples/scenes/.`);
    const failure = await sendByFetch({
      url: await stage.variant({}, true),
      route: routes.get('getStatus')!,
      path: {},
      query: {},
    });
    return { examples: examplesOf(show.takes), takes: show.takes, failure: failure.body };
  } finally {
    await stage.close();
  }
}
