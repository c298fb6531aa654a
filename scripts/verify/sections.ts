/** A part of `npm run verify`. */
export interface Section {
  readonly name: string;
  readonly promise: string;
  /** The arguments of Node. */
  readonly command: readonly string[];
  /** The databases that it runs on. A section that opens its own databases runs once. */
  readonly databases: readonly Database[];
  /** Whether it runs only if the command names it, or all. */
  readonly isOptional?: true;
  /** Whether it has no long form. */
  readonly isShort?: true;
}

export type Database = 'embedded' | 'postgres';

const vitest = (file: string): string[] => [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'vitest.verify.config.ts',
  file,
];

const section = (
  name: string,
  promise: string,
  databases: readonly Database[] = ['embedded', 'postgres'],
): Section => ({
  name,
  promise,
  command: vitest(`test/verify/${name}.test.ts`),
  databases,
});

/** A section that starts processes of the service. It is too slow for `npm test`; `npm run test:pg` runs its short form. */
const ofProcesses = (name: string, promise: string, databases?: readonly Database[]): Section => ({
  ...section(name, promise, databases),
  command: vitest(`test/verify/processes/${name}.test.ts`),
});

/** Every section, in the order in which they run. */
export const sections: readonly Section[] = [
  section('tenancy', 'no account reads, counts or changes records of another, whatever a request refers to'),
  section('second_wall', 'row-level security holds where a query forgets to filter'),
  section('credentials', 'no operation answers without a valid credential'),
  section('fuzzing', 'the contract describes the answer to any request'),
  section('bounds', 'no request sends a number outside the bounds of the contract'),
  section('list_lengths', 'a list that is too long costs no more than a short one'),
  section('limited_view', 'a colleague shows no more of a user than a short list of attributes'),
  section('limited_view_filters', 'no filter or sort depends on what is private about a colleague'),
  section('mass_assignment', 'no write changes an attribute that it does not document'),
  section('sent_members', 'no update silently ignores a member that its own response shows'),
  section('idempotency', 'a POST with an idempotency key runs once, however often it is sent'),
  section('events', 'every operation that writes leaves an event, with a name that the contract lists'),
  section('time_account', 'targets, absences, balances and vacation are what a second implementation finds', [
    'embedded',
  ]),
  section('time_account_over_http', 'both APIs show the time accounts that a second implementation finds'),
  section('working_time_rules', 'the working-time rules find what a second implementation finds', ['embedded']),
  section('roles', 'every operation admits the roles of a reviewed table, and no stranger'),
  section(
    'privilege_escalation',
    'whatever users change about members, roles, addresses, areas and tokens, they gain access to nothing more',
  ),
  section('change_feed', 'the change feed misses nothing, repeats nothing, and keeps the order of each record'),
  ofProcesses('lost_answers', 'a request whose answer was lost with a killed server ran once'),
  ofProcesses('crashes', 'killed at any time, the service loses and duplicates nothing, and recovers'),
  ofProcesses('killed_feed', 'the change feed is complete after the server was killed'),
  ofProcesses('outage', 'the service survives an outage of PostgreSQL, and recovers', ['postgres']),
  ofProcesses('fairness', 'an account that asks for as much as it can slows others down little', ['postgres']),
  ofProcesses('shutdown', 'SIGTERM drops no response and stops a process within 10 seconds'),
  ofProcesses(
    'limits',
    'requests that are too large, too deep or too slow are rejected, and others are served meanwhile',
    ['embedded'],
  ),
  ofProcesses('secrets', 'no secret is stored or logged in clear, and response times reveal no e-mail address'),
  {
    name: 'tests',
    promise: 'every test passes on both databases, and the tests cover the contracts',
    command: ['--import', 'tsx', 'scripts/test.ts', '--all'],
    databases: ['embedded', 'postgres'],
    isOptional: true,
    isShort: true,
  },
  {
    name: 'mutations',
    promise: 'the tests notice mistakes that are made on purpose, in a copy of the sources',
    command: ['--import', 'tsx', 'scripts/verify/mutations/run.ts'],
    // Most of its tests run on the embedded database, and those that need it on PostgreSQL.
    databases: ['postgres'],
    isOptional: true,
  },
];
