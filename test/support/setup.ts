import { beforeAll } from 'vitest';
import { service } from './service.ts';

/** Starts the worker's service before the tests, so that its start does not count for the first one. */
beforeAll(async () => {
  await service();
}, 120_000);
