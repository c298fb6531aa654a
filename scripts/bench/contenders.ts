import packageFile from '../../package.json' with { type: 'json' };
import { startServer, untilIdle, type Server } from './processes.ts';

export const contenders = ['limit', 'fastify', 'openapi-backend', 'ours'] as const;
export type Contender = (typeof contenders)[number];

/** How `npm start` calls Node. All contenders have its options. */
const start = packageFile.scripts.start.split(' ').slice(1);
const startOptions = start.filter((word) => word.startsWith('--'));

const fromSources = (file: string): string[] => [...startOptions, '--import', 'tsx', file];

const programs: Record<Contender, readonly string[]> = {
  limit: fromSources('scripts/bench/contenders/limit/server.ts'),
  fastify: fromSources('scripts/bench/contenders/peers/fastify.ts'),
  'openapi-backend': fromSources('scripts/bench/contenders/peers/openapi_backend.ts'),
  ours: start,
};

/** Starts Punchcard as an operator would, or from its sources with options for Node. */
export const startOurs = (
  environment: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<Server> =>
  startServer({
    program: nodeOptions.length === 0 ? programs.ours : ['--import', 'tsx', ...nodeOptions, 'src/main.ts'],
    environment,
    ready: '/health/ready',
  });

/** The same, and waits until it is idle. */
export async function startOursAndWait(
  environment: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<Server> {
  const server = await startOurs(environment, nodeOptions);
  await untilIdle(server);
  return server;
}

/** Starts all contenders on one database. `ready` is a request that all of them answer. */
export async function startContenders(
  databaseUrl: string,
  ready: { path: string; headers: Readonly<Record<string, string>> },
): Promise<Record<Contender, Server>> {
  const start = (program: readonly string[]) =>
    startServer({
      program,
      environment: { DATABASE_URL: databaseUrl, KEEP_MONTHS: 'off' },
      ready: ready.path,
      headers: ready.headers,
    });
  const results = await Promise.allSettled(contenders.map((name) => start(programs[name])));
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await Promise.all(started.map((server) => server.stop()));
    throw failure.reason;
  }
  for (const server of started) await untilIdle(server);
  return Object.fromEntries(contenders.map((name, index) => [name, started[index]!])) as Record<Contender, Server>;
}
