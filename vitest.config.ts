import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/browser/**',
      'test/citus/**',
      'test/clients/**',
      'test/examples/**',
      ...(process.env['TEST_DATABASE_URL'] ? [] : ['test/server/**', 'test/verify/processes/**']),
    ],
    globalSetup: ['test/support/database/template.ts'],
    setupFiles: ['test/support/setup.ts'],
    pool: 'forks',
    // One database and one app per worker; each test makes an account of its own, which isolates it.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
