import { beforeAll, describe, expect, it } from 'vitest';
import { titlesIn } from '../../../../support/client.ts';
import { create } from './support.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const update = (person: Person, attributes: object, workspace_id: number | string = world.workspaceId) =>
  person.call('updateWorkspace', { params: { workspace_id }, body: bodyOf('workspace', attributes) });

const namesIn = (body: { data: { attributes: { name: string } }[] }): string[] =>
  body.data.map(({ attributes }) => attributes.name);

describe('deleteWorkspace', () => {
  it('200 hides it and everything in it', async () => {
    const { admin, employee, workspaceId, db } = await newWorld();
    await create(admin, { name: 'Hill' });
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar', external_id: 'bar' }) });
    await update(admin, { external_id: 'first' }, workspaceId);
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { area_ids: [area.body.data.id] }),
    });
    await db
      .updateTable('absence_types')
      .set({ external_id: 'leave' })
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', 'vacation')
      .execute();

    const { status, body } = await admin.call('deleteWorkspace');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: String(workspaceId), attributes: { name: 'admin', external_id: 'first' } });
    expect((await admin.call('getWorkspace')).status).toBe(404);
    expect((await employee.call('listAreas')).status).toBe(404);
    expect(namesIn((await admin.call('listWorkspaces')).body)).toEqual(['Hill']);
    const me = await employee.call('getCurrentUser', { query: { include: 'areas,workspaces,absence_types' } });
    expect(me.body.data.relationships).toMatchObject({
      areas: { data: [] },
      workspaces: { data: [] },
      absence_types: { data: [] },
      tags: { data: [] },
    });
    expect(me.body.included).toEqual([]);
  });

  it('200 frees the external ids of the workspace and of what was in it', async () => {
    const { admin, workspaceId, db, accountId } = await newWorld();
    const { body: hill } = await create(admin, { name: 'Hill' });
    await update(admin, { external_id: 'w' }, workspaceId);
    await admin.call('createArea', { body: bodyOf('area', { name: 'Bar', external_id: 'a' }) });
    const tag = {
      account_id: accountId,
      title: 'Late',
      external_id: 't',
      created_at: new Date(),
      updated_at: new Date(),
    };
    await db
      .insertInto('tags')
      .values({ ...tag, workspace_id: workspaceId })
      .execute();
    await db
      .updateTable('absence_types')
      .set({ external_id: 'v' })
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', 'vacation')
      .execute();
    await admin.call('deleteWorkspace');

    const params = { workspace_id: hill.data.id };
    expect((await update(admin, { external_id: 'w' }, hill.data.id)).status).toBe(200);
    expect(
      (await admin.call('createArea', { params, body: bodyOf('area', { name: 'Bar', external_id: 'a' }) })).status,
    ).toBe(201);
    await db
      .insertInto('tags')
      .values({ ...tag, workspace_id: Number(hill.data.id) })
      .execute();
    await db
      .updateTable('absence_types')
      .set({ external_id: 'v' })
      .where('workspace_id', '=', Number(hill.data.id))
      .where('kind', '=', 'vacation')
      .execute();
  });

  it('400 for the last one of an account', async () => {
    const { admin } = await newWorld();
    const response = await admin.call('deleteWorkspace');
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual(['The last workspace of an account cannot be deleted.']);
  });

  it('400 for one of several concurrent deletions that would leave none', async () => {
    for (let round = 0; round < 3; round++) {
      const { admin, workspaceId } = await newWorld();
      const others = await Promise.all(
        ['Hill', 'Valley', 'Shore'].map(async (name) => (await create(admin, { name })).body.data.id as string),
      );
      const responses = await Promise.all(
        [String(workspaceId), ...others].map((workspace_id) =>
          admin.call('deleteWorkspace', { params: { workspace_id } }),
        ),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
    }
  });

  it('403 for workspace admins, 404 for a stranger and a second time', async () => {
    const { admin, stranger, addMember } = await newWorld();
    await create(admin, { name: 'Hill' });
    expect((await (await addMember('workspaceAdmin')).call('deleteWorkspace')).status).toBe(403);
    expect((await stranger.call('deleteWorkspace')).status).toBe(404);
    expect((await admin.call('deleteWorkspace')).status).toBe(200);
    expect((await admin.call('deleteWorkspace')).status).toBe(404);
  });
});
