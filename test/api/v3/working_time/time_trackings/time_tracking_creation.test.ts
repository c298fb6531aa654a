import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { areaWith, record, tagTitled, trackingBody } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

describe('createTimeTracking', () => {
  it('201 with the next id, however many requests were refused before', async () => {
    const { admin, employee } = await newWorld();
    const first = await record(admin);
    const refused = [
      { ends_at: '2020-01-05T09:00:00+01:00' },
      { external_id: 'x'.repeat(10), confirmed: true, ends_at: null },
      { breaks_attributes: [{ starts_at: '2020-01-05T09:00:00+01:00', ends_at: '2020-01-05T09:05:00+01:00' }] },
    ];
    for (let round = 0; round < 3; round++) {
      for (const attributes of refused)
        expect((await admin.call('createTimeTracking', { body: trackingBody(attributes) })).status).toBe(400);
    }
    const forbidden = await employee.call('createTimeTracking', { body: trackingBody({}, { user: admin.id }) });
    expect(forbidden.status).toBe(403);
    expect((await record(admin)).id).toBe(String(Number(first.id) + 1));
  });

  it('201 with breaks, area, tags and user, and the numbers of the documents', async () => {
    const world = await newWorld();
    const { admin, employee, workspaceId } = world;
    const [area, tag] = [await areaWith(world, 'Bar'), await tagTitled(world, 'Night')];
    const { attributes, relationships } = await record(
      admin,
      {
        starts_at: '2026-01-05T09:00:00+01:00',
        ends_at: '2026-01-05T09:06:00+01:00',
        breaks_attributes: [{ starts_at: '2026-01-05T09:02:00+01:00', ends_at: '2026-01-05T09:03:00+01:00' }],
        external_id: 'shift-4711',
        assignment_id: 88,
        start_signature_id: '1',
        default_break_duration: 1800,
        company_id: workspaceId,
        import_id: 3,
        limited: true,
        planned: true,
        unknown: 'ignored',
      },
      { user: employee.id, area, tags: [tag] },
    );
    expect(attributes).toMatchObject({
      permissions: null,
      assignment_id: '88',
      confirmed: false,
      last_update_by: admin.id,
      break_duration: 60,
      default_break_duration: 1800,
      created_by: 'admin',
      force_custom_break_duration: false,
      external_id: 'shift-4711',
      status: 'active',
      start_signature_id: '1',
      end_signature_id: null,
      current_status: 'finished',
      starts_at: '2026-01-05T08:00:00Z',
      ends_at: '2026-01-05T08:06:00Z',
      actual_starts_at: '2026-01-05T08:00:00Z',
      actual_ends_at: '2026-01-05T08:06:00Z',
      gross_time: 0.1,
      net_time: 0.08,
      break_time: 0.02,
      system_notes_count: 2,
      user_notes_count: 0,
      signatures_count: 0,
      attachments_count: 0,
    });
    expect(attributes).not.toHaveProperty('breaks');
    expect(relationships).toMatchObject({
      area: { data: { type: 'area', id: area } },
      attachments: { data: [] },
      breaks: { data: [{ type: 'break' }] },
      notes: { data: [{ type: 'note' }, { type: 'note' }] },
      signatures: { data: [] },
      tags: { data: [{ type: 'tag', id: tag }] },
      followers: { data: [] },
      user: { data: { type: 'user_overview', id: String(employee.id) } },
      last_editor: { data: { type: 'user_overview', id: String(admin.id) } },
      workspace: { data: { type: 'workspace', id: String(workspaceId) } },
    });
  });

  it('201 for oneself where no user is named, with blanks meaning nothing', async () => {
    const { employee } = await newWorld();
    const blanks = {
      break_duration: '',
      default_break_duration: null,
      assignment_id: '',
      external_id: null,
      confirmed: '',
      breaks_attributes: null,
    };
    const { attributes, relationships } = await record(employee, blanks);
    expect(attributes).toMatchObject({
      created_by: 'employee',
      break_duration: null,
      assignment_id: null,
      external_id: null,
      gross_time: 2,
      net_time: 2,
    });
    expect(relationships['user']).toEqual({ data: { type: 'user_overview', id: String(employee.id) } });
    expect(relationships).not.toHaveProperty('area');
  });

  it('201 for the user that the attribute `user_id` names, 400 where the relationship names another', async () => {
    const { admin, employee } = await newWorld();
    const userOf = (tracking: Awaited<ReturnType<typeof record>>) => tracking.relationships['user']!.data;
    expect(userOf(await record(admin, { user_id: employee.id }))).toMatchObject({ id: String(employee.id) });
    expect(userOf(await record(admin, { user_id: String(employee.id) }))).toMatchObject({ id: String(employee.id) });
    expect(userOf(await record(admin, { user_id: '' }))).toMatchObject({ id: String(admin.id) });
    expect(userOf(await record(admin, { user_id: admin.id }, { user: admin.id }))).toMatchObject({
      id: String(admin.id),
    });
    const contradicting = await admin.call('createTimeTracking', {
      body: trackingBody({ user_id: employee.id }, { user: admin.id }),
    });
    expect([contradicting.status, pointersIn(contradicting)]).toEqual([400, ['user_id']]);
    const refused = await employee.call('createTimeTracking', { body: trackingBody({ user_id: admin.id }) });
    expect(refused.status).toBe(403);
  });

  it('201 where a relationship has a blank id, which counts as not given', async () => {
    const world = await newWorld();
    const area = await areaWith(world, 'Bar');
    const blank = { data: { type: 'area', id: '' } };
    const body = trackingBody();
    const created = await world.admin.call('createTimeTracking', {
      body: {
        data: { ...body.data, relationships: { area: blank, user: { data: { type: 'user_overview', id: ' ' } } } },
      },
    });
    expect(created.status).toBe(201);
    expect(created.body.data.relationships).not.toHaveProperty('area');
    expect(created.body.data.relationships).toMatchObject({
      user: { data: { id: String(world.admin.id) } },
    });
    const { id } = await record(world.admin, {}, { area });
    const changed = await world.admin.call('updateTimeTracking', {
      params: { time_tracking_id: id },
      body: { data: { type: 'time_tracking', relationships: { area: blank } } },
    });
    expect(changed.body.data.relationships.area.data).toMatchObject({ id: area });
  });

  it('201 where a list of a relationship has blank ids, which count as not given', async () => {
    const world = await newWorld();
    const tag = (await world.admin.call('createTag', { body: bodyOf('tag', { title: 'Night' }) })).body.data
      .id as string;
    const [blank, named] = [
      { id: '', type: 'tag' },
      { id: tag, type: 'tag' },
    ];
    const withTags = (...data: object[]) => {
      const body = trackingBody();
      return { data: { ...body.data, relationships: { ...body.data.relationships, tags: { data } } } };
    };
    const tagsOf = ({ body }: { body: { data: { relationships: { tags: { data: object[] } } } } }) =>
      body.data.relationships.tags.data;
    const none = await world.admin.call('createTimeTracking', { body: withTags(blank, { id: null, type: 'tag' }) });
    expect([none.status, tagsOf(none)]).toEqual([201, []]);
    const one = await world.admin.call('createTimeTracking', { body: withTags(blank, named) });
    expect([one.status, tagsOf(one)]).toEqual([201, [{ type: 'tag', id: tag }]]);
    const change = (data: object[]) =>
      world.admin.call('updateTimeTracking', {
        params: { time_tracking_id: one.body.data.id },
        body: { data: { type: 'time_tracking', relationships: { tags: { data } } } },
      });
    expect(tagsOf(await change([blank]))).toEqual([{ type: 'tag', id: tag }]);
    expect(tagsOf(await change([]))).toEqual([]);
  });

  it('201 running without an end, its breaks inside the attributes, in UTC', async () => {
    const world = await newWorld();
    const start = new Date(Math.floor(Date.now() / 1000) * 1000 - 7_200_000);
    const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000).toISOString().slice(0, 19) + 'Z';
    const breaks = [{ starts_at: later(30), ends_at: later(60) }];
    const { id, attributes, relationships } = await record(world.employee, {
      starts_at: later(0),
      ends_at: null,
      breaks_attributes: breaks,
    });
    expect(attributes).toMatchObject({
      current_status: 'running',
      ends_at: null,
      actual_starts_at: null,
      actual_ends_at: null,
      break_duration: 1800,
    });
    expect(attributes).toMatchObject({ gross_time: 2, break_time: 0.5, net_time: 1.5 });
    expect(attributes['breaks']).toEqual([{ id: relationships['breaks']!.data[0]!.id, ...breaks[0] }]);
    const { body } = await world.employee.call('getCurrentWorkspaceUser');
    expect(body.data.attributes.running_time_tracking).toBe(id);
  });

  it('201 with a break given by hand, which counts instead of the single ones', async () => {
    const { admin } = await newWorld();
    const breaks = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const forced = await record(admin, {
      force_custom_break_duration: true,
      break_duration: 1800,
      breaks_attributes: breaks,
    });
    expect(forced.attributes).toMatchObject({
      break_duration: 1800,
      break_time: 0.5,
      net_time: 1.5,
      force_custom_break_duration: true,
    });
    const loose = await record(admin, { break_duration: 1800, breaks_attributes: breaks });
    expect(loose.attributes).toMatchObject({
      break_duration: 600,
      break_time: 0.17,
      net_time: 1.83,
      force_custom_break_duration: false,
    });
    const empty = await record(admin, { force_custom_break_duration: true, breaks_attributes: breaks });
    expect(empty.attributes).toMatchObject({ break_duration: 600 });
  });

  it('201 confirmed by an admin; from an employee `confirmed` counts for nothing', async () => {
    const { admin, employee } = await newWorld();
    expect((await record(admin, { confirmed: true }, { user: employee.id })).attributes).toMatchObject({
      confirmed: true,
      system_notes_count: 1,
    });
    expect((await record(employee, { confirmed: true })).attributes).toMatchObject({ confirmed: false });
  });

  it('201 with the time cut to whole seconds, and what `created_by` says', async () => {
    const { admin } = await newWorld();
    const { attributes } = await record(admin, {
      starts_at: '2026-01-05T08:00:00.999+00:00',
      created_by: 'browser-stamps',
    });
    expect(attributes).toMatchObject({ starts_at: '2026-01-05T08:00:00Z', created_by: 'browser-stamps' });
  });

  it('201 for overlapping ones, which admins are warned of', async () => {
    const { admin, employee, db, accountId } = await newWorld();
    await record(admin, {}, { user: employee.id });
    await record(admin, {}, { user: employee.id });
    const warnings = await db
      .selectFrom('notifications')
      .select('rule')
      .where('account_id', '=', accountId)
      .where('type', '=', 'trigger_warning')
      .execute();
    expect(warnings.map(({ rule }) => rule)).toContain('overlap');
  });
});
