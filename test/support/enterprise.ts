import { expect } from 'vitest';
import { newWorld, type World } from './world.ts';

/** A world for tests of the public API, with shortcuts to create records. */
export interface Enterprise extends World {
  /** Creates a user in the first location through the public API. */
  newUser(more?: object): Promise<{ id: number; external_id: string | null } & Record<string, unknown>>;
  /** Another location of the account. */
  newLocation(name: string, more?: object): Promise<{ id: number }>;
  /** A working area of a location, by default the first one. */
  newArea(name: string, more?: object, locationId?: number): Promise<{ id: number } & Record<string, unknown>>;
  newTag(title: string, locationId?: number): Promise<number>;
  /** The id of the location's absence type of that kind. */
  absenceType(kind: string, locationId?: number): Promise<number>;
}

export async function newEnterprise(): Promise<Enterprise> {
  const world = await newWorld();
  const { db, accountId, workspaceId } = world;
  const made = async (operationId: string, body: object) => {
    const response = await world.enterprise(operationId, { body });
    expect([response.status, response.text]).toEqual([200, response.text]);
    return response.body;
  };
  return {
    ...world,
    newUser: (more = {}) =>
      made('createPublicUser', { user: { location_ids: workspaceId, username: 'Erika', ...more } }),
    newArea: (name, more = {}, location_id = workspaceId) =>
      made('createWorkingArea', { location_id, working_area: { name, ...more } }),
    newLocation: async (name, more = {}) => {
      const { status, body } = await world.admin.call('createWorkspace', {
        body: { data: { type: 'workspace', attributes: { name, ...more } } },
      });
      expect(status).toBe(200);
      return { id: Number(body.data.id) };
    },
    newTag: async (title, workspace_id = workspaceId) => {
      const now = new Date();
      const row = { account_id: accountId, workspace_id, title, created_at: now, updated_at: now };
      return (await db.insertInto('tags').values(row).returning('id').executeTakeFirstOrThrow()).id;
    },
    absenceType: async (kind, location = workspaceId) => {
      const types = db
        .selectFrom('absence_types')
        .select('id')
        .where('account_id', '=', accountId)
        .where('workspace_id', '=', location);
      return (await types.where('kind', '=', kind).executeTakeFirstOrThrow()).id;
    },
  };
}
