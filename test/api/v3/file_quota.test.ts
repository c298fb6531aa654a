import { afterEach, describe, expect, it } from 'vitest';
import { removeExpiredRecords } from '../../../src/lifecycle/deleted_records/retention.ts';
import { setFileQuota } from '../../../src/platform/files/quota.ts';
import { absenceOf } from '../../support/absences.ts';
import { call, pointersIn, titlesIn } from '../../support/client.ts';
import { images, png } from '../../support/images.ts';
import { tracked } from '../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../support/world.ts';

afterEach(() => setFileQuota(0));

const mebibyte = 2 ** 20;
const file = (bytes: number, name = 'scan.bin') => ({ field: 'files', name, bytes: Buffer.alloc(bytes, 'x') });

/** The size of the account's files, by the stored total and by the files themselves. */
async function usedBytes({ db, accountId }: Pick<World, 'db' | 'accountId'>): Promise<[kept: number, counted: number]> {
  const kept = await db
    .selectFrom('file_totals')
    .select('used_bytes')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const files = await db.selectFrom('files').select('size_bytes').where('account_id', '=', accountId).execute();
  return [kept?.used_bytes ?? 0, files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)];
}

describe('the file quota of an account', () => {
  it('400 names the quota, what is used, and the size of the file', async () => {
    const { employee, params } = await tracked();
    setFileQuota(mebibyte);
    const attach = (bytes: number) => employee.call('createTimeTrackingAttachments', { params, files: [file(bytes)] });
    expect((await attach(mebibyte / 2)).status).toBe(201);
    const refused = await attach(mebibyte / 2 + 1);
    expect([refused.status, pointersIn(refused)]).toEqual([400, ['base']]);
    expect(titlesIn(refused)).toEqual([
      'The file "scan.bin" has 0.50 MiB. The files of this account may have 1.00 MiB together, and 0.50 MiB are used.',
    ]);
    expect((await attach(mebibyte / 2)).status).toBe(201);
  });

  it('400 stores none of several files if one is over it', async () => {
    const world = await tracked();
    setFileQuota(250);
    const files = [file(100, 'a'), file(100, 'b'), file(100, 'c')];
    const { status } = await world.employee.call('createTimeTrackingAttachments', { params: world.params, files });
    expect(status).toBe(400);
    expect(await usedBytes(world)).toEqual([0, 0]);
  });

  it('400 for every way to store a file', async () => {
    const world = await tracked();
    const { admin, employee, enterprise, params } = world;
    const absence_id = await absenceOf(world, employee);
    setFileQuota(1);
    const avatar = `data:image/png;base64,${images.png}`;
    const image = { field: 'image', name: 'signature.png', bytes: png };
    const doc = { field: 'doc', name: 'contract.txt', bytes: Buffer.from('contract') };
    const answers = [
      await employee.call('createTimeTrackingAttachments', { params, files: [file(2)] }),
      await employee.call('createAbsenceAttachments', { params: { absence_id }, files: [file(2)] }),
      await employee.call('createTimeTrackingSignature', { params, files: [image] }),
      await admin.call('createUser', { body: bodyOf('user', { username: 'Robin', avatar }) }),
      await admin.call('updateUser', { params: { user_id: employee.id }, body: bodyOf('user', { avatar }) }),
      await admin.call('updateWorkspace', { body: bodyOf('workspace', { avatar }) }),
      await enterprise('createUpload', { form: { user_id: String(employee.id), title: 'Contract' }, files: [doc] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    for (const answer of answers) expect(titlesIn(answer).join()).toContain('The files of this account may have');
    expect(await usedBytes(world)).toEqual([0, 0]);
  });

  it('applies to files that are stored at the same time', async () => {
    const world = await tracked();
    setFileQuota(250);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        world.employee.call('createTimeTrackingAttachments', { params: world.params, files: [file(100)] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400, 400, 400, 400]);
    expect(await usedBytes(world)).toEqual([200, 200]);
  });

  it('is free again when files are removed, and belongs to one account', async () => {
    const world = await tracked();
    const { admin, employee, params } = world;
    setFileQuota(250);
    const attach = (person = employee) => person.call('createTimeTrackingAttachments', { params, files: [file(200)] });
    expect([(await attach()).status, (await attach()).status]).toEqual([201, 400]);
    const other = await tracked();
    const elsewhere = { params: other.params, files: [file(200)] };
    expect((await other.employee.call('createTimeTrackingAttachments', elsewhere)).status).toBe(201);

    // The files of a deleted record are kept with it, until it is removed for good.
    expect((await admin.call('deleteTimeTracking', { params })).status).toBeLessThan(300);
    expect(await usedBytes(world)).toEqual([200, 200]);
    await removeExpiredRecords(world.watchedDb, 0, new Date(Date.now() + 1000));
    expect(await usedBytes(world)).toEqual([0, 0]);
    const avatar = `data:image/png;base64,${images.png}`;
    for (let round = 0; round < 5; round++) {
      const changed = await admin.call('updateUser', {
        params: { user_id: employee.id },
        body: bodyOf('user', { avatar }),
      });
      expect(changed.status).toBe(200);
    }
    expect(await usedBytes(world)).toEqual([png.length, png.length]);
  });

  it('is off where it is 0', async () => {
    const world = await newWorld();
    const user_id = String(world.employee.id);
    const doc = { field: 'doc', name: 'contract.bin', bytes: Buffer.alloc(5 * mebibyte) };
    const form = { api_token: world.apiToken, user_id, title: 'Contract' };
    expect((await call('public', 'createUpload', { form, files: [doc] })).status).toBe(200);
  });
});
