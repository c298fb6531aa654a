import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { figure, tally, repetitions, slack } from '../../support/verification.ts';
import { newProcessStorage } from '../../support/processes/process_storage.ts';
import { newPuncher } from '../../support/processes/punchers.ts';
import { startServer } from '../../support/processes/process.ts';

const mostSeconds = 10 * slack;

describe('SIGTERM under 200 connections', () => {
  it('drops no response, first reports that it is not ready, and exits within 10 seconds', async () => {
    const place = await newProcessStorage();
    const answers = tally('answers around SIGTERM, on 200 connections');
    const shutdowns = tally('processes ended by SIGTERM');
    let slowest = 0;
    for (let round = 0; round < repetitions(1, 5); round++) {
      const server = await startServer({ ...place.environment, SHUTDOWN_DELAY_SECONDS: '2', LOG_LEVEL: 'silent' });
      const { token, workspaceId } = await newPuncher(server.url);
      const address = `${server.url}/api/v3/workspaces/${workspaceId}/areas`;
      const clients = Array.from({ length: 200 }, () => client(address, token));
      const idle = await connectedAndIdle(address, token);
      await pause(1000);

      const told = Date.now();
      const ended = server.stop('SIGTERM');
      const readiness = watchReadiness(server.url);
      const code = await ended;
      const milliseconds = Date.now() - told;
      slowest = Math.max(slowest, milliseconds);
      shutdowns.count();
      if (code !== 0) shutdowns.fail(`round ${round}: ended with ${code}`);
      if (milliseconds > mostSeconds * 1000) shutdowns.fail(`round ${round}: ended after ${milliseconds} ms`);
      const seen = await readiness;
      if (!seen.includes(503))
        shutdowns.fail(`round ${round}: it was gone before it said that it would go: ${seen.join(' ')}`);
      for (const { count, failures, isToldToGo } of await Promise.all(clients)) {
        answers.count(count);
        for (const failure of failures) answers.fail(`round ${round}: ${failure}`);
        if (!isToldToGo) answers.fail(`round ${round}: a connection ended without a last answer`);
      }
      idle.destroy();
    }
    await place.remove();
    figure('milliseconds from SIGTERM to the end at most', slowest);
    answers.close();
    shutdowns.close();
  });
});

interface Outcome {
  count: number;
  failures: string[];
  /** Whether the last response announced that the server closes the connection. */
  isToldToGo: boolean;
}

const ask = (address: string, agent: Agent, token: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = get(address, { agent, headers: { Authorization: `Bearer ${token}` } }, (response) =>
      response.resume().once('end', () => resolve(response)),
    );
    request.once('error', reject);
  });

/** Sends one request after the other on one connection, until the server announces that it closes the connection. */
async function client(address: string, token: string): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const outcome: Outcome = { count: 0, failures: [], isToldToGo: false };
  while (!outcome.isToldToGo && outcome.failures.length === 0) {
    try {
      const { statusCode, headers } = await ask(address, agent, token);
      outcome.count++;
      outcome.isToldToGo = headers.connection === 'close';
      if (statusCode !== 200) outcome.failures.push(`answered ${statusCode}`);
    } catch (error) {
      outcome.failures.push(`no answer: ${String(error)}`);
    }
  }
  agent.destroy();
  return outcome;
}

/** An idle connection. It must not keep the process from exiting. */
async function connectedAndIdle(address: string, token: string): Promise<Agent> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await ask(address, agent, token);
  return agent;
}

/** The responses of `/health/ready`, each on a new connection, until the server no longer listens. */
async function watchReadiness(url: string): Promise<number[]> {
  const seen: number[] = [];
  for (;;) {
    const agent = new Agent();
    const response = await ask(`${url}/health/ready`, agent, '').catch(() => undefined);
    if (!response) return seen;
    seen.push(response.statusCode!);
    await pause(100);
  }
}
