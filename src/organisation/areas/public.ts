import type { components } from '../../../generated/public.ts';
import { notFound } from '../../platform/core/errors.ts';
import { isNamed, refIn, type Names } from '../../platform/core/names.ts';
import type { Actor, WorkspaceActor } from '../../platform/core/permissions.ts';
import { utcForm } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { publicApi } from '../../platform/http/public.ts';
import { inLocation, inWorkspace, workspaceNamed, workspacesByIds } from '../workspaces/workspaces.ts';
import { allAreas, createArea, deleteArea, findAnyArea, updateArea, type AreaRow } from './areas.ts';

type Schemas = components['schemas'];

const presentArea = ({ id, name, color, external_id, status }: AreaRow): Schemas['WorkingArea'] => ({
  id,
  name,
  color,
  external_id,
  status: status as Schemas['WorkingArea']['status'],
});

const presentWritten = (row: AreaRow): Schemas['WorkingAreaWritten'] => ({
  ...presentArea(row),
  company_id: row.workspace_id,
  created_at: utcForm(row.created_at),
  updated_at: utcForm(row.updated_at),
});

async function presentShown(db: Db, actor: Actor, rows: readonly AreaRow[]): Promise<Schemas['WorkingAreaShown'][]> {
  const locationIds = rows.map((row) => row.workspace_id);
  const locations = await workspacesByIds(db, actor, locationIds);
  const names = new Map(locations.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    ...presentArea(row),
    location_id: row.workspace_id,
    location_name: names.get(row.workspace_id)!,
  }));
}

/** The actor in the location that a change names; an unknown location is 404. */
async function actorIn(db: Db, actor: Actor, location: Names): Promise<WorkspaceActor> {
  const workspace = await workspaceNamed(db, actor, location);
  if (!workspace) throw notFound('location');
  return inWorkspace(actor, workspace);
}

export const workingAreaHandlers = publicApi.part({
  async findWorkingAreas({ db, actor, query }) {
    if (isNamed('', query))
      return (await presentShown(db, actor, [await findAnyArea(db, actor, refIn('', query))]))[0]!;
    if (!isNamed('location_', query))
      return { working_areas: await presentShown(db, actor, await allAreas(db, actor, null)) };
    const location = await workspaceNamed(db, actor, refIn('location_', query));
    return { working_areas: location ? await presentShown(db, actor, await allAreas(db, actor, location.id)) : [] };
  },

  async createWorkingArea({ db, actor, body, now }) {
    return presentWritten(
      await createArea(db, await inLocation(db, actor, refIn('location_', body)), body.working_area, now),
    );
  },

  async updateWorkingArea({ db, actor, body, now }) {
    const area = refIn('', body.working_area, body);
    const localActor = await actorIn(db, actor, refIn('location_', body));
    // The external id names the area, and stays as it is.
    const { external_id: _, ...change } = body.working_area;
    return presentWritten(await updateArea(db, localActor, area, change, now));
  },

  async deleteWorkingArea({ db, actor, body, query, now }) {
    const area = refIn('', body?.working_area, body, query);
    const localActor = await actorIn(db, actor, refIn('location_', body, query));
    return presentWritten(await deleteArea(db, localActor, area, now));
  },
});
