/** Whether an error is the violation of a constraint. A worker of Citus adds the number of a shard to its name. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof Error && error.message.includes(`constraint "${constraint}`);
