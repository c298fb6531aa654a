import { randomUUID } from 'node:crypto';
import { contenders, type Contender } from './contenders.ts';
import type { Sent } from './loading.ts';
import type { Server } from './processes.ts';

/* Compares the answers of all contenders byte by byte before anything is measured. */

/** Throws unless all contenders answer these requests with the same bytes as Punchcard. */
export async function verifySameBytes(servers: Record<Contender, Server>, requests: readonly Sent[]): Promise<void> {
  for (const request of requests) {
    // Running trackings change every second, so all answers must fall into the same one.
    const attempts = async (left: number): Promise<void> => {
      const requestId = randomUUID();
      const answers = await Promise.all(contenders.map((name) => answerOf(servers[name], request, requestId)));
      const wrong = contenders.find((_, index) => answers[index] !== answers.at(-1));
      if (wrong === undefined) return;
      if (left > 0) return attempts(left - 1);
      const difference = firstDifference(answers[contenders.indexOf(wrong)]!, answers.at(-1)!);
      throw new Error(`${wrong} answers ${request.path} otherwise than Punchcard:\n${difference}`);
    };
    await attempts(4);
  }
}

/** Throws unless the answers to these writes, one for each contender, differ only in ids and times. */
export async function verifySameShape(
  servers: Record<Contender, Server>,
  requestOf: (contender: number) => Sent,
): Promise<void> {
  const shapes: string[] = [];
  for (const [index, name] of contenders.entries())
    shapes.push(shapeOf(await answerOf(servers[name], requestOf(index), randomUUID())));
  const wrong = contenders.find((_, index) => shapes[index] !== shapes.at(-1));
  if (wrong === undefined) return;
  const difference = firstDifference(shapes[contenders.indexOf(wrong)]!, shapes.at(-1)!);
  throw new Error(
    `${wrong} answers a write otherwise than Punchcard:\n${difference}\nIts output:\n${servers[wrong].output().slice(-2_000)}`,
  );
}

/** Both texts, from shortly before the first character that differs. */
function firstDifference(one: string, other: string): string {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index++;
  const excerpt = (text: string): string => text.slice(Math.max(0, index - 100), index + 300);
  return `${excerpt(one)}\n${excerpt(other)}`;
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
  return `${response.status} ${await response.text()}`;
}
