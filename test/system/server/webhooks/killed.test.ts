import { describe, expect, it, type TestContext } from 'vitest';
import { demoCredentials } from '../../../../src/programs/demo/credentials.ts';
import {
  runProgram,
  startProcess,
  startServer,
  temporaryFolder,
  type Running,
} from '../../../support/processes/process.ts';
import { startReceiver, verified } from '../../../api/shared/integration/webhooks/support.ts';
import { ask, eventually, newDatabase } from '../support.ts';

/** A service whose processes can be killed. */
interface Killable {
  readonly url: () => string;
  /** Kills the process that delivers, and starts it again. */
  readonly killDelivery: () => Promise<void>;
  /** Kills everything, and starts it again. */
  readonly killAll: () => Promise<void>;
}

type OnEnd = TestContext['onTestFinished'];

const killed = async (process: Running): Promise<void> => expect(await process.stop('SIGKILL')).toBe('SIGKILL');

/** A server, and a worker that delivers. */
async function onPostgres(environment: Record<string, string>, onEnd: OnEnd): Promise<Killable> {
  const settings = { ...environment, DATABASE_URL: await newDatabase(), WORKERS: 'off' };
  const start = () => Promise.all([startServer(settings), startWorker()]);
  const startWorker = () => startProcess('worker', settings, 'Waiting for jobs.');
  let [server, worker] = await start();
  await runProgram('cli', ['seed'], settings);
  onEnd(async () => void (await Promise.all([server.stop(), worker.stop()])));
  return {
    url: () => server.url,
    async killDelivery() {
      await killed(worker);
      worker = await startWorker();
    },
    async killAll() {
      await Promise.all([killed(server), killed(worker)]);
      [server, worker] = await start();
    },
  };
}

/** One process does everything. */
async function onEmbedded(environment: Record<string, string>, onEnd: OnEnd): Promise<Killable> {
  await runProgram('cli', ['seed'], environment);
  let server = await startServer(environment);
  onEnd(async () => void (await server.stop()));
  const killAll = async (): Promise<void> => {
    await killed(server);
    server = await startServer(environment);
  };
  return { url: () => server.url, killDelivery: killAll, killAll };
}

describe('webhooks', { timeout: 300_000 }, () => {
  // Both mostly wait for the second try of a delivery, so they wait at the same time.
  it.concurrent.for([
    ['PostgreSQL', onPostgres],
    ['the embedded database', onEmbedded],
  ] as const)('lose nothing when processes are killed during delivery, on %s', async ([, open], { onTestFinished }) => {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const service = await open({ DATA_DIR: folder, WEBHOOK_ALLOW_PRIVATE: 'on' }, onTestFinished);
    const { admin: email, password } = demoCredentials;
    const signedIn = await ask(service.url(), 'POST', '/sign_in', undefined, { email, password });
    const token = signedIn.body.data.attributes['access_token']!;
    const me = await ask(service.url(), 'GET', '/users/me', token);
    const workspace = me.body.data.relationships['workspaces']!.data[0]!.id;
    const account = me.body.data.relationships['account']!.data as unknown as { id: string };
    const receiver = await startReceiver(0, '127.0.0.1', onTestFinished);
    const hook = { url: receiver.url('/slow'), events: ['area.*'] };
    const created = await ask(service.url(), 'POST', `/accounts/${account.id}/webhooks`, token, hook, 'webhook');
    expect(created.status).toBe(201);
    const secret = created.body.data.attributes['secret']!;

    const areas: string[] = [];
    for (let number = 0; number < 6; number++) {
      const name = { name: `Area ${number}` };
      const area = await ask(service.url(), 'POST', `/workspaces/${workspace}/areas`, token, name, 'area');
      areas.push(area.body.data.id);
    }
    await eventually(() => receiver.received[1], 'the first messages');
    await service.killDelivery();
    for (const id of areas) {
      const address = `/workspaces/${workspace}/areas/${id}`;
      expect((await ask(service.url(), 'PATCH', address, token, { name: `New ${id}` }, 'area')).status).toBe(200);
    }
    await service.killAll();

    const messages = () => new Map(receiver.received.map((request) => [request.headers['webhook-id'], request]));
    // What was on its way when its process was killed is tried again after a minute.
    const deadline = Date.now() + 150_000;
    while (messages().size < 12 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 500));
    const types = (id: string) =>
      [...messages().values()]
        .map((request) => verified(request, secret))
        .filter(({ data }) => data.event!.attributes['record_id'] === id)
        .map(({ type }) => type);
    for (const id of areas) expect(types(id)).toEqual(['area.created', 'area.updated']);
  });
});
