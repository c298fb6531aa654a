import { defineConfig } from 'vitest/config';

const hasServer = Boolean(process.env['TEST_DATABASE_URL']);

const project = (name: string, include: string[], rest: object = {}) => ({
  extends: true as const,
  test: { name, include, ...rest },
});

/** One migrated template of the database, from which each worker makes its own. */
const globalSetup = ['test/support/database/template.ts'];

/** What `npm test` takes of the files that send requests, see scripts/test.ts. */
const sample = process.env['TEST_SAMPLE']?.split(',');

export default defineConfig({
  test: {
    // Both print the time of every file that they name.
    reporters: ['default', 'test/support/slowest_files.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      project('unit', ['test/unit/**/*.test.ts'], { isolate: false }),
      project('meta', ['test/meta/**/*.test.ts'], { isolate: false }),
      // One database and one app per worker. Each test makes an account of its own, which isolates it.
      project('api', sample ?? ['test/api/**/*.test.ts', 'test/verify/*.test.ts'], {
        globalSetup,
        setupFiles: ['test/support/setup.ts'],
        isolate: false,
      }),
      project(
        'system',
        [
          'test/system/programs/**/*.test.ts',
          ...(hasServer ? ['test/system/server/**/*.test.ts', 'test/verify/processes/**/*.test.ts'] : []),
        ],
        { globalSetup },
      ),
    ],
  },
});
