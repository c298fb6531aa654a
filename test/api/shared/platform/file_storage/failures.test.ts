import { setTimeout as pause } from 'node:timers/promises';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { exportJobs } from '../../../../../src/payroll/exports/make.ts';
import { setFileQuota } from '../../../../../src/platform/files/quota.ts';
import { removeUnusedObjects } from '../../../../../src/platform/files/storage/housekeeping.ts';
import { beginFile, writeFile } from '../../../../../src/platform/files/streamed_files.ts';
import { titlesIn } from '../../../../support/client.ts';
import { png } from '../../../../support/images.ts';
import type { ObjectServer } from '../../../../support/object_store/server.ts';
import { connect, objectsOf, withObjectStore } from '../../../../support/object_store/store.ts';
import { insertTimeTracking } from '../../../../support/records.ts';
import { service } from '../../../../support/service.ts';
import { newWorld, type World } from '../../../../support/world.ts';
import { ask } from '../../../v3/payroll/exports/support.ts';

const store = withObjectStore();
const mebibyte = 2 ** 20;
const hourMs = 3_600_000;

async function attach(world: World, files: readonly Buffer[]) {
  return world.employee.call('createTimeTrackingAttachments', {
    params: { time_tracking_id: await insertTimeTracking(world, world.employee.id) },
    files: files.map((bytes) => ({ field: 'files', name: 'scan.bin', bytes })),
  });
}
const filesOf = ({ db, accountId }: World) =>
  db.selectFrom('files').selectAll().where('account_id', '=', accountId).execute();
const partsOf = ({ uploads }: ObjectServer): number =>
  [...uploads.values()].reduce((sum, { parts }) => sum + parts.size, 0);
const unavailable = 'The file store is temporarily unavailable. Nothing was stored. Try again in a few seconds.';

describe('an object store that is down', () => {
  it('503 for an upload, of which nothing is stored', async () => {
    const world = await newWorld();
    store.server.failsAt = () => true;
    const refused = await attach(world, [png]);
    expect([refused.status, titlesIn(refused), refused.headers['retry-after']]).toEqual([503, [unavailable], '5']);
    expect(await filesOf(world)).toEqual([]);
    store.server.failsAt = () => false;
    expect((await attach(world, [png])).status).toBe(201);
  });

  it('503 when it fails in the middle of a large upload, of which nothing is left in the store either', async () => {
    const world = await newWorld();
    store.server.failsAt = (request) => request.includes('partNumber=2');
    expect((await attach(world, [Buffer.alloc(11 * mebibyte, 'x')])).status).toBe(503);
    expect(await filesOf(world)).toEqual([]);
    expect([objectsOf(store.server, world), store.server.uploads.size]).toEqual([[], 0]);
  });

  it('503 for a download, and everything else works', async () => {
    const world = await newWorld();
    const { body } = await attach(world, [png]);
    const address = body.data[0].attributes.file_url;
    const { url } = await service();
    store.server.failsAt = () => true;
    const refused = await supertest('').get(address);
    expect([refused.status, titlesIn(refused)]).toEqual([503, [unavailable]]);
    expect((await supertest(url).get('/health/ready')).status).toBe(200);
    store.server.failsAt = () => false;
    expect((await supertest('').get(address)).body).toEqual(png);
  });

  it('lets an export be tried again, which then succeeds', async () => {
    const world = await newWorld();
    const { body } = await ask(world.admin);
    store.server.failsAt = () => true;
    const run = exportJobs(world.watchedDb, () => new Date())['export']!;
    const job = { accountId: world.accountId, exportId: Number(body.data.id) } as never;
    await expect(run(job)).rejects.toThrow(unavailable);
    const shown = await world.admin.call('getTimeTrackingExport', { params: { export_id: body.data.id } });
    expect(shown.body.data.attributes).toMatchObject({ status: 'pending', message: null });
    store.server.failsAt = () => false;
    await (await service()).jobs.drain();
    const made = await world.admin.call('getTimeTrackingExport', { params: { export_id: body.data.id } });
    expect(made.body.data.attributes).toMatchObject({ status: 'success', progress: 100 });
  });

  it('says so at the start, which goes on without it', async () => {
    const objects = await connect(store.server.environment);
    expect(await objects.problem()).toBeUndefined();
    store.server.failsAt = () => true;
    const problem = await objects.problem();
    expect(problem).toMatchObject({ isPermanent: false });
    expect(problem!.advice).toMatch(/^The object store at http:\/\/127\.0\.0\.1:\d+ cannot be reached \(/);
  });
});

describe('an object store that refuses the service', () => {
  const wrong = (change: Record<string, string>) => connect({ ...store.server.environment, ...change });

  it('names the settings of the credentials, without the secret, and refuses uploads with 503', async () => {
    const secret = 'another secret';
    const problem = await (await wrong({ FILES_SECRET_ACCESS_KEY: secret })).problem();
    expect(problem).toMatchObject({ isPermanent: true });
    expect(problem!.advice).toContain('refuses the credentials (SignatureDoesNotMatch: ');
    expect(problem!.advice).toContain('Check FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY');
    expect(problem!.advice).not.toContain(secret);
    const world = await newWorld();
    const refused = await attach(world, [png]);
    expect([refused.status, titlesIn(refused)]).toEqual([503, [unavailable]]);
    expect(await filesOf(world)).toEqual([]);
  });

  it('names the bucket that does not exist', async () => {
    const problem = await (
      await wrong({ FILES_URL: store.server.filesUrl.replace('punchcard-files', 'other-files') })
    ).problem();
    expect(problem).toMatchObject({ isPermanent: true });
    expect(problem!.advice).toContain('has no bucket "other-files"');
  });
});

describe('an object without a record', () => {
  it('stays after a rolled-back transaction until housekeeping removes it, an hour later', async () => {
    const world = await newWorld();
    const kept = await attach(world, [png]);
    expect(kept.status).toBe(201);
    setFileQuota(png.length + 100);
    try {
      // The first file is put into the store, the second is over the quota.
      expect((await attach(world, [Buffer.alloc(60, 'a'), Buffer.alloc(60, 'b')])).status).toBe(400);
    } finally {
      setFileQuota(0);
    }
    const [key] = (await filesOf(world)).map(({ object_key }) => `punch/card/${object_key}`);
    expect(objectsOf(store.server, world)).toHaveLength(2);
    await removeUnusedObjects(world.watchedDb, new Date());
    expect(objectsOf(store.server, world)).toHaveLength(2);
    await removeUnusedObjects(world.watchedDb, new Date(Date.now() + hourMs + 1_000));
    expect(objectsOf(store.server, world)).toEqual([key]);
  });

  it('is removed on every page of the list, also days later, and never one of another database', async () => {
    const world = await newWorld();
    await attach(world, [png]);
    const [key] = objectsOf(store.server, world) as [string];
    const unknown = Array.from({ length: 8 }, () => key.replace(/[^/]+$/, crypto.randomUUID()));
    const foreign = key.replace(/card\/[^/]+/, `card/${crypto.randomUUID()}`);
    for (const name of [...unknown, foreign])
      store.server.objects.set(name, { bytes: png, modifiedAt: new Date(Date.now() - 2 * hourMs) });
    await removeUnusedObjects(world.watchedDb, new Date());
    expect(objectsOf(store.server, world).sort()).toEqual([foreign, key].sort());
  });

  it('is not left by an upload in parts that was never completed', async () => {
    const world = await newWorld();
    const { db, accountId } = world;
    const fileId = await beginFile(db, accountId, { name: 'a.csv', contentType: 'text/csv' }, new Date());
    // A process that is killed can neither complete nor abort.
    const content = async function* () {
      yield Buffer.alloc(6 * mebibyte, 'x');
      while (partsOf(store.server) === 0) await pause(10);
      store.server.failsAt = () => true;
      throw new Error('killed');
    };
    await expect(writeFile(db, accountId, fileId, content(), async () => {})).rejects.toThrow('killed');
    store.server.failsAt = () => false;
    expect(store.server.uploads.size).toBe(1);
    await removeUnusedObjects(db, new Date());
    expect(store.server.uploads.size).toBe(1);
    await removeUnusedObjects(db, new Date(Date.now() + 25 * hourMs));
    expect(store.server.uploads.size).toBe(0);
  });
});
