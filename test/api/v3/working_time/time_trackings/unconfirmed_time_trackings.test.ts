import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { service } from '../../../../support/service.ts';
import { areaWith, record, systemNotes } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const update = (person: Person, id: string, attributes: object) =>
  person.call('updateTimeTracking', { params: { time_tracking_id: id }, body: bodyOf('time_tracking', attributes) });

const attributesOf = async ({ admin }: Pick<World, 'admin'>, id: string): Promise<Record<string, unknown>> =>
  (await admin.call('getTimeTracking', { params: { time_tracking_id: id } })).body.data.attributes;

const confirmed = ({ admin, employee }: World) => record(admin, { confirmed: true }, { user: employee.id });

describe('updateTimeTracking', () => {
  it('200 takes a confirmation back and confirms again, with a note each', async () => {
    const world = await newWorld();
    const { id } = await confirmed(world);
    for (const wanted of [false, false, true, true]) {
      const { status, body } = await update(world.admin, id, { confirmed: wanted });
      expect([status, body.data.attributes.confirmed]).toEqual([200, wanted]);
    }
    expect((await systemNotes(world.admin, id)).slice(1)).toEqual([
      'admin took back the confirmation of the time tracking.',
      'admin confirmed the time tracking.',
    ]);
  });

  it('200 changes the times first, and then confirms or takes the confirmation back', async () => {
    const world = await newWorld();
    const [open, done] = [await record(world.employee), await confirmed(world)];
    for (const [{ id }, wanted] of [
      [open, true],
      [done, false],
    ] as const) {
      const { body } = await update(world.admin, id, { ends_at: '2026-01-05T11:00:00Z', confirmed: wanted });
      expect(body.data.attributes).toMatchObject({ ends_at: '2026-01-05T11:00:00Z', confirmed: wanted });
    }
  });

  it('200 lets a confirmed one run again when the request takes the confirmation back', async () => {
    const world = await newWorld();
    const { id } = await confirmed(world);
    expect(pointersIn(await update(world.admin, id, { ends_at: null }))).toEqual(['ends_at']);
    const { body } = await update(world.admin, id, { ends_at: null, confirmed: false });
    expect(body.data.attributes).toMatchObject({ current_status: 'running', confirmed: false });
  });

  it('200 needs no right for a value that it has already; the value does not protect it from later changes', async () => {
    const world = await newWorld();
    const [open, done] = [await record(world.employee), await confirmed(world)];
    expect((await update(world.employee, open.id, { confirmed: false })).status).toBe(200);
    expect((await update(world.employee, done.id, { confirmed: true })).body.data.attributes.confirmed).toBe(true);
    const longer = { ends_at: '2026-01-05T11:00:00Z', confirmed: true };
    expect((await update(world.employee, done.id, longer)).body.data.attributes.confirmed).toBe(false);
  });

  it('400 confirms a running one', async () => {
    const world = await newWorld();
    const running = await record(world.employee, { ends_at: null });
    const [again, now] = [{ confirmed: true }, { ends_at: '2026-01-05T11:00:00Z', confirmed: true }];
    expect(pointersIn(await update(world.admin, running.id, again))).toEqual(['confirmed']);
    expect((await update(world.admin, running.id, now)).body.data.attributes.confirmed).toBe(true);
  });

  it('403 confirms, or takes back, for an employee and for an admin of another area', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await areaWith(world, 'Bar', [areaAdmin]);
    const [open, done] = [await record(world.employee), await confirmed(world)];
    for (const person of [world.employee, areaAdmin]) {
      expect((await update(person, open.id, { confirmed: true })).status).toBe(403);
      expect((await update(person, done.id, { confirmed: false })).status).toBe(403);
    }
    expect(await attributesOf(world, open.id)).toMatchObject({ confirmed: false });
    expect(await attributesOf(world, done.id)).toMatchObject({ confirmed: true });
  });
});

describe('batchTimeTrackings', () => {
  const batch = (person: Person, attributes: object) =>
    person.call('batchTimeTrackings', { body: bodyOf('batch_action', { action: 'unconfirm', ...attributes }) });

  it('200 unconfirm: takes confirmations back, with a note each; others stay as they are', async () => {
    const world = await newWorld();
    const [done, open] = [await confirmed(world), await record(world.employee)];
    const running = await record(world.employee, { ends_at: null });
    const { status, body } = await batch(world.admin, { ids: [done.id, open.id, running.id] });
    expect(status).toBe(200);
    await (await service()).jobs.drain();
    const shown = await world.admin.call('getBatchAction', { params: { batch_id: body.meta.batch_id } });
    expect(shown.body.data.attributes).toMatchObject({ action: 'unconfirm', state: 'finished', done: 3, failed: 0 });
    expect(await attributesOf(world, done.id)).toMatchObject({ confirmed: false, last_update_by: world.admin.id });
    expect(await systemNotes(world.admin, done.id)).toEqual([
      'admin created the time tracking.',
      'admin took back the confirmation of the time tracking.',
    ]);
    expect(await systemNotes(world.admin, open.id)).toHaveLength(1);
  });

  it('400 unconfirm without `ids` or `all`, and of time trackings that the caller does not manage', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await areaWith(world, 'Bar', [areaAdmin]);
    const done = await confirmed(world);
    expect(pointersIn(await batch(world.admin, {}))).toEqual(['ids']);
    expect(pointersIn(await batch(areaAdmin, { ids: [done.id] }))).toEqual(['ids']);
  });
});
