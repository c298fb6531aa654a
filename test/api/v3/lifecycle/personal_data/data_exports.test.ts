import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { deleteExpired } from '../../../../../src/platform/files/made_files.ts';
import { personalDataMap, tables } from '../../../../../src/lifecycle/personal_data/personal_data_map.ts';
import { dataExportJobs } from '../../../../../src/lifecycle/personal_data/make.ts';
import { beginFile } from '../../../../../src/platform/files/streamed_files.ts';
import { service } from '../../../../support/service.ts';
import { newWorld, type World } from '../../../../support/world.ts';
import { archiveOf, asked, madeCopy, markedUser, newMarker } from './support.ts';

const rowIn = ({ db, accountId }: World) =>
  db.selectFrom('data_exports').selectAll().where('account_id', '=', accountId).executeTakeFirstOrThrow();
const filesOf = async ({ db, accountId }: World): Promise<number> =>
  (await db.selectFrom('files').select('id').where('account_id', '=', accountId).execute()).length;
const jsonIn = (files: Record<string, Uint8Array>, name: string) => JSON.parse(strFromU8(files[name]!));

describe('createDataExport', () => {
  it('201 makes an archive with every table, the files and a manifest', async () => {
    const world = await newWorld();
    const marker = newMarker();
    const user = await markedUser(world, marker);
    const bytes = await archiveOf(world.admin, user.id);
    const files = unzipSync(bytes);
    const names = Object.keys(files);
    for (const [table] of personalDataMap) expect(names).toContain(`tables/${table}.json`);
    const manifest = jsonIn(files, 'manifest.json');
    expect(manifest.files.map((file: { path: string }) => file.path).sort()).toEqual(
      names.filter((name) => name !== 'manifest.json').sort(),
    );
    expect(manifest.left_out.tables.workspaces).toBe(tables.workspaces.reason);

    expect(jsonIn(files, 'tables/users.json')).toMatchObject([{ id: user.id, username: marker, birthday: '1990-04-23' }]); // prettier-ignore
    expect(jsonIn(files, 'tables/memberships.json')[0].identifier_pin).toMatch(/./);
    for (const table of [
      'time_trackings',
      'breaks',
      'absences',
      'absence_days',
      'notes',
      'attachments',
      'signatures',
      'actions',
      'uploads',
      'custom_field_values',
      'events',
      'deleted_records',
      'accounting_periods',
      'vacation_entitlements',
      'time_account_entries',
      'notifications',
    ])
      // prettier-ignore
      expect([table, jsonIn(files, `tables/${table}.json`).length]).not.toEqual([table, 0]);
    // An avatar, a document, a signature, and three attachments, one of them of a deleted time tracking.
    const stored = names.filter((name) => name.startsWith('files/'));
    expect(stored).toHaveLength(6);
    expect(stored.map((name) => strFromU8(files[name]!, true)).join()).toContain(`A file about ${marker}.`);
    // Another program agrees, where there is one.
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'punchcard-copy-')), 'copy.zip');
    writeFileSync(file, bytes);
    const { error, stdout } = spawnSync('unzip', ['-tq', file], { encoding: 'utf8' });
    if ((error as { code?: string } | undefined)?.code !== 'ENOENT') expect(stdout).toContain('No errors detected');
  }, 300_000);

  it('has no secrets, and nothing about others but ids', async () => {
    const world = await newWorld();
    await world.db.updateTable('users').set({ username: 'Olga Other' }).where('id', '=', world.admin.id).execute();
    const marker = newMarker();
    const user = await markedUser(world, marker);
    const files = unzipSync(await archiveOf(user, user.id));
    const text = Object.values(files).map((bytes) => strFromU8(bytes, true)).join('\n'); // prettier-ignore
    expect(text).not.toContain('Olga Other');
    expect(text).not.toContain(world.admin.email);
    expect(text).not.toContain(user.token);
    expect(text).not.toMatch(/argon2|"(hash|password_hash|secret|request_hash)"/);
  }, 300_000);

  it('reads long tables in pages, and lists records of others by their ids', async () => {
    const world = await newWorld();
    const { db, accountId, workspaceId, admin, employee } = world;
    const own = { account_id: accountId, workspace_id: workspaceId, created_by: 'admin', created_at: new Date(), updated_at: new Date() }; // prettier-ignore
    const trackings = Array.from({ length: 2100 }, (_, index) => {
      const starts_at = new Date(Date.UTC(2025, 0, 1) + index * 3_600_000);
      const ends_at = new Date(starts_at.getTime() + 60_000);
      return {
        ...own,
        user_id: employee.id,
        last_editor_id: admin.id,
        starts_at,
        ends_at,
        actual_starts_at: starts_at,
      };
    });
    await db.insertInto('time_trackings').values(trackings).execute();
    expect(jsonIn(unzipSync(await archiveOf(employee, employee.id)), 'tables/time_trackings.json')).toHaveLength(2100);
    const ofAdmin = unzipSync(await archiveOf(admin, admin.id));
    expect(jsonIn(ofAdmin, 'tables/time_trackings.json')).toEqual([]);
    const mentioned = jsonIn(ofAdmin, 'mentions/time_trackings.last_editor_id.json');
    expect(mentioned).toHaveLength(2100);
    expect(Object.keys(mentioned[0])).toEqual(['id']);
  }, 300_000);

  it('201 for oneself, and for a deleted user', async () => {
    const world = await newWorld();
    expect((await madeCopy(world.employee, world.employee.id)).status).toBe('success');
    await asked(world.admin, 'deleteUser', { params: { user_id: world.employee.id } });
    expect((await madeCopy(world.admin, world.employee.id)).status).toBe('success');
  });

  it('400 for an empty Idempotency-Key, 403 for the data of others, 404 for strangers and unknown users', async () => {
    const world = await newWorld();
    const params = { user_id: world.employee.id };
    const empty = await world.admin.call('createDataExport', { params, headers: { 'Idempotency-Key': '' } });
    expect(empty.status).toBe(400);
    for (const role of ['employee', 'areaAdmin', 'workspaceAdmin'] as const)
      expect((await (await world.addMember(role)).call('createDataExport', { params })).status).toBe(403);
    expect((await world.stranger.call('createDataExport', { params })).status).toBe(404);
    const abroad = { user_id: world.stranger.id };
    expect((await world.admin.call('createDataExport', { params: abroad })).status).toBe(404);
  });
});

describe('getDataExport', () => {
  it('200 for the user and for account admins, 403 for others, 404 under another user', async () => {
    const world = await newWorld();
    const { data } = await asked(world.admin, 'createDataExport', { params: { user_id: world.employee.id } });
    const params = { user_id: world.employee.id, data_export_id: data.id };
    for (const person of [world.admin, world.employee])
      expect((await person.call('getDataExport', { params })).status).toBe(200);
    const other = await world.addMember('workspaceAdmin');
    expect((await other.call('getDataExport', { params })).status).toBe(403);
    expect((await world.stranger.call('getDataExport', { params })).status).toBe(404);
    const wrong = { ...params, user_id: world.admin.id };
    expect((await world.admin.call('getDataExport', { params: wrong })).status).toBe(404);
  });
});

describe('a data export whose worker dies', () => {
  it('is made anew, without what the dead worker has stored', async () => {
    const world = await newWorld();
    const { db, accountId, admin, employee } = world;
    const { data } = await asked(admin, 'createDataExport', { params: { user_id: employee.id } });
    const left = await beginFile(db, accountId, { name: 'left.zip', contentType: 'application/zip' }, new Date());
    const piece = { account_id: accountId, file_id: left, position: 0, bytes: Buffer.from('half a file') };
    await db.insertInto('file_pieces').values(piece).execute();
    await db
      .updateTable('data_exports')
      .set({ attempts: 1, file_id: left })
      .where('account_id', '=', accountId)
      .execute();
    await (await service()).jobs.drain();
    const params = { user_id: employee.id, data_export_id: data.id };
    expect((await asked(admin, 'getDataExport', { params })).data.attributes).toMatchObject({ status: 'success', progress: 100 }); // prettier-ignore
    expect(await filesOf(world)).toBe(1);
  });

  it('fails and says so when every attempt was interrupted', async () => {
    const world = await newWorld();
    await asked(world.admin, 'createDataExport', { params: { user_id: world.employee.id } });
    await world.db.updateTable('data_exports').set({ attempts: 3 }).where('account_id', '=', world.accountId).execute();
    await (await service()).jobs.drain();
    const message = 'The service was interrupted each time it made the file.';
    expect(await rowIn(world)).toMatchObject({ status: 'failed', message, file_id: null });
  });

  it('is retried after an error, and fails after the third', async () => {
    const world = await newWorld();
    const { data } = await asked(world.admin, 'createDataExport', { params: { user_id: world.employee.id } });
    const job = { accountId: world.accountId, dataExportId: Number(data.id) };
    for (const attempt of [1, 2, 3]) {
      let calls = 0;
      const failing = (): Date => {
        // The first call begins the attempt, the third one stores a piece.
        if (++calls === 3) throw new Error('The disk is full.');
        return new Date();
      };
      await expect(dataExportJobs(world.watchedDb, failing)['data_export']!(job as never)).rejects.toThrow(
        'The disk is full.',
      );
      expect(await rowIn(world)).toMatchObject({ attempts: attempt, status: attempt < 3 ? 'pending' : 'failed' });
    }
    expect(await filesOf(world)).toBe(0);
  });

  it('is removed with its file after 7 days', async () => {
    const world = await newWorld();
    const { expires_at } = await madeCopy(world.admin, world.employee.id);
    await deleteExpired(world.watchedDb, 'data_exports', new Date(new Date(expires_at).getTime() - 60_000));
    expect(await filesOf(world)).toBe(1);
    await deleteExpired(world.watchedDb, 'data_exports', new Date(expires_at));
    expect(await filesOf(world)).toBe(0);
  });
});
