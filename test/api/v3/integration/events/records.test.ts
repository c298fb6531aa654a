import { describe, expect, it } from 'vitest';
import { absenceOf } from '../../../../support/absences.ts';
import { changesIn, recorded } from '../../../../support/events/recorded.ts';
import { png } from '../../../../support/images.ts';
import { punch } from '../../../../support/punches.ts';
import { service } from '../../../../support/service.ts';
import { newRoster, newShift, updateShift } from '../../../../support/shifts/shifts.ts';
import { record, tagTitled } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { closed, reopen, worked } from '../../payroll/accounting_periods/support.ts';
import { acknowledge, listed, longDay } from '../../working_time/working_time_rules/support.ts';

describe('events about notes', () => {
  it('one for each that a user writes, none for those of the service', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { id } = await record(admin, {}, { user: employee.id });
    const note = (content: string) => ({ body: bodyOf('note', { content }) });
    const created = await admin.call('createTimeTrackingNote', { params: { time_tracking_id: id }, ...note('Late.') });
    const params = { time_tracking_id: id, user_note_id: created.body.data.id };
    await admin.call('updateTimeTrackingNote', { params, ...note('At nine.') });
    await admin.call('deleteTimeTrackingNote', { params });
    const batch = { action: 'note', ids: [id], note: { content: 'All.' } };
    await admin.call('batchTimeTrackings', { body: bodyOf('batch_action', batch) });
    await (await service()).jobs.drain();
    const absence = Number(await absenceOf(world, employee, { notes_attributes: [{ content: 'Sun.' }] }));
    const tracking = Number(id);
    expect(await changesIn(world, 'note')).toEqual([
      { 'note.created': { time_tracking_id: [null, tracking], content: [null, 'Late.'] } },
      { 'note.updated': { content: ['Late.', 'At nine.'] } },
      { 'note.deleted': { time_tracking_id: [tracking, null], content: ['At nine.', null] } },
      { 'note.created': { time_tracking_id: [null, tracking], content: [null, 'All.'] } },
      { 'note.created': { absence_id: [null, absence], content: [null, 'Sun.'] } },
    ]);
    const [first] = await recorded(world, 'note');
    expect(first).toMatchObject({
      record_id: created.body.data.id,
      user_id: employee.id,
      workspace_id: world.workspaceId,
      actor_id: String(admin.id),
      request_id: created.headers['x-request-id'],
    });
  });
});

describe('events about files', () => {
  it('name them, and never have their contents', async () => {
    const world = await newWorld();
    const { admin, employee, enterprise } = world;
    const { id } = await record(admin, {}, { user: employee.id });
    const absence = await absenceOf(world, employee);
    const file = (field: string) => ({ field, name: 'page.png', bytes: png });
    await admin.call('createTimeTrackingAttachments', { params: { time_tracking_id: id }, files: [file('files')] });
    await admin.call('createTimeTrackingSignature', { params: { time_tracking_id: id }, files: [file('image')] });
    await employee.call('createAbsenceAttachments', { params: { absence_id: absence }, files: [file('files')] });
    await enterprise('createUpload', { form: { user_id: String(employee.id) }, files: [file('doc')] });
    const stored = { name: [null, 'page.png'], content_type: [null, 'image/png'], size_bytes: [null, png.length] };
    const user_id = employee.id;
    expect(await changesIn(world, 'file')).toEqual([
      { 'file.created': { time_tracking_id: [null, Number(id)], ...stored } },
      { 'file.created': { time_tracking_id: [null, Number(id)], ...stored } },
      { 'file.created': { absence_id: [null, Number(absence)], ...stored } },
      { 'file.created': { user_id: [null, user_id], ...stored } },
    ]);
    expect(new Set((await recorded(world, 'file')).map((event) => event.user_id))).toEqual(new Set([user_id]));
  });
});

describe('events about shifts', () => {
  it('one for each change of a shift, and one for each user who is put on it or taken off', async () => {
    const roster = await newRoster();
    const { admin, employee, bar, enterprise } = roster;
    const tag = Number(await tagTitled(roster, 'Terrace'));
    const { id } = await newShift(admin, { working_area_id: bar, visible: false, tag_ids: [tag] });
    const shift = Number(id);
    await updateShift(admin, id, { note: 'Keys' });
    await admin.call('createShiftPublication', { body: bodyOf('publication', { ids: [id] }) });
    const users = (user_ids: number[]) => ({ params: { shift_id: id }, body: bodyOf('event', { user_ids }) });
    await admin.call('updateShiftUsers', users([employee.id]));
    await admin.call('updateShiftUsers', users([employee.id]));
    const applied = { shift_id: shift, user_id: employee.id, application: true };
    await enterprise('createAssignment', { body: { assignment: applied } });
    await enterprise('deleteAssignment', { body: { assignment: applied } });
    const copy = { action: 'copy_week', from_week: '2026-W24', to_week: '2026-W25' };
    await admin.call('batchShifts', { body: bodyOf('batch_action', copy) });
    await (await service()).jobs.drain();
    await admin.call('deleteTag', { params: { tag_id: tag } });
    await admin.call('deleteShift', { params: { shift_id: id } });
    const events = await recorded(roster, 'shift', 'assignment');
    expect(events).toMatchObject([
      {
        name: 'shift.created',
        record_id: id,
        record_uuid: null,
        user_id: null,
        changes: { working_area_id: [null, bar], visible: [null, false], tag_ids: [null, [tag]] },
      },
      { name: 'shift.updated', changes: { note: [null, 'Keys'] } },
      { name: 'shift.updated', changes: { visible: [false, true] } },
      {
        name: 'assignment.created',
        user_id: employee.id,
        workspace_id: roster.workspaceId,
        changes: { shift_id: [null, shift], user_id: [null, employee.id], application: [null, false] },
      },
      { name: 'assignment.updated', actor_type: 'api_token', changes: { application: [false, true] } },
      { name: 'assignment.deleted', actor_type: 'api_token', changes: { shift_id: [shift, null] } },
      { name: 'shift.created', changes: { tag_ids: [null, [tag]] } },
      { name: 'shift.updated', changes: { tag_ids: [[tag], []] } },
      { name: 'shift.updated', changes: { tag_ids: [[tag], []] } },
      { name: 'shift.deleted', record_id: id, changes: { note: ['Keys', null] } },
    ]);
  });

  it('one for work that loses its shift', async () => {
    const roster = await newRoster();
    const { admin, employee, bar } = roster;
    const { id } = await newShift(admin, { working_area_id: bar, visible: true });
    const users = (user_ids: number[]) => ({ params: { shift_id: id }, body: bodyOf('event', { user_ids }) });
    await admin.call('updateShiftUsers', users([employee.id]));
    const work = { starts_at: '2026-06-08T08:00:00+02:00', ends_at: '2026-06-08T12:00:00+02:00' };
    await record(admin, work, { user: employee.id });
    await admin.call('updateShiftUsers', users([]));
    const [created, cleared] = await recorded(roster, 'time_tracking');
    const { assignment_id } = created!.changes as { assignment_id: [null, string] };
    expect(assignment_id).toEqual([null, expect.any(String)]);
    expect(cleared).toMatchObject({ user_id: employee.id, changes: { assignment_id: [assignment_id[1], null] } });
  });
});

describe('events about the tagging of an action', () => {
  it('one for the tagging and one for its time tracking', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const tag_id = Number(await tagTitled(world, 'Night'));
    const action = (await punch(employee, 'start')).body.data.id;
    const attributes = { tag_id, taggable_type: 'WorkingSessionAction', taggable_id: action };
    const { body } = await admin.call('createTagging', { body: bodyOf('tagging', attributes) });
    await admin.call('deleteTagging', { params: { tagging_id: body.data.id } });
    const [, ...changes] = await changesIn(world, 'tagging', 'time_tracking');
    expect(changes).toEqual([
      { 'tagging.created': { tag_id: [null, tag_id], taggable_id: [null, action] } },
      { 'time_tracking.updated': { tag_ids: [[], [tag_id]] } },
      { 'tagging.deleted': { tag_id: [tag_id, null], taggable_id: [action, null] } },
    ]);
    expect(await recorded(world, 'tagging')).toMatchObject([{ user_id: employee.id }, { user_id: employee.id }]);
  });
});

describe('events about time accounts', () => {
  it('one for a closed and a reopened month', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await worked(world, '2026-01-05T08:00:00+01:00', '2026-01-05T12:00:00+01:00');
    const id = await closed(world, '2026-01');
    await reopen(admin, id, 'A shift was missing.');
    const about = { record_id: id, user_id: employee.id, workspace_id: world.workspaceId };
    expect(await recorded(world, 'accounting_period')).toMatchObject([
      { name: 'accounting_period.closed', ...about, changes: { month: [null, '2026-01'], status: [null, 'closed'] } },
      {
        name: 'accounting_period.reopened',
        ...about,
        changes: { status: ['closed', 'reopened'], reopening_reason: [null, 'A shift was missing.'] },
      },
    ]);
  });

  it('one for a new and a deleted entry, and one for an acknowledged violation', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const entry = { date: '2026-05-29', hours: -10.25, kind: 'payout', note: 'Paid out.' };
    const params = { user_id: employee.id };
    const created = await admin.call('createTimeAccountEntry', { params, body: bodyOf('time_account_entry', entry) });
    const time_account_entry_id = created.body.data.id;
    await admin.call('deleteTimeAccountEntry', { params: { ...params, time_account_entry_id } });
    expect(await recorded(world, 'time_account_entry')).toMatchObject([
      { name: 'time_account_entry.created', user_id: employee.id, changes: { hours: [null, -10.25] } },
      { name: 'time_account_entry.deleted', user_id: employee.id, changes: { note: ['Paid out.', null] } },
    ]);
    await record(admin, longDay, { user: employee.id });
    const [violation] = await listed(admin);
    await acknowledge(admin, violation!.id, 'Somebody was ill.');
    expect((await acknowledge(admin, violation!.id)).status).toBe(400);
    expect(await recorded(world, 'working_time_violation')).toMatchObject([
      {
        name: 'working_time_violation.acknowledged',
        user_id: employee.id,
        changes: { acknowledged_by_user_id: [null, admin.id], acknowledgement_reason: [null, 'Somebody was ill.'] },
      },
    ]);
  });
});
