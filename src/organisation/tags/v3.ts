import { may } from '../../platform/core/permissions.ts';
import { included } from '../../platform/http/answers/jsonapi.ts';
import { v3, type V3Handlers } from '../../platform/http/v3.ts';
import { tagLoaders } from './includes.ts';
import { presentTag } from './resource.ts';
import { createTag, deleteTag, findTag, listTags, updateTag } from './tags.ts';

const update: V3Handlers['updateTag'] = async (call) => {
  const row = await updateTag(call.db, call.actor, call.params.tag_id, call.body.data.attributes, call.now);
  return { data: presentTag(row) };
};

export const tagHandlers = v3.part({
  async listTags(call) {
    const { rows, paging } = await listTags(call.db, call.actor, call.queryOptions);
    const meta = {
      ...paging,
      can_modify_tags: may(call.actor, 'change_tags', 'workspace', call.actor.workspace),
      can_create_tags: may(call.actor, 'create_tag', 'workspace', call.actor.workspace),
    };
    return { data: rows.map(presentTag), ...(await included(call, rows, tagLoaders)), meta };
  },

  async createTag(call) {
    return { data: presentTag(await createTag(call.db, call.actor, call.body.data.attributes, call.now)) };
  },

  async getTag(call) {
    const row = await findTag(call.db, call.actor, call.params.tag_id);
    return { data: presentTag(row), ...(await included(call, [row], tagLoaders)) };
  },

  updateTag: update,
  updateTagWithPut: update,

  async deleteTag(call) {
    return { data: presentTag(await deleteTag(call.db, call.actor, call.params.tag_id, call.now)) };
  },
});
