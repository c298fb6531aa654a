import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { at } from '../../../../support/absences.ts';
import { titlesIn } from '../../../../support/client.ts';
import { service } from '../../../../support/service.ts';
import { record } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { carrier, deletedOf, named, remove, restore, shown, type Listed } from './support.ts';

describe('restoreTimeTracking', () => {
  it('201 with everything that it had, and a note that says who restored it', async () => {
    const { admin, id } = await carrier();
    const before = await shown(admin, id);
    await remove(admin, id);
    expect((await admin.call('getTimeTracking', named(id))).status).toBe(404);
    const answer = await restore(admin, id);
    expect(answer.status).toBe(201);
    const after = await shown(admin, id);
    const [added] = after.data.relationships.notes.data.slice(-1);
    const notes = [...before.data.relationships.notes.data, added];
    expect(after.data).toEqual({
      ...before.data,
      attributes: {
        ...before.data.attributes,
        updated_at: after.data.attributes.updated_at,
        last_update_by: admin.id,
        system_notes_count: before.data.attributes.system_notes_count + 1,
      },
      relationships: { ...before.data.relationships, notes: { data: notes } },
    });
    expect(answer.body.data).toEqual(after.data);
    const texts = after.included.filter(({ type }: { type: string }) => type === 'note');
    expect(texts.at(-1).attributes.content).toBe('admin restored the time tracking.');
    const others = (all: Listed[]) => all.filter(({ id: one }) => one !== added.id);
    expect(others(after.included)).toEqual(before.included);
    expect(await deletedOf(admin)).toEqual([]);
  });

  it('201 by either form of the id, with the punches that made it', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const punch = (action_type: string, action_time: string) =>
      employee.call('createAction', { body: bodyOf('action', { action_type, action_time }) });
    expect((await punch('start', '2026-01-06T08:00:00Z')).status).toBe(201);
    const { body } = await punch('end', '2026-01-06T10:00:00Z');
    const uuid = body.data.attributes.working_session_id as string;
    await remove(admin, uuid);
    expect((await restore(admin, uuid)).status).toBe(201);
    const action = await admin.call('getAction', { params: { action_id: body.data.id } });
    expect(action.body.data.attributes.working_session_id).toBe(uuid);
  });

  it('is gone from reads, totals and files until it is restored', async () => {
    const { world, admin, employee, id } = await carrier();
    const { included } = await shown(admin, id);
    const { url } = await service();
    const address = included.find(({ type }: { type: string }) => type === 'attachment').attributes.file_url as string;
    const file = () => fetch(new URL(address, url));
    const net = async () => (await admin.call('listTimeTrackings')).body.meta.total_net_time as number;
    expect([(await file()).status, await net()]).toEqual([200, 1.5]);
    await remove(admin, id);
    expect([(await file()).status, await net()]).toEqual([404, 0]);
    const days = await admin.call('getUserDays', {
      params: { user_id: employee.id },
      query: 'from=2026-01-05&to=2026-01-05',
    });
    expect(days.body.data[0].attributes.worked).toBe(0);
    expect((await restore(admin, id)).status).toBe(201);
    expect([(await file()).status, await net()]).toEqual([200, 1.5]);
    expect(
      await world.db.selectFrom('deleted_records').selectAll().where('account_id', '=', world.accountId).execute(),
    ).toEqual([]);
  });

  it('leaves out tags, followers and areas that are gone', async () => {
    const { admin, colleague, area, tag, id } = await carrier();
    await remove(admin, id);
    await admin.call('deleteTag', { params: { tag_id: tag } });
    await admin.call('deleteUser', { params: { user_id: colleague.id } });
    await admin.call('deleteArea', { params: { area_id: area } });
    const { status, body } = await restore(admin, id);
    expect(status).toBe(201);
    const { tags, followers, ...others } = body.data.relationships;
    expect([tags.data, followers.data, others.area]).toEqual([[], [], undefined]);
  });

  it('400 where the external id is taken, or another one runs, and nothing changes', async () => {
    const { world, admin, employee, id } = await carrier();
    await remove(admin, id);
    const { id: other } = await record(admin, { external_id: 'import-7' }, { user: employee.id });
    const refused = await restore(admin, id);
    expect(refused.status).toBe(400);
    expect(titlesIn(refused)).toEqual([
      'external_id "import-7" is already used by another time tracking of this account.',
    ]);
    expect((await deletedOf(admin)).length).toBe(1);
    await remove(admin, other);
    expect((await restore(admin, id)).status).toBe(201);

    const running = { starts_at: '2026-01-07T08:00:00Z', ends_at: null };
    const { id: first } = await record(admin, running, { user: employee.id });
    await remove(admin, first);
    await record(admin, running, { user: employee.id });
    expect(titlesIn(await restore(admin, first))).toEqual([
      'Another time tracking of this user is already running in this workspace. End it first.',
    ]);
    expect(
      await world.db.selectFrom('time_trackings').select('id').where('account_id', '=', world.accountId).execute(),
    ).toHaveLength(2);
  });

  it('400 into a month that was closed since, and 201 once it is open again', async () => {
    const { admin, employee, id } = await carrier();
    await remove(admin, id);
    const body = bodyOf('accounting_period', { month: '2026-01', user_ids: [employee.id] });
    const closed = await admin.call('createAccountingPeriods', { body });
    expect(closed.status).toBe(201);
    const refused = await restore(admin, id);
    expect([refused.status, titlesIn(refused)]).toEqual([400, [expect.stringContaining('2026-01')]]);
    const params = { accounting_period_id: closed.body.data[0].id };
    await admin.call('deleteAccountingPeriod', { params, query: { reason: 'A time tracking was missing.' } });
    expect((await restore(admin, id)).status).toBe(201);
  });

  it('403 for an employee and an admin of other areas, 404 for what is not deleted, lies elsewhere or belongs to a stranger', async () => {
    const { world, admin, employee, id } = await carrier();
    const { stranger } = world;
    expect((await restore(admin, id)).status).toBe(404);
    await remove(admin, id);
    expect((await restore(employee, id)).status).toBe(403);
    expect((await restore(await world.addMember('areaAdmin'), id)).status).toBe(403);
    expect((await restore(admin, 'abc')).status).toBe(404);
    expect((await restore(admin, randomUUID())).status).toBe(404);
    expect((await admin.call('restoreAbsence', at(id))).status).toBe(404);
    expect((await restore(stranger, id)).status).toBe(404);
    const other = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const params = { time_tracking_id: id, workspace_id: other.body.data.id };
    expect((await admin.call('restoreTimeTracking', { params })).status).toBe(404);
    expect((await restore(admin, id)).status).toBe(201);
  });

  it('201 once where two restore it at the same time', async () => {
    const { admin, id } = await carrier();
    await remove(admin, id);
    const answers = await Promise.all([restore(admin, id), restore(admin, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
  });

  it('brings back what a batch has deleted', async () => {
    const { admin, id } = await carrier();
    const body = bodyOf('batch_action', { action: 'destroy', ids: [id] });
    expect((await admin.call('batchTimeTrackings', { body })).status).toBe(200);
    await (await service()).jobs.drain();
    expect((await deletedOf(admin)).map(({ attributes }) => attributes['record_id'])).toEqual([id]);
    expect((await restore(admin, id)).status).toBe(201);
  });
});
