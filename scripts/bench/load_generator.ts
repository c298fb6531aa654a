/**
 * The load generator, in its own process. Each connection sends the requests of its lane one after the other and waits for each
 * answer. It reads one load per line from standard input, and writes one result per line to standard output.
 */
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';
import type { Load, Outcome } from './loading.ts';

async function carryOut({ urls, lanes, perLane }: Load): Promise<Outcome> {
  let next = 0;
  const result = await autocannon({
    // autocannon accepts several, although its types allow one.
    url: urls as unknown as string,
    connections: lanes.length,
    amount: perLane * lanes.length,
    timeout: 60,
    // autocannon stops only at the end of a sample.
    sampleInt: 20,
    setupClient: (client) => {
      const lane = lanes[next++ % lanes.length]!;
      client.setRequests(lane.map((request) => ({ ...request })));
    },
  });
  return {
    answered: result['2xx'],
    refused: result.non2xx,
    failed: result.errors + result.timeouts,
    seconds: (result.finish.getTime() - result.start.getTime()) / 1000,
  };
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(JSON.stringify(await carryOut(JSON.parse(line) as Load)) + '\n');
