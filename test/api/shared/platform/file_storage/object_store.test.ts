import { randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { signedLinks } from '../../../../../src/platform/files/links.ts';
import { setFileQuota } from '../../../../../src/platform/files/quota.ts';
import { removeUnusedObjects } from '../../../../../src/platform/files/storage/housekeeping.ts';
import { beginFile, completeFile, writeFile } from '../../../../../src/platform/files/streamed_files.ts';
import { images, png } from '../../../../support/images.ts';
import { objectsOf, withObjectStore } from '../../../../support/object_store/store.ts';
import { insertTimeTracking } from '../../../../support/records.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { bytesAt, fileOf, rowsIn } from '../../../v3/payroll/exports/support.ts';

const store = withObjectStore();
const mebibyte = 2 ** 20;

const attach = async (world: World, files: readonly { name: string; bytes: Buffer }[]) =>
  world.employee.call('createTimeTrackingAttachments', {
    params: { time_tracking_id: await insertTimeTracking(world, world.employee.id) },
    files: files.map((file) => ({ ...file, field: 'files' })),
  });
const piecesOf = ({ db, accountId }: World) =>
  db.selectFrom('file_pieces').select('position').where('account_id', '=', accountId).execute();

describe('a file in an object store', () => {
  it('is put under a key with its account, and is sent as one from the database is', async () => {
    const world = await newWorld();
    const { status, body } = await attach(world, [{ name: 'shelf.png', bytes: png }]);
    expect(status).toBe(201);
    const [key] = objectsOf(store.server, world);
    expect(key).toMatch(new RegExp(`^punch/card/[0-9a-f-]{36}/\\d{4}-\\d\\d-\\d\\d/${world.accountId}/[0-9a-f-]{36}$`));
    expect(store.server.objects.get(key!)!.bytes).toEqual(png);
    expect(await piecesOf(world)).toEqual([]);
    const address = body.data[0].attributes.file_url;
    const response = await supertest('').get(address);
    expect(response.body).toEqual(png);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'cache-control': 'private, max-age=3600, no-transform',
    });
    const asked = store.server.requests.length;
    const head = await supertest('').head(address);
    expect([head.status, head.headers['content-length']]).toEqual([200, String(png.length)]);
    expect(store.server.requests.length).toBe(asked);
  });

  it('is reached through its record alone', async () => {
    const world = await newWorld();
    const { body } = await attach(world, [{ name: 'shelf.png', bytes: png }]);
    const objectId = objectsOf(store.server, world)[0]!.split('/').at(-1)!;
    const { url } = await service();
    const links = signedLinks('test key');
    // The id of the object is no id of a file, and another account has no such record.
    const fileId = new URL(body.data[0].attributes.file_url, url).pathname.split('/').at(-1)!;
    expect((await supertest(url).get(links.file(world.accountId, objectId))).status).toBe(404);
    expect((await supertest(url).get(links.file(world.accountId + 1, fileId))).status).toBe(404);
    expect((await supertest(url).get(links.file(world.accountId, fileId))).status).toBe(200);
  });

  it('of more than one part arrives whole, and so does an empty one', async () => {
    const world = await newWorld();
    const bytes = randomBytes(11 * mebibyte + 17);
    const { body } = await attach(world, [
      { name: 'large.bin', bytes },
      { name: 'empty', bytes: Buffer.alloc(0) },
    ]);
    const [large, empty] = body.data.map(({ attributes }: { attributes: { file_url: string } }) => attributes.file_url);
    expect((await bytesAt(large)).equals(bytes)).toBe(true);
    expect((await bytesAt(empty)).length).toBe(0);
    expect(store.server.requests.filter((request) => request.includes('partNumber='))).toHaveLength(3);
    expect(store.server.uploads.size).toBe(0);
  });

  it('is every file: signatures, images and documents', async () => {
    const world = await newWorld();
    const time_tracking_id = await insertTimeTracking(world, world.employee.id);
    const image = { field: 'image', name: 'signature.png', bytes: png };
    const doc = { field: 'doc', name: 'contract.txt', bytes: Buffer.from('contract') };
    const avatar = `data:image/png;base64,${images.png}`;
    const statuses = [
      await world.employee.call('createTimeTrackingSignature', { params: { time_tracking_id }, files: [image] }),
      await world.admin.call('updateUser', {
        params: { user_id: world.employee.id },
        body: bodyOf('user', { avatar }),
      }),
      await world.enterprise('createUpload', { form: { user_id: String(world.employee.id) }, files: [doc] }),
    ].map(({ status }) => status);
    expect(statuses.every((status) => status < 300)).toBe(true);
    expect(objectsOf(store.server, world)).toHaveLength(3);
    expect(await piecesOf(world)).toEqual([]);
  });

  it('counts towards the quota; a file over it is not put into the store', async () => {
    const world = await newWorld();
    setFileQuota(100);
    try {
      expect((await attach(world, [{ name: 'a', bytes: Buffer.alloc(100, 'x') }])).status).toBe(201);
      expect((await attach(world, [{ name: 'b', bytes: Buffer.alloc(1, 'x') }])).status).toBe(400);
    } finally {
      setFileQuota(0);
    }
    expect(objectsOf(store.server, world)).toHaveLength(1);
  });

  it('loses its object once its record is gone', async () => {
    const world = await newWorld();
    await world.admin.call('updateUser', {
      params: { user_id: world.employee.id },
      body: bodyOf('user', { avatar: `data:image/png;base64,${images.png}` }),
    });
    expect(objectsOf(store.server, world)).toHaveLength(1);
    await removeUnusedObjects(world.watchedDb, new Date());
    expect(objectsOf(store.server, world)).toHaveLength(1);
    await world.admin.call('updateUser', {
      params: { user_id: world.employee.id },
      body: bodyOf('user', { avatar: null }),
    });
    await removeUnusedObjects(world.watchedDb, new Date());
    expect(objectsOf(store.server, world)).toEqual([]);
    const noted = await world.db.selectFrom('removed_objects').selectAll().where('account_id', '=', world.accountId).execute(); // prettier-ignore
    expect(noted).toEqual([]);
  });
});

describe('an export in an object store', () => {
  it('is made there, and is downloaded from there', async () => {
    const world = await newWorld();
    await insertTimeTracking(world, world.employee.id);
    expect(rowsIn(await fileOf(world.admin))).toHaveLength(1);
    expect(objectsOf(store.server, world)).toHaveLength(1);
    expect(await piecesOf(world)).toEqual([]);
  });

  it('of any length goes there in parts while it is made', async () => {
    const world = await newWorld();
    const { db, accountId } = world;
    const piece = randomBytes(mebibyte);
    const count = 48;
    let made = 0;
    let mostAhead = 0;
    const content = async function* () {
      for (; made < count; made++) {
        const parts = [...store.server.uploads.values()].flatMap((upload) => [...upload.parts.values()]);
        mostAhead = Math.max(mostAhead, made * mebibyte - parts.reduce((sum, { length }) => sum + length, 0));
        yield piece;
      }
    };
    const now = new Date();
    const fileId = await beginFile(db, accountId, { name: 'large.csv', contentType: 'text/csv' }, now);
    const link = signedLinks('test key').file(accountId, fileId);
    const { url } = await service();
    expect((await supertest(url).get(link)).status).toBe(404);
    const size = await writeFile(db, accountId, fileId, content(), async () => {});
    expect(size).toBe(count * mebibyte);
    await completeFile(db, accountId, fileId, size);
    // Two parts, and what waits in streams.
    expect(mostAhead).toBeLessThan(16 * mebibyte);
    const downloaded = await bytesAt(link);
    expect(downloaded.length).toBe(size);
    expect(downloaded.subarray(-mebibyte).equals(piece)).toBe(true);
  });
});
