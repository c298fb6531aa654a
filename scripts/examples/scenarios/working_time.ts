import { demoImage } from '../../../src/programs/demo/image.ts';
import { bodyOf, demo, here, type Recorder } from '../recorder.ts';
import { closedRecords } from './closed_records.ts';

/** Punches and tags. */
export async function punching(record: Recorder): Promise<void> {
  await record('listTags', { path: here });
  await record('getTag', { path: { ...here, tag_id: '1' } });
  await record(
    'createTag',
    { path: here, body: bodyOf('tag', { title: 'Inventory', color: '#009688' }) },
    { 400: { body: bodyOf('tag', { title: 'Event', color: 'green' }) } },
  );
  const event = '3';
  const token = record.employee;
  const start = {
    action_type: 'start' as const,
    action_time: '2026-05-04T08:58:00+02:00',
    taggings_attributes: [{ tag_id: 1 }],
  };
  await record(
    'createAction',
    { token, path: here, body: bodyOf('action', start) },
    {
      400: { body: bodyOf('action', { action_type: 'end' }) },
      403: { body: bodyOf('action', { ...start, user_id: 3 }) },
    },
  );
  const path = { ...here, action_id: demo.action };
  await record('listActions', { path: here, query: { items: 2, sort: '-action_time' } });
  const notOwn = { 403: { token } };
  await record('getAction', { path }, notOwn);
  await record(
    'createActionTagging',
    { path, body: bodyOf('tagging', { tag_id: event }) },
    { ...notOwn, 400: { body: bodyOf('tagging', { tag_id: '4711' }) } },
  );
  await taggings(record);
  await exportsOfRecords(record);
  await record(
    'updateTag',
    { path: { ...here, tag_id: event }, body: bodyOf('tag', { title: 'Celebration', active: false }) },
    { 400: { body: bodyOf('tag', { title: '' }) } },
  );
  await record(
    'updateTagWithPut',
    { path: { ...here, tag_id: event }, body: bodyOf('tag', { active: true }) },
    { 400: { body: bodyOf('tag', { title: '' }) } },
  );
  await record('deleteTag', { path: { ...here, tag_id: event } });
}

async function exportsOfRecords(record: Recorder): Promise<void> {
  const list = { export_type: 'list', format: 'csv' } as const;
  const may = { from: '2026-05-01', to: '2026-05-31' };
  const unknownFormat = bodyOf('export', { export_type: 'list', format: 'doc' });
  const forPayroll = bodyOf('export', { export_type: 'datev_lodas', format: 'txt', ...may });
  await record(
    'createTimeTrackingExport',
    { path: here, body: bodyOf('export', { ...list, ...may, user_ids: ['2', '3'] }) },
    { 400: { body: unknownFormat }, 403: { token: record.employee, body: forPayroll } },
  );
  await record(
    'createAbsenceExport',
    { path: here, body: bodyOf('export', { ...list, from: '2026-01-01', to: '2026-12-31' }) },
    { 400: { body: unknownFormat } },
  );
  const wageType = { number: 200, title: 'Overtime', source: 'overtime', unit: 'hours' } as const;
  await record(
    'createWageType',
    { path: here, body: bodyOf('wage_type', wageType) },
    { 400: { body: bodyOf('wage_type', { ...wageType, unit: 'days' }) } },
  );
  const path = { ...here, wage_type_id: demo.wageType };
  await record('listWageTypes', { path: here });
  await record('getWageType', { path });
  await record(
    'updateWageType',
    { path, body: bodyOf('wage_type', { number: 110 }) },
    { 400: { body: bodyOf('wage_type', { number: 0 }) } },
  );
  await record('deleteWageType', { path });
  const others = { 403: { token: record.employee } };
  await record('getTimeTrackingExport', { path: { ...here, export_id: demo.exportOfWork } }, others);
  await record('getAbsenceExport', { path: { ...here, export_id: demo.exportOfAbsences } }, others);
}

async function taggings(record: Recorder): Promise<void> {
  const tagging = { tag_id: '1', taggable_type: 'TimeTracking' as const, taggable_id: demo.tracking };
  await record(
    'createTagging',
    { path: here, body: bodyOf('tagging', tagging) },
    {
      400: { body: bodyOf('tagging', { ...tagging, taggable_id: '4711' }) },
      403: { token: record.employee, body: bodyOf('tagging', tagging) },
    },
  );
  const path = { ...here, tagging_id: demo.tagging };
  await record('listTaggings', {
    path: here,
    query: { 'filter[tag_id]': 'eq:3', 'filter[taggable_id]': `eq:${tagging.taggable_id}` },
  });
  await record('getTagging', { path }, { 403: { token: record.employee } });
  await record('deleteTagging', { path }, { 403: { token: record.employee } });
}

const shift = { starts_at: '2026-01-31T09:00:00+01:00', ends_at: '2026-01-31T17:30:00+01:00' };
const lunch = { starts_at: '2026-01-31T12:00:00+01:00', ends_at: '2026-01-31T12:30:00+01:00' };

/** Time trackings, with their breaks, notes, files and followers. */
export async function workingTime(record: Recorder): Promise<void> {
  await record('listTimeTrackings', {
    path: here,
    query: { items: 1, sort: '-starts_at', 'filter[current_status]': 'eq:finished', include: 'user,breaks' },
  });
  await record(
    'createTimeTracking',
    {
      path: here,
      body: {
        data: {
          type: 'time_tracking',
          attributes: { ...shift, external_id: 'shift-4711', breaks_attributes: [lunch] },
          relationships: {
            user: { data: { type: 'user_overview', id: '3' } },
            area: { data: { type: 'area', id: '2' } },
            tags: { data: [{ type: 'tag', id: '2' }] },
          },
        },
      },
    },
    { 400: { body: bodyOf('time_tracking', { ...shift, ends_at: '2026-01-31T08:00:00+01:00', area_id: '4711' }) } },
  );
  const path = { ...here, time_tracking_id: demo.tracking };
  await record('getTimeTracking', { path, query: { include: 'breaks,tags', permissions: 'update,destroy' } });
  await record(
    'updateTimeTracking',
    { path, body: bodyOf('time_tracking', { ends_at: '2026-01-31T18:00:00+01:00' }) },
    { 400: { body: bodyOf('time_tracking', { starts_at: null, ends_at: '2026-05-02' }) } },
  );
  await breaks(record, path);
  await notesAndTags(record, path);
  await files(record, path);
  await followers(record, path);
  const running = await record.sendOnly('listTimeTrackings', {
    path: here,
    query: { 'filter[current_status]': 'eq:running' },
  });
  await record('confirmTimeTracking', { path }, { 403: { path: { ...here, time_tracking_id: running.data[0]!.id } } });
  await record(
    'batchTimeTrackings',
    {
      path: here,
      body: bodyOf('batch_action', {
        action: 'tag',
        ids: [demo.tracking, '3'],
        tag_ids: ['2'],
        override_tags: false,
      }),
    },
    { 400: { body: bodyOf('batch_action', { action: 'tag', ids: ['4711'], tag_ids: [] }) } },
  );
  await record('getBatchAction', { path: { ...here, batch_id: demo.batch } });
  await record('deleteTimeTracking', { path }, { 400: { path: (await closedRecords(record)).time_tracking } });
  await record('listDeletedRecords', { path: here });
  await record(
    'restoreTimeTracking',
    { path: { ...here, time_tracking_id: demo.deletedTracking } },
    { 400: { headers: { 'Idempotency-Key': 'x'.repeat(256) } } },
  );
}

type Tracking = Readonly<{ workspace_id: string; time_tracking_id: string }>;

async function breaks(record: Recorder, path: Tracking): Promise<void> {
  const coffee = { starts_at: '2026-01-31T15:00:00+01:00', ends_at: '2026-01-31T15:15:00+01:00' };
  await record(
    'createBreak',
    { path, body: bodyOf('break', coffee) },
    { 400: { body: bodyOf('break', { ...coffee, ends_at: '2026-01-31T21:00:00+01:00' }) } },
  );
  const one = { ...path, break_id: demo.break };
  await record('listBreaks', { path });
  await record('getBreak', { path: one });
  await record(
    'updateBreak',
    {
      path: one,
      body: bodyOf('break', { starts_at: '2026-01-31T13:00:00+01:00', ends_at: '2026-01-31T13:30:00+01:00' }),
    },
    { 400: { body: bodyOf('break', { ends_at: '2026-01-31T11:00:00+01:00' }) } },
  );
  await record('deleteBreak', { path: one }, { 400: { path: (await closedRecords(record)).rest } });
}

async function notesAndTags(record: Recorder, path: Tracking): Promise<void> {
  const blank = { 400: { body: bodyOf('note', { content: '' }) } };
  await record(
    'createTimeTrackingNote',
    { path, body: bodyOf('note', { content: 'The till was closed late.' }) },
    blank,
  );
  const note = { ...path, user_note_id: demo.noteOfTracking };
  await record('listTimeTrackingNotes', { path, query: { items: 2, sort: '-created_at' } });
  await record(
    'updateTimeTrackingNote',
    { path: note, body: bodyOf('note', { content: 'The till was closed at six.' }) },
    blank,
  );
  await record('deleteTimeTrackingNote', { path: note });
  await record(
    'createTimeTrackingTag',
    { path, body: bodyOf('tag', { title: 'Night shift' }) },
    { 400: { body: bodyOf('tag', { title: '' }) } },
  );
  await record('listTimeTrackingTags', { path });
}

async function files(record: Recorder, path: Tracking): Promise<void> {
  const note = { name: 'delivery-note.txt', bytes: Buffer.from('12 crates of lemonade\n') };
  await record(
    'createTimeTrackingAttachments',
    { path, form: { files: [note] } },
    { 400: { form: { papers: [note] } } },
  );
  await record('listTimeTrackingAttachments', { path });
  const image = { name: 'signature.png', bytes: demoImage() };
  await record(
    'createTimeTrackingSignature',
    { path, form: { title: 'Robin Baker', image } },
    { 400: { form: { title: 'Robin Baker', image: note } } },
  );
  await record('listTimeTrackingSignatures', { path });
}

async function followers(record: Recorder, path: Tracking): Promise<void> {
  await record(
    'createTimeTrackingFollowers',
    { path, body: bodyOf('follower', { follower_ids: ['2'] }) },
    { 400: { body: bodyOf('follower', { follower_ids: ['4711'] }) } },
  );
  await record('listTimeTrackingFollowers', { path });
  await record('deleteTimeTrackingFollower', { path: { ...path, follower_id: '4' } });
}
