import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database/template.ts', 'test/support/processes/fresh_build.ts'],
    setupFiles: ['test/support/setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    // Long runs say how far they have come while they run.
    disableConsoleIntercept: true,
    testTimeout: 3 * 3_600_000,
    hookTimeout: 600_000,
  },
});
