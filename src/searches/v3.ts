import type { components } from '../../generated/v3.ts';
import { presenter } from '../http/answers/jsonapi.ts';
import { v3 } from '../http/v3.ts';
import { resourcesNamed, search } from './searches.ts';

const found = presenter<components['schemas']['Search']>('search');

export const searchHandlers = v3.part({
  async listSearches(call) {
    const { rows, paging } = await search(call.db, call.actor, resourcesNamed(call.query.resources), call.view);
    const data = rows.map(({ id, resource_id, resource_type, title }) =>
      found({ id, attributes: { resource_id, resource_type, title } }),
    );
    return { data, meta: paging };
  },
});
