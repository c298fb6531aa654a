import { beforeAll } from 'vitest';
import { service } from './service.ts';

/** Starts the worker's service outside of any test, so that the first one does not pay for it. */
beforeAll(async () => {
  await service();
}, 120_000);
