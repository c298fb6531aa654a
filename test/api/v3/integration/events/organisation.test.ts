import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { newEnterprise } from '../../../../support/enterprise.ts';
import { newEventsOf } from './recorded.ts';

describe('events about what a workspace has', () => {
  it.each([
    {
      noun: 'tag',
      verbs: ['createTag', 'updateTag', 'deleteTag'],
      values: { title: 'Night', external_id: 'night' },
      change: { title: 'Late' },
    },
    {
      noun: 'absence_type',
      verbs: ['createAbsenceType', 'updateAbsenceType', 'deleteAbsenceType'],
      values: { title: 'Sabbatical', kind: 'unpaid' },
      change: { title: 'Long leave' },
    },
    {
      noun: 'public_holiday',
      verbs: ['createPublicHoliday', 'updatePublicHoliday', 'deletePublicHoliday'],
      values: { title: 'Anniversary', date: '2026-09-15' },
      change: { title: 'Birthday' },
    },
    {
      noun: 'area',
      verbs: ['createArea', 'updateArea', 'deleteArea'],
      values: { name: 'Bar' },
      change: { name: 'Kitchen' },
    },
  ])('say what happened to a $noun', async ({ noun, verbs, values, change }) => {
    const world = await newWorld();
    const newEvents = await newEventsOf(world);
    const [create, update, remove] = verbs as [string, string, string];
    const { body } = await world.admin.call(create, { body: bodyOf(noun, values) });
    const params = { [`${noun}_id`]: body.data.id };
    await world.admin.call(update, { params, body: bodyOf(noun, change) });
    await world.admin.call(update, { params, body: bodyOf(noun, change) });
    await world.admin.call(remove, { params });
    expect((await world.admin.call(remove, { params })).status).toBe(404);
    const about = { record_id: body.data.id, workspace_id: world.workspaceId, actor_id: String(world.admin.id) };
    const [[attribute, changed]] = Object.entries(change) as [[string, string]];
    const original = (values as Record<string, unknown>)[attribute];
    const all = { ...values, ...change } as Record<string, unknown>;
    expect(await newEvents()).toMatchObject([
      {
        name: `${noun}.created`,
        ...about,
        changes: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [null, value]])),
      },
      { name: `${noun}.updated`, ...about, changes: { [attribute]: [original, changed] } },
      {
        name: `${noun}.deleted`,
        ...about,
        changes: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value, null]])),
      },
    ]);
  });

  it('say what the public API did to filters and locations', async () => {
    const world = await newEnterprise();
    const newEvents = await newEventsOf(world);
    const { enterprise, workspaceId } = world;
    const filter = (
      await enterprise('createFilter', { body: { location_id: workspaceId, filter: { title: 'Night' } } })
    ).body;
    await enterprise('updateFilter', { body: { filter: { id: filter.id, active: false } } });
    expect(await newEvents()).toMatchObject([
      { name: 'tag.created', actor_type: 'api_token', record_id: String(filter.id) },
      { name: 'tag.updated', actor_type: 'api_token', changes: { active: [true, false] } },
    ]);
    const location = (
      await enterprise('createLocation', { body: { location: { name: 'Harbour', user_id: world.admin.id } } })
    ).body;
    const here = { workspace_id: location.id, actor_type: 'api_token' };
    const types = Array.from({ length: 4 }, () => ({ name: 'absence_type.created', ...here }));
    expect(await newEvents()).toMatchObject([
      { name: 'workspace.created', ...here, record_id: String(location.id), changes: { name: [null, 'Harbour'] } },
      ...types,
      {
        name: 'user.updated',
        user_id: world.admin.id,
        changes: { workspace_ids: [[workspaceId], [workspaceId, location.id]] },
      },
    ]);
    await enterprise('updateLocation', { body: { location: { id: location.id, name: 'Lighthouse' } } });
    expect(await newEvents()).toMatchObject([
      { name: 'workspace.updated', ...here, changes: { name: ['Harbour', 'Lighthouse'] } },
    ]);
  });

  it('say what disappears together with a workspace', async () => {
    const world = await newEnterprise();
    const { admin } = world;
    const { id } = await world.newLocation('Pop-up');
    const { id: area } = await world.newArea('Bar', {}, id);
    const tag = await world.newTag('Night', id);
    const newEvents = await newEventsOf(world);
    await admin.call('deleteWorkspace', { params: { workspace_id: id } });
    expect(await newEvents()).toMatchObject([
      { name: 'workspace.deleted', record_id: String(id), workspace_id: id, changes: { name: ['Pop-up', null] } },
      { name: 'area.deleted', record_id: String(area) },
      ...Array.from({ length: 4 }, () => ({ name: 'absence_type.deleted', workspace_id: id })),
      { name: 'tag.updated', record_id: String(tag), changes: { active: [true, false] } },
      {
        name: 'user.updated',
        user_id: admin.id,
        changes: { workspace_ids: [[world.workspaceId, id], [world.workspaceId]] },
      },
    ]);
  });

  it('say what happened to the workspace and the account', async () => {
    const world = await newWorld();
    const newEvents = await newEventsOf(world);
    await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { name: 'Harbour', time_zone: 'Tokyo' }) });
    await world.admin.call('updateAccount', { body: bodyOf('account', { name: 'Harbour Group' }) });
    expect(await newEvents()).toMatchObject([
      {
        name: 'workspace.updated',
        workspace_id: world.workspaceId,
        changes: { name: ['admin', 'Harbour'], time_zone: ['Europe/Berlin', 'Asia/Tokyo'] },
      },
      {
        name: 'account.updated',
        record_id: String(world.accountId),
        workspace_id: null,
        changes: { account_name: ['admin', 'Harbour Group'] },
      },
    ]);
  });
});
