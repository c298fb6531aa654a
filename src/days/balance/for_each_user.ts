import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Computes something for each user, by id. A long history takes milliseconds of a user, so the process serves other requests
 * between two of them.
 */
export async function forEachUser<Given, Result>(
  users: ReadonlyMap<number, Given>,
  compute: (given: Given, id: number) => Result | Promise<Result>,
): Promise<ReadonlyMap<number, Result>> {
  const results = new Map<number, Result>();
  for (const [id, given] of users) {
    results.set(id, await compute(given, id));
    await nextTurn();
  }
  return results;
}
