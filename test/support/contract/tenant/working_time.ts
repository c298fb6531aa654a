import { bodyOf } from '../../world.ts';
import type { Maker } from './maker.ts';
import type { Organisation } from './organisation.ts';

/** Time trackings with all that hangs on them, and a punch. */
export async function makeWorkingTime({ world, mark, named, imageIn, asked, made }: Maker, { ids }: Organisation) {
  const { admin, employee } = world;
  const ties = {
    user: { data: { type: 'user', id: ids.user } },
    area: { data: { type: 'area', id: ids.area } },
    tags: { data: [{ type: 'tag', id: ids.tag }] },
  };
  // More than ten hours without a break raise a warning.
  const newTracking = (external_id: string): Promise<string> => {
    const times = { starts_at: '2026-01-05T07:00:00+01:00', ends_at: '2026-01-05T19:00:00+01:00' };
    return made('createTimeTracking', { body: bodyOf('time_tracking', { ...times, external_id }, ties) });
  };
  const time_tracking = await newTracking(named('time_tracking'));
  const onTracking = { params: { time_tracking_id: time_tracking } };
  const pause = { starts_at: '2026-01-05T08:00:00+01:00', ends_at: '2026-01-05T08:10:00+01:00' };
  const rest = await made('createBreak', { ...onTracking, body: bodyOf('break', pause) });
  const note = { body: bodyOf('note', { content: mark }) };
  const time_tracking_note = await made('createTimeTrackingNote', { ...onTracking, ...note });
  const followers = bodyOf('follower', { follower_ids: [admin.id, employee.id] });
  await asked(admin, 'createTimeTrackingFollowers', { ...onTracking, body: followers });
  const files = { ...onTracking, files: [imageIn('files')] };
  const attachment = (await asked(admin, 'createTimeTrackingAttachments', files)).data[0].id;
  const signing = { ...onTracking, form: { title: mark }, files: [imageIn('image')] };
  const signature = await made('createTimeTrackingSignature', signing);
  const taggings_attributes = [{ tag_id: ids.tag }];
  const punch = { action_type: 'start', user_id: employee.id, device_id: mark, taggings_attributes };
  const action = await made('createAction', { body: bodyOf('action', punch) });
  const deleted_time_tracking = await newTracking(`${mark}-3`);
  await asked(admin, 'deleteTimeTracking', { params: { time_tracking_id: deleted_time_tracking } });
  const noting = bodyOf('batch_action', { action: 'note', ids: [time_tracking], note: { content: mark } });
  const batch = (await asked(admin, 'batchTimeTrackings', { body: noting })).meta.batch_id;
  const taggingOf = async (taggableId: string): Promise<string> =>
    (await asked(admin, 'listTaggings', { query: { 'filter[taggable_id]': `eq:${taggableId}` } })).data[0].id;
  return {
    ids: {
      ...{ time_tracking, break: rest, time_tracking_note, attachment, signature, follower: employee.id, action },
      ...{ deleted_time_tracking, batch, tagging: await taggingOf(time_tracking) },
    },
    spare: { tagging: await taggingOf(action), time_tracking: await newTracking(`${mark}-2`) },
    sessionToDelete: await newTracking(`${mark}-4`),
  };
}
