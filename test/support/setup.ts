import { afterAll, beforeAll } from 'vitest';
import { requireRouted } from './routing/watched_database.ts';
import { service } from './service.ts';

/** Starts the worker's service before the tests, so that its start does not count for the first one. */
beforeAll(async () => {
  await service();
}, 120_000);

/** Fails if the service has sent statements that a database distributed by account could not send to one server. */
afterAll(requireRouted);
