import * as fields from '../../../generated/fields.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { resourcesNamed, search } from './searches.ts';

const found = resource('search', fields.Search);

export const searchHandlers = v3.part({
  async listSearches(call) {
    const { rows, paging } = await search(call.db, call.actor, resourcesNamed(call.query.resources), call.queryOptions);
    const data = rows.map(({ id, resource_id, resource_type, title }) =>
      found({ id, resource_id, resource_type, title }),
    );
    return { data, meta: paging };
  },
});
