import type { World } from './world.ts';

/** How many statements a piece of work sends through the service's own handle. */
export async function countStatements({ db }: World, work: () => Promise<unknown>): Promise<number> {
  const executor = db.getExecutor() as unknown as { executeQuery: (...given: unknown[]) => Promise<unknown> };
  const original = executor.executeQuery.bind(executor);
  let count = 0;
  executor.executeQuery = (...given) => {
    count++;
    return original(...given);
  };
  try {
    await work();
  } finally {
    executor.executeQuery = original;
  }
  return count;
}
