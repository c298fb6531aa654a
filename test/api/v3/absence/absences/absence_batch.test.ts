import { describe, expect, it } from 'vitest';
import { createForUsers } from '../../../../../src/absence/absences/create_for_many.ts';
import { actorIn, actorRows } from '../../../../../src/platform/db/actors.ts';
import { forAccount } from '../../../../../src/platform/db/transactions.ts';
import type { WorkspaceActor } from '../../../../../src/platform/core/permissions.ts';
import { at, rowsIn, twoWeeks, typeOf } from '../../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';
import { violates } from '../../../../support/database/violations.ts';

const drain = async () => (await service()).jobs.drain();

const batch = async (world: World, person: Person, attributes: object) =>
  person.call('batchAbsences', {
    body: bodyOf('batch_action', {
      action: 'create',
      absence_type_id: await typeOf(world),
      ...twoWeeks,
      ...attributes,
    }),
  });

const outcomeOf = async (person: Person, batch_id: string) =>
  (await person.call('getBatchAction', { params: { batch_id } })).body.data.attributes;

describe('batchAbsences', () => {
  it('200 and makes one absence per user, with notes and followers each', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const colleague = await world.addMember('employee', 'colleague');
    const { status, body } = await batch(world, admin, {
      user_ids: [employee.id, String(colleague.id), employee.id],
      title: 'Company holidays',
      follower_ids: [admin.id],
      notes_attributes: [{ content: 'The office is closed.', created_by: 5 }],
      force_calc_custom_hours: true,
      hours: 40,
    });
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ message: 'The batch process is running.', batch_id: expect.any(String) });
    expect(body).not.toHaveProperty('data');
    expect(await rowsIn(world)).toMatchObject({ absences: 0, batches: 1 });
    await drain();
    const { body: list } = await admin.call('listAbsences', { query: { include: 'notes' } });
    expect(list.data).toHaveLength(2);
    for (const { attributes, relationships } of list.data) {
      expect(attributes).toMatchObject({
        title: 'Company holidays',
        days: 10,
        hours: 40,
        use_custom_values: true,
        confirmation_status: 'pending',
        system_notes_count: 1,
        user_notes_count: 1,
      });
      expect(relationships.followers.data).toEqual([{ type: 'user_overview', id: String(admin.id) }]);
    }
    expect(
      list.included.filter(({ attributes }: { attributes: { author?: string } }) => attributes.author === 'admin'),
    ).toHaveLength(2);
    expect(await outcomeOf(admin, body.meta.batch_id)).toMatchObject({
      action: 'create',
      state: 'finished',
      total: 2,
      done: 2,
      failed: 0,
      failures: [],
    });
  });

  it('200 and reports a user for whom it cannot be made, without stopping the others', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [first, gone] = [await world.addMember('employee', 'first'), await world.addMember('employee', 'gone')];
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { absence_type_ids: [] }),
    });
    const { body } = await batch(world, admin, {
      user_ids: { 0: first.id, 1: employee.id, 2: gone.id, 3: admin.id },
      notes_attributes: [{ content: 'x' }],
    });
    await admin.call('deleteUser', { params: { user_id: gone.id } });
    await drain();
    expect(await rowsIn(world)).toMatchObject({ absences: 2, notes: 4 });
    const outcome = await outcomeOf(admin, body.meta.batch_id);
    expect(outcome).toMatchObject({ state: 'finished', total: 4, done: 2, failed: 2 });
    expect(outcome.failures).toEqual([
      {
        id: String(employee.id),
        type: 'user',
        reason: `absence_type_id ${await typeOf(world)} is not among the absence types that the user may use.`,
      },
      { id: String(gone.id), type: 'user', reason: `user_id ${gone.id} is no user of this workspace.` },
    ]);
  });

  it('200 and repeats nothing when it runs twice', async () => {
    const world = await newWorld();
    const { admin, employee, db, accountId, workspaceId } = world;
    const { body } = await batch(world, admin, {
      user_ids: [admin.id, employee.id],
      notes_attributes: [{ content: 'x' }],
    });
    await drain();
    const before = await rowsIn(world);
    expect(before).toMatchObject({ absences: 2, notes: 4 });
    // The step once more, as after a crash before its progress was stored.
    const row = await actorRows(db, accountId, workspaceId).where('user.id', '=', admin.id).executeTakeFirstOrThrow();
    const { input } = await db
      .selectFrom('batches')
      .select('input')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const colleague = await world.addMember('employee', 'colleague');
    const ids = [admin.id, employee.id, colleague.id];
    await forAccount(db, accountId, (tx) =>
      createForUsers(tx, actorIn(row) as WorkspaceActor, ids, input as never, body.meta.batch_id, new Date()),
    );
    expect(await rowsIn(world)).toMatchObject({ absences: 3, notes: 6 });
    // The database itself refuses a second one.
    const [absence] = await db.selectFrom('absences').selectAll().where('account_id', '=', accountId).execute();
    const { id: _id, ...copy } = absence!;
    await expect(db.insertInto('absences').values(copy).execute()).rejects.toSatisfy((error) =>
      violates(error, 'absences_batch'),
    );
  });

  it('200 twice makes two absences: each request is a batch of its own', async () => {
    const world = await newWorld();
    await batch(world, world.admin, { user_ids: [world.employee.id] });
    await batch(world, world.admin, { user_ids: [world.employee.id] });
    await drain();
    expect(await rowsIn(world)).toMatchObject({ absences: 2 });
  });

  it('400 names every bad value, and nothing is begun', async () => {
    const world = await newWorld();
    const response = await world.admin.call('batchAbsences', {
      body: bodyOf('batch', {
        action: 'destroy',
        absence_type_id: [],
        user_ids: [],
        starts_at: 'x',
        ends_at: '2026-02-30T00:00:00Z',
        full_day: 'x',
        title: 5,
        force_calc_custom_hours: 'x',
        hours: 'x',
        days: 'x',
        follower_ids: {},
        notes_attributes: [{ content: '' }],
      }),
    });
    expect(response.status).toBe(400);
    expect(new Set(pointersIn(response))).toEqual(
      new Set([
        'type', 'action', 'absence_type_id', 'user_ids', 'starts_at', 'ends_at', 'full_day', 'title', 'force_calc_custom_hours', 'hours', 'days',
        'follower_ids', 'notes_attributes/0/content',
      ]), // prettier-ignore
    );
    const missing = await world.admin.call('batchAbsences', { body: bodyOf('batch_action', { action: 'create' }) });
    expect(pointersIn(missing).sort()).toEqual(['absence_type_id', 'ends_at', 'starts_at', 'user_ids']);
    const nothing = await world.admin.call('batchAbsences', { body: bodyOf('batch_action', {}) });
    expect(pointersIn(nothing)).toEqual(['action']);
    expect(await rowsIn(world)).toMatchObject({ batches: 0 });
  });

  it('400 names every conflict with stored data at once', async () => {
    const world = await newWorld();
    const response = await batch(world, world.admin, {
      absence_type_id: 999_999_999,
      user_ids: [world.employee.id, world.stranger.id, 'abc'],
      ends_at: '2026-01-01T00:00:00Z',
      follower_ids: [world.stranger.id],
    });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['absence_type_id', 'ends_at', 'follower_ids', 'user_ids']);
    expect(titlesIn(response)).toContain(
      `user_ids names "abc", ${world.stranger.id}, which is no user of this workspace whom you administer.`,
    );
    expect(await rowsIn(world)).toMatchObject({ batches: 0 });
  });

  it('400 for an object of ids with a gap', async () => {
    const world = await newWorld();
    const response = await batch(world, world.admin, { user_ids: { 0: world.employee.id, 2: world.admin.id } });
    expect(pointersIn(response)).toEqual(['user_ids']);
    expect(pointersIn(await batch(world, world.admin, { user_ids: {} }))).toEqual(['user_ids']);
  });

  it('200 for an area admin and their people, 400 for others', async () => {
    const world = await newWorld();
    const [chef, cook] = [await world.addMember('areaAdmin'), await world.addMember('employee', 'cook')];
    await insertArea(world, 'Kitchen', [chef.id, cook.id]);
    expect(pointersIn(await batch(world, chef, { user_ids: [cook.id, world.employee.id] }))).toEqual(['user_ids']);
    expect((await batch(world, chef, { user_ids: [cook.id, chef.id] })).status).toBe(200);
    await drain();
    expect(await rowsIn(world)).toMatchObject({ absences: 2 });
  });

  it('403 for an employee, 404 for a stranger', async () => {
    const world = await newWorld();
    expect((await batch(world, world.employee, { user_ids: [world.employee.id] })).status).toBe(403);
    expect((await batch(world, world.stranger, { user_ids: [world.employee.id] })).status).toBe(404);
  });

  it('leaves an absence that can be changed and deleted like any other', async () => {
    const world = await newWorld();
    await batch(world, world.admin, { user_ids: [world.employee.id] });
    await drain();
    const { body } = await world.employee.call('listAbsences');
    expect((await world.employee.call('deleteAbsence', at(body.data[0].id))).status).toBe(200);
  });
});
