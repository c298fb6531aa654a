import { createDatabase, newDatabaseName } from '../../support/database/server_databases.ts';

/** An empty database on the tests' PostgreSQL; the end of the run drops it. */
export const newDatabase = (): Promise<string> => createDatabase(newDatabaseName());

/** Waits for something that another process does. */
export async function eventually<T>(look: () => T | undefined, what: string): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Waited a minute for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A call of the resource API at one of several servers. */
export async function ask(
  url: string,
  method: string,
  address: string,
  token?: string,
  attributes?: object,
  type = 'user',
) {
  const response = await fetch(`${url}/api/v3${address}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'Api-Key': 'demo-api-key',
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    ...(attributes ? { body: JSON.stringify({ data: { type, attributes } }) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Answer };
}

interface Answer {
  data: { id: string; attributes: Record<string, string>; relationships: Record<string, { data: { id: string }[] }> };
}
