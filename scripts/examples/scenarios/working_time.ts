import { demoImage } from '../../../src/programs/demo/image.ts';
import { bodyOf, here, type Recorder } from '../recorder.ts';
import { closedRecords } from './closed_records.ts';

/** Punches and tags. */
export async function punching(record: Recorder): Promise<void> {
  await record('listTags', { path: here });
  await record('getTag', { path: { ...here, tag_id: '1' } });
  const created = await record(
    'createTag',
    { path: here, body: bodyOf('tag', { title: 'Inventory', color: '#009688' }) },
    { 400: { body: bodyOf('tag', { title: 'Event', color: 'green' }) } },
  );
  const inventory = created.data.id;
  const token = record.employee;
  const start = {
    action_type: 'start' as const,
    action_time: '2026-05-04T08:58:00+02:00',
    taggings_attributes: [{ tag_id: 1 }],
  };
  const action = await record(
    'createAction',
    { token, path: here, body: bodyOf('action', start) },
    {
      400: { body: bodyOf('action', { action_type: 'end' }) },
      403: { body: bodyOf('action', { ...start, user_id: 3 }) },
    },
  );
  const path = { ...here, action_id: action.data.id };
  await record('listActions', { path: here, query: { items: 2, sort: '-action_time' } });
  const { data: colleagues } = await record.sendOnly('listActions', {
    path: here,
    query: { 'filter[user_id]': 'eq:3' },
  });
  const notOwn = { 403: { path: { ...here, action_id: colleagues[0]!.id } } };
  await record('getAction', { token, path }, notOwn);
  await record(
    'createActionTagging',
    { token, path, body: bodyOf('tagging', { tag_id: inventory }) },
    { ...notOwn, 400: { body: bodyOf('tagging', { tag_id: '4711' }) } },
  );
  await taggings(record, inventory);
  await exportsOfRecords(record);
  await record(
    'updateTag',
    { path: { ...here, tag_id: inventory }, body: bodyOf('tag', { title: 'Stocktaking', active: false }) },
    { 400: { body: bodyOf('tag', { title: '' }) } },
  );
  await record(
    'updateTagWithPut',
    { path: { ...here, tag_id: inventory }, body: bodyOf('tag', { active: true }) },
    { 400: { body: bodyOf('tag', { title: '' }) } },
  );
  await record('deleteTag', { path: { ...here, tag_id: inventory } });
}

async function exportsOfRecords(record: Recorder): Promise<void> {
  const list = { export_type: 'list', format: 'csv' } as const;
  const may = { from: '2026-05-01', to: '2026-05-31' };
  const unknownFormat = bodyOf('export', { export_type: 'list', format: 'doc' });
  const forPayroll = bodyOf('export', { export_type: 'datev_lodas', format: 'txt', ...may });
  const ofWork = await record(
    'createTimeTrackingExport',
    { path: here, body: bodyOf('export', { ...list, ...may, user_ids: ['2', '3'] }) },
    { 400: { body: unknownFormat }, 403: { token: record.employee, body: forPayroll } },
  );
  const ofAbsences = await record(
    'createAbsenceExport',
    { path: here, body: bodyOf('export', { ...list, from: '2026-01-01', to: '2026-12-31' }) },
    { 400: { body: unknownFormat } },
  );
  const wageType = { number: 100, title: 'Hours worked', source: 'net', unit: 'hours' } as const;
  const created = await record(
    'createWageType',
    { path: here, body: bodyOf('wage_type', wageType) },
    { 400: { body: bodyOf('wage_type', { ...wageType, unit: 'days' }) } },
  );
  const path = { ...here, wage_type_id: created.data.id };
  await record('listWageTypes', { path: here });
  await record('getWageType', { path });
  await record(
    'updateWageType',
    { path, body: bodyOf('wage_type', { number: 110 }) },
    { 400: { body: bodyOf('wage_type', { number: 0 }) } },
  );
  await record('deleteWageType', { path });
  await record.server.drain();
  const others = { 403: { token: record.employee } };
  await record('getTimeTrackingExport', { path: { ...here, export_id: ofWork.data.id } }, others);
  await record('getAbsenceExport', { path: { ...here, export_id: ofAbsences.data.id } }, others);
}

async function taggings(record: Recorder, tag_id: string): Promise<void> {
  const { data: colleagues } = await record.sendOnly('listTimeTrackings', {
    path: here,
    query: { 'filter[user_id]': 'eq:3', items: 1 },
  });
  const tagging = { tag_id, taggable_type: 'TimeTracking' as const, taggable_id: colleagues[0]!.id };
  const created = await record(
    'createTagging',
    { path: here, body: bodyOf('tagging', tagging) },
    {
      400: { body: bodyOf('tagging', { ...tagging, taggable_id: '4711' }) },
      403: { token: record.employee, body: bodyOf('tagging', tagging) },
    },
  );
  const path = { ...here, tagging_id: created.data.id };
  await record('listTaggings', {
    path: here,
    query: { 'filter[tag_id]': `eq:${tag_id}`, 'filter[taggable_id]': `eq:${tagging.taggable_id}` },
  });
  await record('getTagging', { path }, { 403: { token: record.employee } });
  await record('deleteTagging', { path }, { 403: { token: record.employee } });
}

const shift = { starts_at: '2026-05-02T09:00:00+02:00', ends_at: '2026-05-02T17:30:00+02:00' };
const lunch = { starts_at: '2026-05-02T12:00:00+02:00', ends_at: '2026-05-02T12:30:00+02:00' };

/** Time trackings, with their breaks, notes, files and followers. */
export async function workingTime(record: Recorder): Promise<void> {
  await record('listTimeTrackings', {
    path: here,
    query: { items: 1, sort: '-starts_at', 'filter[current_status]': 'eq:finished', include: 'user,breaks' },
  });
  const created = await record(
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
    { 400: { body: bodyOf('time_tracking', { ...shift, ends_at: '2026-05-02T08:00:00+02:00', area_id: '4711' }) } },
  );
  const path = { ...here, time_tracking_id: created.data.id };
  await record('getTimeTracking', { path, query: { include: 'breaks,tags', permissions: 'update,destroy' } });
  await record(
    'updateTimeTracking',
    { path, body: bodyOf('time_tracking', { ends_at: '2026-05-02T18:00:00+02:00' }) },
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
  const tagged = await record(
    'batchTimeTrackings',
    {
      path: here,
      body: bodyOf('batch_action', {
        action: 'tag',
        ids: [path.time_tracking_id, '1'],
        tag_ids: ['3'],
        override_tags: false,
      }),
    },
    { 400: { body: bodyOf('batch_action', { action: 'tag', ids: ['4711'], tag_ids: [] }) } },
  );
  await record.server.drain();
  await record('getBatchAction', { path: { ...here, batch_id: tagged.meta.batch_id } });
  await record('deleteTimeTracking', { path }, { 400: { path: (await closedRecords(record)).time_tracking } });
  await record('listDeletedRecords', { path: here });
  await record('restoreTimeTracking', { path }, { 400: { headers: { 'Idempotency-Key': 'x'.repeat(256) } } });
  await record.sendOnly('deleteTimeTracking', { path });
}

type Tracking = Readonly<{ workspace_id: string; time_tracking_id: string }>;

async function breaks(record: Recorder, path: Tracking): Promise<void> {
  const coffee = { starts_at: '2026-05-02T15:00:00+02:00', ends_at: '2026-05-02T15:15:00+02:00' };
  const created = await record(
    'createBreak',
    { path, body: bodyOf('break', coffee) },
    { 400: { body: bodyOf('break', { ...coffee, ends_at: '2026-05-02T19:00:00+02:00' }) } },
  );
  const one = { ...path, break_id: created.data.id };
  await record('listBreaks', { path });
  await record('getBreak', { path: one });
  await record(
    'updateBreak',
    { path: one, body: bodyOf('break', { ends_at: '2026-05-02T15:20:00+02:00' }) },
    { 400: { body: bodyOf('break', { ends_at: '2026-05-02T14:00:00+02:00' }) } },
  );
  await record('deleteBreak', { path: one }, { 400: { path: (await closedRecords(record)).rest } });
}

async function notesAndTags(record: Recorder, path: Tracking): Promise<void> {
  const blank = { 400: { body: bodyOf('note', { content: '' }) } };
  const created = await record(
    'createTimeTrackingNote',
    { path, body: bodyOf('note', { content: 'The till was closed late.' }) },
    blank,
  );
  const note = { ...path, user_note_id: created.data.id };
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
    { path, body: bodyOf('follower', { follower_ids: ['4'] }) },
    { 400: { body: bodyOf('follower', { follower_ids: ['4711'] }) } },
  );
  await record('listTimeTrackingFollowers', { path });
  await record('deleteTimeTrackingFollower', { path: { ...path, follower_id: '4' } });
}
