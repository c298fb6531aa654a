import type { components } from '../../generated/v3.ts';
import { presenter } from '../http/answers/jsonapi.ts';
import { v3 } from '../http/v3.ts';
import { listSuggestedFollowers } from './suggested_followers.ts';

const suggestedFollower = presenter<components['schemas']['SuggestedFollower']>('user');

export const suggestedFollowerHandlers = v3.part({
  async listSuggestedFollowers(call) {
    const { rows, paging } = await listSuggestedFollowers(call.db, call.actor, call.view);
    return { data: rows.map(({ id, username }) => suggestedFollower({ id, attributes: { username } })), meta: paging };
  },
});
