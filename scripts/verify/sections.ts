/** A part of `npm run verify`. */
export interface Section {
  readonly name: string;
  readonly promise: string;
  /** The vitest file that does it. */
  readonly file: string;
  /** Where it runs: a section that opens databases of its own needs to run once only. */
  readonly databases: readonly Database[];
}

export type Database = 'embedded' | 'postgres';

const section = (name: string, promise: string, databases: readonly Database[] = ['embedded', 'postgres']): Section => ({
  name,
  promise,
  file: `test/verify/${name}.test.ts`,
  databases,
});

/** Every section, in the order in which they run. */
export const sections: readonly Section[] = [
  section('credentials', 'no operation answers without a good credential'),
  section('roles', 'every operation lets in the roles of a reviewed table, and strangers nowhere'),
];
