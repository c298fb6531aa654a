import { appendFileSync } from 'node:fs';

/*
 * Every file in test/verify is one section of `npm run verify`, which runs it in its long form and prints its figures in a table.
 * `npm run test:pg` runs the short form, and `npm test` that of some.
 */

const { VERIFY: form, VERIFY_FIGURES: file, VERIFY_SEED: givenSeed } = process.env;

export const isLong = form === 'long';

/** The number of repetitions: the first value in the short form, the second in the long one. */
export const repetitions = (short: number, long: number): number => (isLong ? long : short);

/** How many times as long as promised an answer may take. Other tests run beside the short form and slow it down. */
export const slack = isLong ? 1 : 4;

/** The timeout of a whole test. Each request has its own timeout, so this one only ends a test that hangs. */
export const walkTimeoutMs = isLong ? 3 * 3_600_000 : 900_000;

/** The whole list in the long form. In the short form `short` items of it, different ones each time. */
export const sample = <T>(list: readonly T[], short: number, turn: number): readonly T[] =>
  isLong
    ? list
    : Array.from(
        { length: Math.min(short, list.length) },
        (_item, index) => list[(turn * short + index) % list.length]!,
      );

/** The seed of random choices: fixed in the short form, new in each long run unless VERIFY_SEED is set. */
export const seed = givenSeed ? Number(givenSeed) : isLong ? Date.now() % 2 ** 31 : 1;

/** Prints the progress of a long run. */
export function progress(line: string): void {
  if (isLong) console.log(`  ${line}`);
}

/** One line of the table. */
export interface Tally {
  /** Adds to the number of trials. */
  count(more?: number): void;
  /** Records a failed trial. */
  fail(message: string): void;
  /** Writes the line, and throws if a trial failed. */
  close(): void;
}

/** Counts the trials and failures of one line. */
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
      if (count === 0) throw new Error(`No trials: ${what}.`);
      if (failures.length > 0)
        throw new Error(`${what}: ${failures.length} of ${count} failed.\n${failures.slice(0, 20).join('\n')}`);
    },
  };
}

/** Writes a measured figure, such as megabytes. */
export function figure(what: string, value: number, failures = 0): void {
  if (file) appendFileSync(file, `${JSON.stringify({ what, count: value, failures })}\n`);
}
