import type { components } from '../../../generated/public.ts';
import { isNamed, refIn } from '../../platform/core/names.ts';
import { notFound } from '../../platform/core/errors.ts';
import { cityOf, localForm } from '../../platform/core/time.ts';
import { publicApi } from '../../platform/http/public.ts';
import { createLocation, updateLocation } from './locations.ts';
import { allWorkspaces, workspaceNamed, type WorkspaceRow } from './workspaces.ts';

const presentLocation = (row: WorkspaceRow): components['schemas']['Location'] => ({
  id: row.id,
  enterprise_id: row.account_id,
  name: row.name,
  phone: row.phone,
  time_zone: cityOf(row.time_zone),
  locale: row.locale,
  external_id: row.external_id,
  status: row.active ? 'active' : 'inactive',
  updated_at: localForm(row.updated_at, row.time_zone),
});

export const locationHandlers = publicApi.part({
  async findLocations({ db, actor, query }) {
    if (!isNamed('', query)) return { locations: (await allWorkspaces(db, actor)).map(presentLocation) };
    const row = await workspaceNamed(db, actor, refIn('', query));
    if (!row) throw notFound('location');
    return presentLocation(row);
  },

  async createLocation({ db, actor, body: { location }, now }) {
    return presentLocation(await createLocation(db, actor, location, now));
  },

  async updateLocation({ db, actor, body: { location }, now }) {
    const { id: _, external_id: __, ...change } = location;
    return presentLocation(await updateLocation(db, actor, refIn('', location), change, now));
  },
});
