import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { forAccount } from '../../../../../src/platform/db/transactions.ts';
import { findFile, piecesOf, removeFiles, storeFile } from '../../../../../src/platform/files/files.ts';
import { removeUnusedObjects } from '../../../../../src/platform/files/storage/housekeeping.ts';
import { useObjectStore } from '../../../../../src/platform/files/storage/stores.ts';
import { beginFile } from '../../../../../src/platform/files/streamed_files.ts';
import { connect, objectsOf, withObjectStore } from '../../../../support/object_store/store.ts';
import { command } from '../../../../support/processes/command.ts';
import { newWorld, type World } from '../../../../support/world.ts';

const store = withObjectStore();

/** Runs the command for one account, as an operator does. */
const move = ({ accountId }: World, environment = store.server.environment) =>
  command(['files', 'move', '--account', String(accountId)], { environment });

/** The settings with which files go back into the database. */
const backward = () => {
  const { FILES_URL, ...rest } = store.server.environment;
  return { ...rest, FILES_URL_PREVIOUS: FILES_URL! };
};

/** Stores files in the database, and returns their contents by id. */
async function storedFiles(world: World, sizes: readonly number[]): Promise<Map<string, Buffer>> {
  useObjectStore(undefined, { isForNewFiles: false });
  const contents = new Map<string, Buffer>();
  for (const size of sizes) {
    const bytes = randomBytes(size);
    const { id } = await forAccount(world.db, world.accountId, (tx) =>
      storeFile(tx, world.accountId, { name: 'a', bytes }, new Date()),
    );
    contents.set(id, bytes);
  }
  await connect(store.server.environment);
  return contents;
}

/** Expects that every file can be read, wherever it is. */
async function expectContents({ db, accountId }: World, contents: ReadonlyMap<string, Buffer>): Promise<void> {
  for (const [id, bytes] of contents) {
    const pieces: Buffer[] = [];
    for await (const piece of piecesOf(db, accountId, (await findFile(db, accountId, id))!)) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  }
}

const placesOf = async ({ db, accountId }: World) => {
  const ofAccount = { objects: 0, pieces: 0 };
  const files = await db.selectFrom('files').select('object_key').where('account_id', '=', accountId).execute();
  ofAccount.objects = files.filter(({ object_key }) => object_key !== null).length;
  ofAccount.pieces = (
    await db.selectFrom('file_pieces').select('position').where('account_id', '=', accountId).execute()
  ).length;
  return ofAccount;
};

const sizes = [0, 1, 300_000, 6 * 2 ** 20];

describe('files move', () => {
  it('moves files to the object store and back, whole, with progress', async () => {
    const world = await newWorld();
    const contents = await storedFiles(world, sizes);
    expect(await placesOf(world)).toEqual({ objects: 0, pieces: 1 + 2 + 24 });
    const moved = await move(world);
    expect([moved.code, moved.told]).toEqual([0, expect.stringMatching(/^Moved 4 files \(6\.29 MiB\) from the database to /)]); // prettier-ignore
    expect(moved.shares).toEqual([0.25, 0.5, 0.75, 1]);
    await connect(store.server.environment);
    await expectContents(world, contents);
    expect(await placesOf(world)).toEqual({ objects: 4, pieces: 0 });
    expect((await move(world)).told).toContain('Moved 0 files');

    expect((await move(world, backward())).told).toMatch(/^Moved 4 files .* to the database\.$/);
    expect(await placesOf(world)).toEqual({ objects: 0, pieces: 1 + 2 + 24 });
    await connect(backward());
    await expectContents(world, contents);
    expect(objectsOf(store.server, world)).toHaveLength(4);
    await removeUnusedObjects(world.watchedDb, new Date());
    expect(objectsOf(store.server, world)).toEqual([]);
  });

  it('loses nothing when the store fails in between, and goes on with the rest', async () => {
    const world = await newWorld();
    const contents = await storedFiles(world, [10, 20, 30, 40]);
    let puts = 0;
    // An object is stored, and its record is not changed: as when the command is killed at this moment.
    store.server.failsAt = (request) => request.startsWith('PUT') && ++puts > 2;
    const failed = await move(world);
    expect([failed.code, failed.told]).toEqual([1, expect.stringContaining('The file store is temporarily unavailable.')]); // prettier-ignore
    await connect(store.server.environment);
    await expectContents(world, contents);
    expect(await placesOf(world)).toEqual({ objects: 2, pieces: 2 });
    store.server.failsAt = () => false;
    expect((await move(world)).told).toContain('Moved 2 files');
    await connect(store.server.environment);
    await expectContents(world, contents);

    store.server.failsAt = (request) => request.startsWith('GET') && ++puts > 6;
    expect((await move(world, backward())).code).toBe(1);
    store.server.failsAt = () => false;
    await connect(backward());
    await expectContents(world, contents);
    expect((await move(world, backward())).code).toBe(0);
    await connect(backward());
    await expectContents(world, contents);
    expect(await placesOf(world)).toEqual({ objects: 0, pieces: 4 });
  });

  it('leaves a file that is still being written, and one that is deleted meanwhile', async () => {
    const world = await newWorld();
    const { db, accountId } = world;
    const contents = await storedFiles(world, [10]);
    const [deleted] = contents.keys();
    useObjectStore(undefined, { isForNewFiles: false });
    await beginFile(db, accountId, { name: 'a.csv', contentType: 'text/csv' }, new Date());
    store.server.before = async (request) => {
      if (request.startsWith('PUT')) await removeFiles(db, accountId, [deleted!]);
    };
    expect((await move(world)).told).toContain('Moved 0 files');
    expect(objectsOf(store.server, world)).toEqual([]);
    expect(await placesOf(world)).toEqual({ objects: 0, pieces: 0 });
  });

  it('needs a store', async () => {
    const { code, told } = await move(await newWorld(), {});
    expect([code, told]).toEqual([2, expect.stringContaining('FILES_URL is not set')]);
  });
});
