import type { components } from '../../../generated/public.ts';
import { isNamed, refIn } from '../../platform/core/names.ts';
import { publicApi } from '../../platform/http/public.ts';
import { inLocation, workspaceNamed } from '../workspaces/workspaces.ts';
import { allFilters, findFilter, updateFilter, type FilterRow } from './filters.ts';
import { createTag } from './tags.ts';

const presentFilter = (row: FilterRow): components['schemas']['Filter'] => ({
  id: row.id,
  title: row.title,
  active: row.active,
  external_id: row.external_id,
  location_id: row.workspace_id,
});

export const filterHandlers = publicApi.part({
  async findFilters({ db, actor, query }) {
    if (isNamed('', query)) return presentFilter(await findFilter(db, actor, refIn('', query)));
    if (!isNamed('location_', query)) return { filters: (await allFilters(db, actor, null)).map(presentFilter) };
    const location = await workspaceNamed(db, actor, refIn('location_', query));
    return { filters: location ? (await allFilters(db, actor, location.id)).map(presentFilter) : [] };
  },

  async createFilter({ db, actor, body, now }) {
    return presentFilter(await createTag(db, await inLocation(db, actor, refIn('location_', body)), body.filter, now));
  },

  async updateFilter({ db, actor, body: { filter, ...location }, now }) {
    const { id: _, external_id: __, ...change } = filter;
    const place = isNamed('location_', location) ? refIn('location_', location) : undefined;
    return presentFilter(await updateFilter(db, actor, refIn('', filter), place, change, now));
  },
});
