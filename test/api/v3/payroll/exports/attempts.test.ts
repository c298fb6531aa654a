import { describe, expect, it } from 'vitest';
import { exportJobs } from '../../../../../src/payroll/exports/make.ts';
import { deleteExpired } from '../../../../../src/platform/files/made_files.ts';
import { inPieces, pieceBytes } from '../../../../../src/platform/files/storage/pieces.ts';
import { beginFile } from '../../../../../src/platform/files/streamed_files.ts';
import { insertTimeTracking } from '../../../../support/records.ts';
import { service } from '../../../../support/service.ts';
import { newWorld, type World } from '../../../../support/world.ts';
import { ask, bytesAt, made, rowsIn } from './support.ts';

const exportOf = ({ db, accountId }: World) =>
  db.selectFrom('exports').selectAll().where('account_id', '=', accountId).executeTakeFirstOrThrow();
const filesOf = async ({ db, accountId }: World): Promise<number> =>
  (await db.selectFrom('files').select('id').where('account_id', '=', accountId).execute()).length;

/** Runs the job of an export as the queue does, in a service where something fails. */
const runWith = (world: World, exportId: number, clock: () => Date) =>
  exportJobs(world.watchedDb, clock)['export']!({ accountId: world.accountId, exportId } as never);

describe('an export whose worker dies', () => {
  it('is made anew, without what the dead worker has stored', async () => {
    const world = await newWorld();
    await insertTimeTracking(world, world.employee.id);
    const { body } = await ask(world.admin);
    // What a killed worker leaves: an attempt, a file without a size, and some of its pieces.
    const { db, accountId } = world;
    const left = await beginFile(db, accountId, { name: 'left.csv', contentType: 'text/csv' }, new Date());
    const piece = { account_id: accountId, file_id: left, position: 0, bytes: Buffer.from('half a file') };
    await db.insertInto('file_pieces').values(piece).execute();
    await db
      .updateTable('exports')
      .set({ attempts: 1, file_id: left, progress: 40 })
      .where('account_id', '=', accountId)
      .execute();

    await (await service()).jobs.drain();
    const shown = await world.admin.call('getTimeTrackingExport', { params: { export_id: body.data.id } });
    expect(shown.body.data.attributes).toMatchObject({ status: 'success', progress: 100 });
    expect(rowsIn(await bytesAt(shown.body.data.attributes.file_url))).toHaveLength(1);
    expect(await filesOf(world)).toBe(1);
  });

  it('is not finished by an older attempt that still runs', async () => {
    const world = await newWorld();
    await insertTimeTracking(world, world.employee.id);
    const { body } = await ask(world.admin);
    const exportId = Number(body.data.id);
    // Two workers with the same job: whoever begins last replaces the file of the other.
    await Promise.allSettled([1, 2].map(() => runWith(world, exportId, () => new Date())));
    await runWith(world, exportId, () => new Date());
    expect(await exportOf(world)).toMatchObject({ status: 'success', progress: 100 });
    expect(await filesOf(world)).toBe(1);
  });

  it('fails and says so when every attempt was interrupted', async () => {
    const world = await newWorld();
    await ask(world.admin);
    await world.db.updateTable('exports').set({ attempts: 3 }).where('account_id', '=', world.accountId).execute();
    await (await service()).jobs.drain();
    expect(await exportOf(world)).toMatchObject({
      status: 'failed',
      message: 'The service was interrupted each time it made the file. Ask for a smaller one.',
      file_id: null,
    });
  });

  it('is retried after an error, and fails after the third', async () => {
    const world = await newWorld();
    await insertTimeTracking(world, world.employee.id);
    const { body } = await ask(world.admin);
    for (const attempt of [1, 2, 3]) {
      let calls = 0;
      const failing = (): Date => {
        // The first call begins the attempt, the second one stores a piece.
        if (++calls === 2) throw new Error('The disk is full.');
        return new Date();
      };
      await expect(runWith(world, Number(body.data.id), failing)).rejects.toThrow('The disk is full.');
      expect(await exportOf(world)).toMatchObject({ attempts: attempt, status: attempt < 3 ? 'pending' : 'failed' });
    }
    expect(await exportOf(world)).toMatchObject({ message: 'Something went wrong on our side.', file_id: null });
    expect(await filesOf(world)).toBe(0);
  });
});

describe('housekeeping', () => {
  it('removes exports and their files after 7 days', async () => {
    const world = await newWorld();
    const { expires_at, file_url } = await made(world.admin);
    const expiry = new Date(expires_at);
    await deleteExpired(world.watchedDb, 'exports', new Date(expiry.getTime() - 60_000));
    expect((await bytesAt(file_url)).length).toBeGreaterThan(0);
    await deleteExpired(world.watchedDb, 'exports', expiry);
    expect(await filesOf(world)).toBe(0);
    const { used_bytes } = await world.db
      .selectFrom('file_totals')
      .select('used_bytes')
      .where('account_id', '=', world.accountId)
      .executeTakeFirstOrThrow();
    expect(used_bytes).toBe(0);
  });
});

describe('inPieces', () => {
  it('cuts any chunks into pieces of the stored size, without losing a byte', async () => {
    const chunks = [1, pieceBytes, pieceBytes - 1, 3 * pieceBytes + 7, 0, 5].map((length, index) =>
      Buffer.alloc(length, index + 1),
    );
    const pieces: Buffer[] = [];
    for await (const piece of inPieces(
      (async function* () {
        yield* chunks;
      })(),
    ))
      pieces.push(piece);
    expect(Buffer.concat(pieces).equals(Buffer.concat(chunks))).toBe(true);
    expect(pieces.slice(0, -1).every(({ length }) => length === pieceBytes)).toBe(true);
  });
});
