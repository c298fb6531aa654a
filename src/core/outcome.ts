import type { AppError } from './errors.ts';

/** What came of one of several things that were done at once. */
export type Settled<T> = { readonly done: T } | { readonly refused: AppError };

/** The same, or `busy` where somebody else is at it, so that it has to be done alone. */
export type Outcome<T> = Settled<T> | 'busy';

/** What was done; a refusal is thrown. */
export function doneOf<T>(settled: Settled<T>): T {
  if ('refused' in settled) throw settled.refused;
  return settled.done;
}
