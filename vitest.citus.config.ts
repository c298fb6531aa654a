import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/citus/**/*.test.ts'],
    globalSetup: ['test/support/database/template.ts', 'test/support/processes/fresh_build.ts'],
    pool: 'forks',
    // The tests of the app share one database.
    isolate: false,
    maxWorkers: 1,
    testTimeout: 900_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
