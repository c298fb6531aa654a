import { included } from '../http/answers/jsonapi.ts';
import { v3 } from '../http/v3.ts';
import { tagLoaders } from './includes.ts';
import { presentTag } from './resource.ts';
import { createTag, deleteTag, findTag, listTags, updateTag } from './tags.ts';

export const tagHandlers = v3.part({
  async listTags(call) {
    const { rows, paging } = await listTags(call.db, call.actor, call.view);
    return { data: rows.map(presentTag), ...(await included(call, rows, tagLoaders)), meta: paging };
  },

  async createTag(call) {
    return { data: presentTag(await createTag(call.db, call.actor, call.body.data.attributes, call.now)) };
  },

  async getTag(call) {
    const row = await findTag(call.db, call.actor, call.params.tag_id);
    return { data: presentTag(row), ...(await included(call, [row], tagLoaders)) };
  },

  async updateTag(call) {
    const row = await updateTag(call.db, call.actor, call.params.tag_id, call.body.data.attributes, call.now);
    return { data: presentTag(row) };
  },

  async deleteTag(call) {
    return { data: presentTag(await deleteTag(call.db, call.actor, call.params.tag_id)) };
  },
});
