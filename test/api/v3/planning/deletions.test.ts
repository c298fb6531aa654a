import { describe, expect, it } from 'vitest';
import { service } from '../../../support/service.ts';
import { newRoster, newShift, shiftsSeenBy, updateShift } from '../../../support/shifts/shifts.ts';
import { bodyOf, type Person } from '../../../support/world.ts';

const shown = async (person: Person, shift_id: string) =>
  (await person.call('getShift', { params: { shift_id }, query: { include: 'working_area,users' } })).body;

describe('the shifts of a deleted area', () => {
  it('stay without it, for workspace admins to plan', async () => {
    const { admin, barAdmin, employee, bar, kitchen } = await newRoster();
    const draft = await newShift(admin, { working_area_id: bar });
    const published = await newShift(admin, { working_area_id: bar, visible: true });
    expect((await admin.call('deleteArea', { params: { area_id: bar } })).status).toBe(200);
    expect((await shown(admin, draft.id)).data.relationships.working_area).toEqual({ data: null });
    expect(await shiftsSeenBy(barAdmin)).toEqual([published.id]);
    expect(await shiftsSeenBy(employee)).toEqual([published.id]);
    expect((await updateShift(barAdmin, published.id, { note: 'Mine?' })).status).toBe(403);
    const moved = await updateShift(admin, draft.id, { working_area_id: kitchen });
    expect(moved.body.data.relationships.working_area.data.id).toBe(String(kitchen));
  });

  it('cannot be copied, and are reported', async () => {
    const { admin, bar } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    await admin.call('deleteArea', { params: { area_id: bar } });
    const body = bodyOf('batch_action', { action: 'copy_week', from_week: '2026-W24', to_week: '2026-W25' });
    const started = await admin.call('batchShifts', { body });
    await (await service()).jobs.drain();
    const batch = await admin.call('getBatchAction', { params: { batch_id: started.body.meta.batch_id } });
    expect(batch.body.data.attributes.failures).toEqual([
      { id, type: 'event', reason: 'The area of the shift was deleted.' },
    ]);
  });
});

describe('a deleted user', () => {
  it('stays on their shifts until somebody takes them off', async () => {
    const { admin, employee, barAdmin, bar } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar, visible: true });
    const assign = (user_ids: readonly number[]) =>
      admin.call('updateShiftUsers', { params: { shift_id: id }, body: bodyOf('event', { user_ids }) });
    await assign([employee.id]);
    await admin.call('deleteUser', { params: { user_id: employee.id } });
    const { data, included } = await shown(admin, id);
    expect(data.relationships.users.data).toEqual([{ type: 'user', id: String(employee.id) }]);
    expect(included.map(({ type }: { type: string }) => type)).toEqual(['area', 'user']);
    expect((await assign([employee.id, barAdmin.id])).status).toBe(200);
    expect((await assign([barAdmin.id])).body.data.relationships.users.data).toHaveLength(1);
    expect((await assign([employee.id])).status).toBe(400);
  });
});

describe('a deleted workspace', () => {
  it('leaves nothing to plan', async () => {
    const { admin } = await newRoster();
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const params = { workspace_id: body.data.id };
    const area = await admin.call('createArea', { params, body: bodyOf('area', { name: 'Cellar' }) });
    const times = { starts_at: '2026-06-08T08:00:00+02:00', ends_at: '2026-06-08T16:00:00+02:00' };
    const there = { working_area_id: area.body.data.id, ...times };
    const shift = await admin.call('createShift', { params, body: bodyOf('event', there) });
    await admin.call('deleteWorkspace', { params });
    expect((await admin.call('listShifts', { params })).status).toBe(404);
    const other = { ...params, shift_id: shift.body.data.id };
    expect((await admin.call('deleteShift', { params: other })).status).toBe(404);
    expect((await admin.call('getShift', { params: { shift_id: shift.body.data.id } })).status).toBe(404);
  });
});
