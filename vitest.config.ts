import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/server/**', 'test/browser/**'],
    globalSetup: ['test/support/template.ts'],
    pool: 'forks',
    // One database and one app per worker; each test makes an account of its own, which isolates it.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
