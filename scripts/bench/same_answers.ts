import { randomUUID } from 'node:crypto';
import type { Sent } from './loading.ts';
import { takingPart } from './rounds.ts';
import type { Row } from './requests.ts';
import type { Server } from './servers.ts';

/* Contenders may be compared only if they answer alike. */

/** Throws unless all contenders answer a read with the same bytes. */
export async function requireSameBytes(servers: Readonly<Record<string, Server>>, row: Row): Promise<void> {
  const names = takingPart(servers, row);
  for (const request of row.lane({ server: 0, servers: 1, lane: 0, lanes: 1, round: 0 }).slice(0, 5)) {
    // Running trackings change every second, so all answers must fall into the same one.
    for (let left = 4; ; left--) {
      const requestId = randomUUID();
      const answers = await Promise.all(names.map((name) => answerOf(servers[name]!, request, requestId)));
      const problem = differenceIn(names, answers);
      if (problem === undefined) break;
      if (left === 0) throw new Error(`${request.path}: ${problem}`);
    }
  }
}

/** Throws unless the answers of all contenders to writes differ only in ids and times. */
export async function requireSameShape(servers: Readonly<Record<string, Server>>, row: Row): Promise<void> {
  const names = takingPart(servers, row);
  for (let step = 0; step < row.group; step++) {
    const shapes: string[] = [];
    for (const [server, name] of names.entries()) {
      const request = row.lane({ server, servers: names.length, lane: 0, lanes: 1, round: 0 })[step]!;
      shapes.push(shapeOf(await answerOf(servers[name]!, request, randomUUID())));
    }
    const problem = differenceIn(names, shapes);
    if (problem !== undefined) throw new Error(`${row.name}: ${problem}`);
  }
}

/** Which contender answers otherwise than Punchcard, the last one, and where the texts begin to differ. */
function differenceIn(names: readonly string[], answers: readonly string[]): string | undefined {
  const expected = answers.at(-1)!;
  const wrong = answers.findIndex((answer) => answer !== expected);
  if (wrong === -1) return undefined;
  let from = 0;
  while (answers[wrong]![from] === expected[from]) from++;
  const [one, other] = [answers[wrong]!, expected].map((text) => text.slice(Math.max(0, from - 100), from + 300));
  return `${names[wrong]} answers otherwise than Punchcard:\n${one}\n${other}`;
}

const shapeOf = (text: string): string =>
  text
    .replace(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"id"')
    .replace(/"\d+"/g, '"id"')
    .replace(/"\d{4}-\d{2}-\d{2}T[^"]*"/g, '"time"');

async function answerOf({ url }: Server, { method, path, headers, body }: Sent, requestId: string): Promise<string> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, 'x-request-id': requestId },
    ...(body === undefined ? {} : { body }),
  });
  // The other contenders write no links.
  return `${response.status} ${(await response.text()).replace(/,"links":\{"next":[^}]*\}/, '')}`;
}
