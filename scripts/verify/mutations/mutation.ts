/** A deliberate mistake in the sources. A test must fail because of it. */
export interface Mutation {
  readonly file: string;
  /** The text to replace. It occurs exactly once in the file, so that a mutation that no longer fits is noticed. */
  readonly find: string;
  readonly replace: string;
  /** What it breaks. */
  readonly breaks: string;
  /** The test files that should notice it. */
  readonly tests: readonly string[];
  /** Set where only PostgreSQL can show it: the embedded database has one connection, on which nothing happens at once. */
  readonly needsPostgres?: true;
  /** Why no test can notice it, where the mutated code behaves the same. */
  readonly survives?: string;
}
