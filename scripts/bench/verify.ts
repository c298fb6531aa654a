import { randomUUID } from 'node:crypto';
import { contenders, type Contender } from './contenders.ts';
import type { Sent } from './loading.ts';
import type { Server } from './processes.ts';

/* Only what gives the same answer is worth comparing: it is held byte against byte before anything is measured. */

/** Fails unless all contenders answer these requests with the very bytes that Punchcard answers with. */
export async function verifySameBytes(servers: Record<Contender, Server>, requests: readonly Sent[]): Promise<void> {
  for (const request of requests) {
    // What is running gets longer by the second: the answers have to fall into one.
    const attempts = async (left: number): Promise<void> => {
      const requestId = randomUUID();
      const answers = await Promise.all(contenders.map((name) => answerOf(servers[name], request, requestId)));
      const wrong = contenders.find((_, index) => answers[index] !== answers.at(-1));
      if (wrong === undefined) return;
      if (left > 0) return attempts(left - 1);
      throw new Error(
        `${wrong} answers ${request.path} otherwise than Punchcard:\n${answers[contenders.indexOf(wrong)]}\n${answers.at(-1)}`,
      );
    };
    await attempts(4);
  }
}

/** Fails unless the answers to these writes, one for each contender, are the same but for ids and times. */
export async function verifySameShape(
  servers: Record<Contender, Server>,
  requestOf: (contender: number) => Sent,
): Promise<void> {
  const shapes: string[] = [];
  for (const [index, name] of contenders.entries())
    shapes.push(shapeOf(await answerOf(servers[name], requestOf(index), randomUUID())));
  const wrong = contenders.find((_, index) => shapes[index] !== shapes.at(-1));
  if (wrong === undefined) return;
  const shown = `${shapes[contenders.indexOf(wrong)]}\n${shapes.at(-1)}`;
  throw new Error(
    `${wrong} answers a write otherwise than Punchcard:\n${shown}\nIt wrote:\n${servers[wrong].output().slice(-2_000)}`,
  );
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
