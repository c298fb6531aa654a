import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/examples/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
