import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { readConfig } from '../../../src/platform/config.ts';
import { openObjectStore, useObjectStore } from '../../../src/platform/files/storage/stores.ts';
import { service } from '../service.ts';
import type { World } from '../world.ts';
import { startObjectServer, type ObjectServer } from './server.ts';

/** Lets the tests of a file store contents of files in an object store. */
export function withObjectStore(): { readonly server: ObjectServer } {
  const holder: { server: ObjectServer } = { server: undefined! };
  beforeAll(async () => {
    holder.server = await startObjectServer();
  });
  beforeEach(() => connect(holder.server.environment));
  afterEach(() => {
    holder.server.failsAt = () => false;
    holder.server.before = async () => {};
    useObjectStore(undefined, { isForNewFiles: false });
  });
  afterAll(() => holder.server.close());
  return holder;
}

/** Opens the object store that these settings name, as a process does when it starts. */
export const connect = async (environment: Readonly<Record<string, string>>) =>
  (await openObjectStore((await service()).database.db, readConfig(environment)))!;

/** The objects of an account. The account is the last part but one of a key. */
export const objectsOf = ({ objects }: ObjectServer, { accountId }: Pick<World, 'accountId'>): string[] =>
  [...objects.keys()].filter((key) => key.split('/').at(-2) === String(accountId));
