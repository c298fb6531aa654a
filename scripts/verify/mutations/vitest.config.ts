import { defineConfig } from 'vitest/config';

/** As in `npm test`. But the service starts only for tests that need it, and modules stay transformed from one run to the next. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database/template.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/modules' },
  },
});
