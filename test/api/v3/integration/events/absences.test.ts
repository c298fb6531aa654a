import { describe, expect, it } from 'vitest';
import { absenceOf, at, request, typeOf, twoWeeks } from '../../../../support/absences.ts';
import { changesIn, recorded } from '../../../../support/events/recorded.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

const drain = async () => (await service()).jobs.drain();
const namesIn = async (world: Parameters<typeof recorded>[0]) =>
  (await recorded(world, 'absence')).map(({ name }) => name);

describe('events about an absence', () => {
  it('follow the state that was reached, by whom and for whom', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const requested = await request(world, employee, { follower_ids: [admin.id] });
    const { id } = requested.body.data;
    await admin.call('confirmAbsence', at(id));
    // In the resource API, this sets it back to pending, and the next one rejects it.
    await admin.call('rejectAbsence', at(id));
    await admin.call('resetAbsence', at(id));
    await admin.call('updateAbsence', at(id, { body: bodyOf('absence', { ends_at: '2026-07-10T17:00:00+02:00' }) }));
    await admin.call('updateAbsence', at(id, { body: bodyOf('absence', { ends_at: '2026-07-10T17:00:00+02:00' }) }));
    await admin.call('deleteAbsence', at(id));
    await admin.call('restoreAbsence', at(id));
    expect((await request(world, employee, { ends_at: '2026-07-01T00:00:00Z' })).status).toBe(400);
    const events = await recorded(world, 'absence');
    expect(events.map(({ name }) => name)).toEqual([
      'absence.requested',
      'absence.confirmed',
      'absence.reset',
      'absence.rejected',
      'absence.updated',
      'absence.deleted',
      'absence.restored',
    ]);
    expect(events[0]).toMatchObject({
      record_id: id,
      record_uuid: null,
      workspace_id: world.workspaceId,
      user_id: employee.id,
      actor_type: 'user',
      actor_id: String(employee.id),
      request_id: requested.headers['x-request-id'],
      changes: { days: [null, 10], confirmation_status: [null, 'pending'], follower_ids: [null, [admin.id]] },
    });
    expect(events[1]).toMatchObject({
      actor_id: String(admin.id),
      changes: { confirmation_status: ['pending', 'confirmed'], confirmed_by_user_id: [null, admin.id] },
    });
    expect(events[4]!.changes).toMatchObject({ days: [10, 5] });
    expect(Object.keys(events[4]!.changes as object).sort()).toEqual(['days', 'ends_at', 'hours']);
    expect(events[5]!.changes).toMatchObject({ days: [5, null] });
    expect(events[6]!.changes).toMatchObject({ days: [null, 5] });
  });

  it('are by the api_token in the public API, where each decision has its own name', async () => {
    const world = await newWorld();
    const { enterprise, employee } = world;
    const absence = { absence_type_id: await typeOf(world), user_id: employee.id, ...twoWeeks };
    const { id } = (await enterprise('createPublicAbsence', { body: { absence } })).body;
    for (const operation of ['confirmPublicAbsence', 'resetPublicAbsence', 'rejectPublicAbsence'])
      await enterprise(operation, { body: { absence: { id } } });
    await enterprise('deletePublicAbsence', { body: { absence: { id } } });
    const events = await recorded(world, 'absence');
    expect(events.map(({ name, actor_type }) => `${actor_type} ${name}`)).toEqual([
      'api_token absence.requested',
      'api_token absence.confirmed',
      'api_token absence.reset',
      'api_token absence.rejected',
      'api_token absence.deleted',
    ]);
  });

  it('one for each of a batch, and for each that is measured again', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const other = await world.addMember('employee');
    const attributes = { absence_type_id: await typeOf(world), ...twoWeeks, notes_attributes: [{ content: 'All.' }] };
    const created = await admin.call('batchAbsences', {
      body: bodyOf('batch_action', { action: 'create', user_ids: [employee.id, other.id], ...attributes }),
    });
    await drain();
    await admin.call('batchAbsences', { body: bodyOf('batch_action', { action: 'reject', all: true }) });
    await drain();
    expect(await namesIn(world)).toEqual([
      'absence.requested',
      'absence.requested',
      'absence.rejected',
      'absence.rejected',
    ]);
    const [first] = await recorded(world, 'absence');
    expect(first).toMatchObject({ actor_id: String(admin.id), request_id: created.headers['x-request-id'] });
    expect(await recorded(world, 'note')).toMatchObject([{ user_id: employee.id }, { user_id: other.id }]);

    const holiday = { title: 'Summer day', date: '2026-07-08' };
    await admin.call('createPublicHoliday', { body: bodyOf('public_holiday', holiday) });
    await drain();
    const measured = (await recorded(world, 'absence')).slice(4);
    expect(measured).toMatchObject(
      [employee, other].map(({ id }) => ({
        name: 'absence.updated',
        actor_type: 'job',
        actor_id: null,
        user_id: id,
        changes: { days: [10, 9] },
      })),
    );
  });

  it('name a confirmed one that a change sets back', async () => {
    const world = await newWorld();
    const { admin } = world;
    const other = await world.addMember('workspaceAdmin');
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { require_four_eyes: true }) });
    const id = await absenceOf(world, admin);
    await other.call('confirmAbsence', at(id));
    await admin.call('updateAbsence', at(id, { body: bodyOf('absence', { ends_at: '2026-07-10T17:00:00+02:00' }) }));
    const changed = (await changesIn(world, 'absence')).at(-1)!;
    expect(changed).toMatchObject({
      'absence.reset': {
        confirmation_status: ['confirmed', 'pending'],
        ends_at: [expect.any(String), expect.any(String)],
      },
    });
  });
});
