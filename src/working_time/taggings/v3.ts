import * as fields from '../../../generated/fields.ts';
import { one, resource } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { createTagging, deleteTagging, findTagging, listTaggings, type Tagging } from './taggings.ts';

const tagging = resource('tagging', fields.RecordTagging);

const presentTagging = ({ id, taggable_type, taggable_id, tag_id }: Tagging) =>
  tagging({ id, taggable_type, taggable_id }, { tag: one('tag', tag_id) });

export const taggingHandlers = v3.part({
  async listTaggings(call) {
    const { rows, paging } = await listTaggings(call.db, call.actor, call.queryOptions);
    return { data: rows.map(presentTagging), meta: paging };
  },

  async createTagging({ db, actor, body, now }) {
    return { data: presentTagging(await createTagging(db, actor, body.data.attributes, now)) };
  },

  async getTagging({ db, actor, params }) {
    return { data: presentTagging(await findTagging(db, actor, params.tagging_id)) };
  },

  async deleteTagging({ db, actor, params, now }) {
    return { data: presentTagging(await deleteTagging(db, actor, params.tagging_id, now)) };
  },
});
