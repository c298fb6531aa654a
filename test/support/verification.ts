import { appendFileSync } from 'node:fs';

/*
 * Every file in test/verify is one section of `npm run verify`, which does it at length and prints its figures in a table.
 * Within `npm test` the same code runs in its short form.
 */

const { VERIFY: form, VERIFY_FIGURES: file, VERIFY_SEED: givenSeed } = process.env;

const isLong = form === 'long';

/** How often a thing is done: the first in the short form, the second in the long one. */
export const repetitions = (short: number, long: number): number => (isLong ? long : short);

/** For a whole walk, in milliseconds: each of its requests has a deadline of its own, so this one only ends what has come to a stop. */
export const walkTimeoutMs = isLong ? 3 * 3_600_000 : 300_000;

/** All of a list in the long form; in the short one so many of it, others at each turn. */
export const sample = <T>(list: readonly T[], short: number, turn: number): readonly T[] =>
  isLong
    ? list
    : Array.from(
        { length: Math.min(short, list.length) },
        (_item, index) => list[(turn * short + index) % list.length]!,
      );

/** What random choices start from: always the same in the short form, another one in each long run unless VERIFY_SEED repeats one. */
export const seed = givenSeed ? Number(givenSeed) : isLong ? Date.now() % 2 ** 31 : 1;

/** Says how far a long run has come. */
export function progress(line: string): void {
  if (isLong) console.log(`  ${line}`);
}

/** One line of the table. */
export interface Tally {
  /** So many more were tried. */
  count(more?: number): void;
  /** One of them failed; the message says what to look at. */
  fail(message: string): void;
  /** Writes the line, and throws what failed. */
  close(): void;
}

/** Counts what is tried under one heading, and what of it failed. */
export function tally(what: string): Tally {
  let count = 0;
  const failures: string[] = [];
  return {
    count: (more = 1) => void (count += more),
    fail(message) {
      failures.push(message);
      progress(`✗ ${message}`);
    },
    close() {
      figure(what, count, failures.length);
      if (count === 0) throw new Error(`Nothing was tried: ${what}.`);
      if (failures.length > 0)
        throw new Error(`${what}: ${failures.length} of ${count} failed.\n${failures.slice(0, 20).join('\n')}`);
    },
  };
}

/** A measured figure that is no count of trials, such as megabytes. */
export function figure(what: string, value: number, failures = 0): void {
  if (file) appendFileSync(file, `${JSON.stringify({ what, count: value, failures })}\n`);
}
