import { attachments, createAttachments } from '../../platform/files/attachments.ts';
import { presentAttachment, presentSignature } from '../../platform/files/resource.ts';
import { createSignature, signatures } from '../../platform/files/signatures.ts';
import { included } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { createNote, deleteNote, listNotes, updateNote } from '../../platform/notes/notes.ts';
import { presentNote } from '../../platform/notes/resource.ts';
import { tagLoaders } from '../../organisation/tags/includes.ts';
import { presentTag } from '../../organisation/tags/resource.ts';
import { listTags } from '../../organisation/tags/tags.ts';
import { userLoaders } from '../../organisation/users/includes.ts';
import { presentUser } from '../../organisation/users/resource.ts';
import { batchTimeTrackings } from './batch/batch.ts';
import { confirmTimeTracking } from './confirm.ts';
import { createTimeTracking, newTimeTracking } from './create.ts';
import { deleteTimeTracking } from './delete.ts';
import { followTimeTracking, listFollowers, unfollowTimeTracking } from './followers/followers.ts';
import { timeTrackingLoaders } from './includes.ts';
import { listTimeTrackings } from './list/list.ts';
import { presentTimeTracking } from './resource.ts';
import { tagTimeTracking } from './tag.ts';
import { findSignable, findTimeTracking, ownerNamed } from './time_trackings.ts';
import { updateTimeTracking } from './update.ts';

export const timeTrackingHandlers = v3.part({
  async listTimeTrackings(call) {
    const { rows, paging, totals } = await listTimeTrackings(call.db, call.actor, call.queryOptions, call.now);
    const data = rows.map((row) => presentTimeTracking(row, call));
    return { data, ...(await included(call, rows, timeTrackingLoaders)), meta: { ...paging, ...totals } };
  },

  async createTimeTracking(call) {
    const input = newTimeTracking(call.body);
    return { data: presentTimeTracking(await createTimeTracking(call.db, call.actor, input, call.now), call) };
  },

  async getTimeTracking(call) {
    const row = await findTimeTracking(call.db, call.actor, call.params.time_tracking_id);
    return { data: presentTimeTracking(row, call), ...(await included(call, [row], timeTrackingLoaders)) };
  },

  async updateTimeTracking(call) {
    const { attributes = {}, relationships = {} } = call.body.data;
    const { area, tags } = relationships;
    const areaId = area && (area.data?.id ?? null);
    const change = { ...attributes, area_id: areaId, tag_ids: tags?.data.map((tag) => tag.id) };
    return {
      data: presentTimeTracking(
        await updateTimeTracking(call.db, call.actor, call.params.time_tracking_id, change, call.now),
        call,
      ),
    };
  },

  async deleteTimeTracking(call) {
    return {
      data: presentTimeTracking(
        await deleteTimeTracking(call.db, call.actor, call.params.time_tracking_id, call.now),
        call,
      ),
    };
  },

  async confirmTimeTracking(call) {
    return {
      data: presentTimeTracking(
        await confirmTimeTracking(call.db, call.actor, call.params.time_tracking_id, call.now, 403),
        call,
      ),
    };
  },

  async batchTimeTrackings(call) {
    return { meta: await batchTimeTrackings(call.db, call.actor, call.body.data.attributes, call.now) };
  },

  async listTimeTrackingFollowers(call) {
    const { rows, paging } = await listFollowers(call.db, call.actor, call.params.time_tracking_id, call.queryOptions);
    return {
      data: rows.map((row) => presentUser(row, call)),
      ...(await included(call, rows, userLoaders)),
      meta: paging,
    };
  },

  async createTimeTrackingFollowers(call) {
    const { follower_ids = [], ids = [] } = call.body.data.attributes;
    const followers = [...follower_ids, ...ids];
    const row = await followTimeTracking(call.db, call.actor, call.params.time_tracking_id, followers, call.now);
    return { data: presentTimeTracking(row, call) };
  },

  async deleteTimeTrackingFollower(call) {
    const { time_tracking_id, follower_id } = call.params;
    const row = await unfollowTimeTracking(call.db, call.actor, time_tracking_id, follower_id, call.now);
    return { data: presentTimeTracking(row, call) };
  },

  async listTimeTrackingNotes(call) {
    const owner = await ownerNamed(call.db, call.actor, call.params.time_tracking_id);
    const { rows, paging } = await listNotes(call.db, call.actor, owner, call.queryOptions);
    const data = rows.map((row) => presentNote(row, call, 'note'));
    return { data, ...(await included(call, rows, { attachments: async () => [] })), meta: paging };
  },

  async createTimeTrackingNote(call) {
    const owner = await ownerNamed(call.db, call.actor, call.params.time_tracking_id);
    return {
      data: presentNote(
        await createNote(call.db, call.actor, owner, call.body.data.attributes.content, call.now),
        call,
        'user_note',
      ),
    };
  },

  async updateTimeTrackingNote(call) {
    const owner = await ownerNamed(call.db, call.actor, call.params.time_tracking_id);
    const row = await updateNote(
      call.db,
      call.actor,
      owner,
      call.params.user_note_id,
      call.body.data.attributes.content,
      call.now,
    );
    return { data: presentNote(row, call, 'user_note') };
  },

  async deleteTimeTrackingNote(call) {
    const owner = await ownerNamed(call.db, call.actor, call.params.time_tracking_id);
    const row = await deleteNote(call.db, call.actor, owner, call.params.user_note_id, call.now);
    return { data: presentNote(row, call, 'user_note') };
  },

  async listTimeTrackingTags(call) {
    const { id } = await findTimeTracking(call.db, call.actor, call.params.time_tracking_id);
    const { rows, paging } = await listTags(call.db, call.actor, call.queryOptions, id);
    return { data: rows.map(presentTag), ...(await included(call, rows, tagLoaders)), meta: paging };
  },

  async createTimeTrackingTag(call) {
    const { title, time_tracking_id } = call.body.data.attributes;
    return {
      data: presentTag(
        await tagTimeTracking(call.db, call.actor, call.params.time_tracking_id, { title, time_tracking_id }, call.now),
      ),
    };
  },

  async listTimeTrackingAttachments(call) {
    const owner = await ownerNamed(call.db, call.actor, call.params.time_tracking_id);
    const { rows, paging } = await attachments.list(call.db, call.actor, owner, call.queryOptions);
    return { data: rows.map((row) => presentAttachment(row, call)), meta: paging };
  },

  async createTimeTrackingAttachments(call) {
    const owner = await ownerNamed(call.db, call.actor, call.params.time_tracking_id);
    const rows = await createAttachments(call.db, call.actor, owner, call.files, call.now);
    return { data: rows.map((row) => presentAttachment(row, call)) };
  },

  async listTimeTrackingSignatures(call) {
    const owner = await ownerNamed(call.db, call.actor, call.params.time_tracking_id);
    const { rows, paging } = await signatures.list(call.db, call.actor, owner, call.queryOptions);
    return { data: rows.map((row) => presentSignature(row, call)), meta: paging };
  },

  async createTimeTrackingSignature(call) {
    const { id } = await findSignable(call.db, call.actor, call.params.time_tracking_id);
    const input = { title: call.body.title, image: call.files[0]! };
    return {
      data: presentSignature(
        await createSignature(call.db, call.actor, { time_tracking_id: id }, input, call.now),
        call,
      ),
    };
  },
});
