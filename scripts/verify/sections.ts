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

const section = (
  name: string,
  promise: string,
  databases: readonly Database[] = ['embedded', 'postgres'],
): Section => ({
  name,
  promise,
  file: `test/verify/${name}.test.ts`,
  databases,
});

/** A section that starts processes of the service: too slow for `npm test`, and part of `npm run test:pg` in its short form. */
const ofProcesses = (name: string, promise: string, databases?: readonly Database[]): Section => ({
  ...section(name, promise, databases),
  file: `test/verify/processes/${name}.test.ts`,
});

/** Every section, in the order in which they run. */
export const sections: readonly Section[] = [
  section('tenancy', 'no account reads, counts or changes anything of another, whatever record a request names'),
  section('second_wall', 'row-level security holds where a query forgets to filter'),
  section('credentials', 'no operation answers without a good credential'),
  section('fuzzing', 'whatever is sent to an operation, the answer is one that the contract describes'),
  section('bounds', 'no number of a request is taken outside of the bounds that the contract gives it'),
  section('mass_assignment', 'no write changes an attribute that it does not document'),
  section('idempotency', 'every POST under a key is done once, however often it is sent'),
  section('roles', 'every operation lets in the roles of a reviewed table, and strangers nowhere'),
  ofProcesses('lost_answers', 'a request whose answer was lost with a killed server was done once'),
  ofProcesses('crashes', 'killed at any moment, the service loses and doubles nothing, and goes on'),
  ofProcesses('outage', 'the service outlives PostgreSQL, and serves again when it is back', ['postgres']),
  ofProcesses('shutdown', 'SIGTERM drops no answer and ends a process within 10 seconds'),
  ofProcesses('limits', 'too much, too deep and too slow is refused or waited for, and others are served meanwhile', [
    'embedded',
  ]),
  ofProcesses(
    'secrets',
    'no password, token, key or link stands anywhere in clear, and time tells nothing about an address',
  ),
];
