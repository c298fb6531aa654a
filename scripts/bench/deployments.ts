import { databaseUrl as databaseUrlOf } from '../databases.ts';
import { startCluster } from '../cluster.ts';
import type { LoadGenerator } from './loading.ts';
import type { Options } from './options.ts';
import type { Row } from './requests.ts';
import { measure, type Figures } from './rounds.ts';
import { startOurs, type Server } from './servers.ts';

/* Compares one process with two, and with one that has a standby for its reads. All of them are on this machine. */

const measured = ['show', 'list_small', 'list_large'];

export async function measureDeployments(
  generator: LoadGenerator,
  databaseUrl: string,
  rows: readonly Row[],
  options: Options,
  say: (text: string) => void,
): Promise<Figures> {
  const ends: (() => Promise<void>)[] = [];
  const started = async (environment: Record<string, string> = {}) => {
    const server = await startOurs({ DATABASE_URL: databaseUrl, ...environment });
    ends.push(() => server.stop());
    return server;
  };
  try {
    const one = await started();
    const servers: Record<string, Server[]> = { 'one process': [one] };
    if (options.isChosen('two_processes')) servers['two processes'] = [one, await started()];
    if (options.isChosen('standby')) {
      const standby = await startCluster({ standbyOf: databaseUrl });
      ends.unshift(() => standby.stop());
      const readUrl = databaseUrlOf(standby.url, new URL(databaseUrl).pathname.slice(1));
      servers['standby'] = [await started({ DATABASE_READ_URL: readUrl })];
    }
    const chosen = rows.filter(({ name }) => measured.includes(name));
    return await measure(generator, servers, chosen, options, say);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}
