import * as fields from '../../../../generated/fields.ts';
import { resource } from '../../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../../platform/http/v3.ts';
import { listSuggestedFollowers } from './suggested_followers.ts';

const suggestedFollower = resource('user', fields.SuggestedFollower);

export const suggestedFollowerHandlers = v3.part({
  async listSuggestedFollowers(call) {
    const { rows, paging } = await listSuggestedFollowers(call.db, call.actor, call.queryOptions);
    return { data: rows.map(({ id, username }) => suggestedFollower({ id, username })), meta: paging };
  },
});
