import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../support/client.ts';
import { areaWith, punched, record, systemNotes, tagTitled, trackingBody } from '../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../support/world.ts';

const uuid = '0b9f4c1e-3c7d-4c55-8a35-6f2f6d1f0a77';
const idle = new Date(Date.now() - 60_000).toISOString();

const shown = async (world: World, id: string) =>
  (await world.admin.call('getTimeTracking', { params: { time_tracking_id: id } })).body.data as {
    attributes: Record<string, unknown>;
    relationships: Record<string, { data: unknown }>;
  };

const allow = async ({ admin }: World, settings: object) =>
  expect((await admin.call('updateWorkspace', { body: bodyOf('workspace', settings) })).status).toBe(200);

const countOf = async ({ db, accountId }: World): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('time_trackings')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    ).n,
  );

describe('createTimeTracking', () => {
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
    const blanks = { break_duration: '', default_break_duration: null, assignment_id: '', external_id: null, confirmed: '', breaks_attributes: null };
    const { attributes, relationships } = await record(employee, blanks);
    expect(attributes).toMatchObject({ created_by: 'employee', break_duration: null, assignment_id: null, external_id: null, gross_time: 2, net_time: 2 });
    expect(relationships['user']).toEqual({ data: { type: 'user_overview', id: String(employee.id) } });
    expect(relationships).not.toHaveProperty('area');
  });

  it('201 running without an end, its breaks inside the attributes, in UTC', async () => {
    const world = await newWorld();
    const start = new Date(Math.floor(Date.now() / 1000) * 1000 - 7_200_000);
    const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000).toISOString().slice(0, 19) + 'Z';
    const breaks = [{ starts_at: later(30), ends_at: later(60) }];
    const { id, attributes, relationships } = await record(world.employee, { starts_at: later(0), ends_at: null, breaks_attributes: breaks });
    expect(attributes).toMatchObject({ current_status: 'running', ends_at: null, actual_starts_at: null, actual_ends_at: null, break_duration: 1800 });
    expect(attributes).toMatchObject({ gross_time: 2, break_time: 0.5, net_time: 1.5 });
    expect(attributes['breaks']).toEqual([{ id: relationships['breaks']!.data[0]!.id, ...breaks[0] }]);
    const { body } = await world.employee.call('getCurrentWorkspaceUser');
    expect(body.data.attributes.running_time_tracking).toBe(id);
  });

  it('201 with a break given by hand, which counts instead of the single ones', async () => {
    const { admin } = await newWorld();
    const breaks = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const forced = await record(admin, { force_custom_break_duration: true, break_duration: 1800, breaks_attributes: breaks });
    expect(forced.attributes).toMatchObject({ break_duration: 1800, break_time: 0.5, net_time: 1.5, force_custom_break_duration: true });
    const loose = await record(admin, { break_duration: 1800, breaks_attributes: breaks });
    expect(loose.attributes).toMatchObject({ break_duration: 600, break_time: 0.17, net_time: 1.83, force_custom_break_duration: false });
    const empty = await record(admin, { force_custom_break_duration: true, breaks_attributes: breaks });
    expect(empty.attributes).toMatchObject({ break_duration: 600 });
  });

  it('201 confirmed by an admin; from an employee `confirmed` counts for nothing', async () => {
    const { admin, employee } = await newWorld();
    expect((await record(admin, { confirmed: true }, { user: employee.id })).attributes).toMatchObject({ confirmed: true, system_notes_count: 1 });
    expect((await record(employee, { confirmed: true })).attributes).toMatchObject({ confirmed: false });
  });

  it('201 with the time cut to whole seconds, and what `created_by` says', async () => {
    const { admin } = await newWorld();
    const { attributes } = await record(admin, { starts_at: '2026-01-05T08:00:00.999+00:00', created_by: 'browser-stamps' });
    expect(attributes).toMatchObject({ starts_at: '2026-01-05T08:00:00Z', created_by: 'browser-stamps' });
  });

  it('201 for overlapping ones, which admins are warned of', async () => {
    const { admin, employee, db, accountId } = await newWorld();
    await record(admin, {}, { user: employee.id });
    await record(admin, {}, { user: employee.id });
    const warnings = await db.selectFrom('notifications').select('rule').where('account_id', '=', accountId).where('type', '=', 'trigger_warning').execute();
    expect(warnings.map(({ rule }) => rule)).toContain('overlap');
  });

  it('400 names everything that the contract forbids at once', async () => {
    const world = await newWorld();
    const response = await world.admin.call('createTimeTracking', {
      body: {
        data: {
          type: 'time_trackings',
          attributes: {
            starts_at: '2026-01-05T08:00:00',
            ends_at: '2026-02-30T08:00:00Z',
            break_duration: -1,
            default_break_duration: 2_147_483_648,
            confirmed: 'yes',
            external_id: 'x'.repeat(256),
            breaks_attributes: [{ starts_at: 'soon' }],
          },
          relationships: { user: { data: { type: 'person', id: 1 } } },
        },
      },
    });
    expect(response.status).toBe(400);
    expect([...new Set(pointersIn(response))].sort()).toEqual(
      ['break_duration', 'breaks_attributes/0/ends_at', 'breaks_attributes/0/starts_at', 'confirmed', 'default_break_duration', 'ends_at', 'external_id', 'starts_at', 'type', 'user/data/type'], // prettier-ignore
    );
    expect(await countOf(world)).toBe(0);
  });

  it('400 names everything that the data forbids at once, and writes nothing', async () => {
    const world = await newWorld();
    const other = await newWorld();
    const inactive = await tagTitled(world, 'Old', { active: false });
    await record(world.admin, { external_id: 'taken' });
    const response = await world.admin.call('createTimeTracking', {
      body: trackingBody(
        {
          ends_at: '2026-01-05T07:00:00Z',
          external_id: 'taken',
          company_id: other.workspaceId,
          breaks_attributes: [{ starts_at: '2026-01-05T08:10:00Z', ends_at: '2026-01-05T08:10:00Z' }],
        },
        { user: other.employee.id, area: '22_22', tags: [inactive, 999_999] },
      ),
    });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['area', 'breaks_attributes/0/ends_at', 'company_id', 'ends_at', 'external_id', 'tags', 'tags', 'user']);
    expect(titlesIn(response)).toContain('ends_at must be after starts_at, 2026-01-05T09:00:00+01:00, but was 2026-01-05T08:00:00+01:00.');
    expect(titlesIn(response)).toContain('area names "22_22", which is no active area of this workspace.');
    expect(titlesIn(response)).toContain(`user names ${other.employee.id}, which is no user of this workspace.`);
    expect(await countOf(world)).toBe(1);
  });

  it('400 for more than one year, for a break given by hand that is longer, and for a blank start', async () => {
    const { admin } = await newWorld();
    const pointers = async (attributes: object) => pointersIn(await admin.call('createTimeTracking', { body: trackingBody(attributes) }));
    expect(await pointers({ ends_at: '2027-01-05T08:00:01Z' })).toEqual(['ends_at']);
    expect(await pointers({ force_custom_break_duration: true, break_duration: 7201 })).toEqual(['break_duration']);
    expect(await pointers({ starts_at: '' })).toEqual(['starts_at']);
    expect(await pointers({ external_id: 'a\0b' })).toEqual(['external_id']);
  });

  it('400 while another one runs, saying since when', async () => {
    const { employee, admin } = await newWorld();
    await record(employee, { starts_at: '2026-01-05T08:00:00Z', ends_at: null });
    const response = await employee.call('createTimeTracking', { body: trackingBody({ ends_at: null }) });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['ends_at']);
    expect(titlesIn(response)[0]).toContain('already running since 2026-01-05T09:00:00+01:00');
    await record(employee);
    await record(admin, { ends_at: null });
  });

  it('400 confirmed while running', async () => {
    const { admin } = await newWorld();
    const response = await admin.call('createTimeTracking', { body: trackingBody({ ends_at: null, confirmed: true }) });
    expect([response.status, pointersIn(response)]).toEqual([400, ['confirmed']]);
  });

  it('one of many at once runs', async () => {
    const { employee } = await newWorld();
    const body = trackingBody({ starts_at: idle, ends_at: null });
    const responses = await Promise.all(Array.from({ length: 10 }, () => employee.call('createTimeTracking', { body })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(400)]);
  });

  it('403 for an employee who names somebody else, or a tag that he may not give', async () => {
    const world = await newWorld();
    const tag = await tagTitled(world, 'Night');
    const forSomebodyElse = await world.employee.call('createTimeTracking', { body: trackingBody({}, { user: world.admin.id }) });
    const tagged = await world.employee.call('createTimeTracking', { body: trackingBody({}, { tags: [tag] }) });
    expect([forSomebodyElse.status, tagged.status]).toEqual([403, 403]);
    await allow(world, { allow_employees_tag_working_sessions: true });
    await record(world.employee, {}, { tags: [tag] });
  });

  it('403 for an area admin who names somebody outside his areas', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await areaWith(world, 'Bar', [areaAdmin]);
    expect((await areaAdmin.call('createTimeTracking', { body: trackingBody({}, { user: world.employee.id }) })).status).toBe(403);
    await areaWith(world, 'Kitchen', [areaAdmin, world.employee]);
    await record(areaAdmin, {}, { user: world.employee.id });
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await stranger.call('createTimeTracking', { body: trackingBody() })).status).toBe(404);
  });
});

describe('getTimeTracking', () => {
  it('200 by either form of a punched one’s id, which is always shown as the UUID', async () => {
    const world = await newWorld();
    const { id } = await punched(world, world.employee.id, uuid);
    for (const name of [String(id), uuid, uuid.toUpperCase()]) {
      const { status, body } = await world.employee.call('getTimeTracking', { params: { time_tracking_id: name } });
      expect([status, body.data.id]).toEqual([200, uuid]);
    }
  });

  it('200 with everything included, each record once', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [area, tag] = [await areaWith(world, 'Bar'), await tagTitled(world, 'Night')];
    const breaks = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const { id } = await record(admin, { breaks_attributes: breaks }, { user: employee.id, area, tags: [tag] });
    await admin.call('createTimeTrackingFollowers', { params: { time_tracking_id: id }, body: bodyOf('follower', { follower_ids: [admin.id] }) });
    const include = 'workspace, user, area, tags, breaks, followers, last_editor, notes, attachments, signatures';
    const { status, body } = await admin.call('getTimeTracking', { params: { time_tracking_id: id }, query: { include } });
    expect(status).toBe(200);
    const kinds = body.included.map((record: { type: string }) => record.type).sort();
    expect(kinds).toEqual(['area', 'break', 'note', 'note', 'tag', 'user_overview', 'user_overview', 'workspace']);
    const { body: empty } = await admin.call('getTimeTracking', { params: { time_tracking_id: id }, query: 'include=signatures' });
    expect(empty.included).toEqual([]);
  });

  it('200 with the permissions that were asked for', async () => {
    const world = await newWorld();
    const { id } = await record(world.employee);
    const of = async (person: World['admin'], permissions: string) =>
      (await person.call('getTimeTracking', { params: { time_tracking_id: id }, query: { permissions } })).body.data.attributes.permissions;
    expect(await of(world.employee, '')).toEqual({ read: true, update: true, destroy: false });
    expect(await of(world.admin, 'destroy, nonsense')).toEqual({ destroy: true });
  });

  it('200 for a follower', async () => {
    const world = await newWorld();
    const follower = await world.addMember('employee', 'follower');
    const { id } = await record(world.employee);
    const params = { time_tracking_id: id };
    expect((await follower.call('getTimeTracking', { params })).status).toBe(403);
    await world.admin.call('createTimeTrackingFollowers', { params, body: bodyOf('follower', { follower_ids: [follower.id] }) });
    expect((await follower.call('getTimeTracking', { params })).status).toBe(200);
    expect((await follower.call('updateTimeTracking', { params, body: bodyOf('time_tracking', {}) })).status).toBe(403);
  });

  it('400 for an unknown include, naming the known ones', async () => {
    const { admin } = await newWorld();
    const { id } = await record(admin);
    const response = await admin.call('getTimeTracking', { params: { time_tracking_id: id }, query: 'include=shifts' });
    expect([response.status, pointersIn(response)]).toEqual([400, ['include']]);
    expect(titlesIn(response)[0]).toContain('last_editor');
  });

  it('403 for a colleague, 404 for what is not there', async () => {
    const { admin, employee, stranger } = await newWorld();
    const { id } = await record(admin);
    expect((await employee.call('getTimeTracking', { params: { time_tracking_id: id } })).status).toBe(403);
    expect((await stranger.call('getTimeTracking', { params: { time_tracking_id: id } })).status).toBe(404);
    for (const wrong of ['abc', '22_22', '99999999999999999999', '0', '-1', uuid, '1.5']) {
      expect((await admin.call('getTimeTracking', { params: { time_tracking_id: wrong } })).status).toBe(404);
    }
  });

  it('404 in another workspace of the same account', async () => {
    const { admin } = await newWorld();
    const { id } = await record(admin);
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Second' }) });
    expect((await admin.call('getTimeTracking', { params: { workspace_id: body.data.id, time_tracking_id: id } })).status).toBe(404);
  });
});

describe('updateTimeTracking', () => {
  const update = (person: World['admin'], id: string, attributes: object, relationships?: object) =>
    person.call('updateTimeTracking', { params: { time_tracking_id: id }, body: bodyOf('time_tracking', attributes, relationships) });

  it('200 changes times, breaks, area and tags, a system note each with old and new value', async () => {
    const world = await newWorld();
    const [bar, kitchen] = [await areaWith(world, 'Bar'), await areaWith(world, 'Kitchen')];
    const [night, late] = [await tagTitled(world, 'Night'), await tagTitled(world, 'Late')];
    const breaks = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const made = await record(world.admin, { breaks_attributes: breaks }, { user: world.employee.id, area: bar, tags: [night] });
    const { status, body } = await update(
      world.admin,
      made.id,
      {
        ends_at: '2026-01-05T11:00:00Z',
        breaks_attributes: [
          { id: made.relationships['breaks']!.data[0]!.id, ends_at: '2026-01-05T08:45:00Z' },
          { starts_at: '2026-01-05T10:00:00Z', ends_at: '2026-01-05T10:15:00Z' },
        ],
      },
      { area: { data: { type: 'area', id: kitchen } }, tags: { data: [{ type: 'tag', id: late }] } },
    );
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      ends_at: '2026-01-05T11:00:00Z',
      actual_ends_at: '2026-01-05T10:00:00Z',
      gross_time: 3,
      break_time: 0.5,
      net_time: 2.5,
      break_duration: 1800,
      system_notes_count: 6,
    });
    expect(body.data.relationships).toMatchObject({ area: { data: { id: kitchen } }, tags: { data: [{ id: late }] } });
    expect(await systemNotes(world.admin, made.id)).toEqual([
      'admin created the time tracking.',
      'admin recorded the breaks: 2026-01-05T09:30:00+01:00 – 2026-01-05T09:40:00+01:00.',
      'admin changed the times from 2026-01-05T09:00:00+01:00 – 2026-01-05T11:00:00+01:00 to 2026-01-05T09:00:00+01:00 – 2026-01-05T12:00:00+01:00.',
      'admin changed the breaks from 2026-01-05T09:30:00+01:00 – 2026-01-05T09:40:00+01:00 to 2026-01-05T09:30:00+01:00 – 2026-01-05T09:45:00+01:00; 2026-01-05T11:00:00+01:00 – 2026-01-05T11:15:00+01:00.',
      'admin changed the area from "Bar" to "Kitchen".',
      'admin changed the tags from "Night" to "Late".',
    ]);
  });

  it('200 takes it out of its area, removes its tags and a break', async () => {
    const world = await newWorld();
    const [area, tag] = [await areaWith(world, 'Bar'), await tagTitled(world, 'Night')];
    const breaks = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const made = await record(world.admin, { breaks_attributes: breaks }, { area, tags: [tag] });
    const destroyed = [{ id: Number(made.relationships['breaks']!.data[0]!.id), _destroy: true }];
    const { body } = await update(world.admin, made.id, { breaks_attributes: destroyed }, { area: { data: null }, tags: { data: [] } });
    expect(body.data.relationships).toMatchObject({ breaks: { data: [] }, tags: { data: [] } });
    expect(body.data.relationships).not.toHaveProperty('area');
    expect(body.data.attributes).toMatchObject({ break_duration: null, break_time: 0, system_notes_count: 5 });
  });

  it('200 says nothing new, so nothing is written', async () => {
    const world = await newWorld();
    const made = await record(world.employee);
    const { status, body } = await update(world.admin, made.id, { starts_at: '2026-01-05T09:00:00+01:00', breaks_attributes: [] });
    expect(status).toBe(200);
    expect(body.data).toEqual(made);
  });

  it('200 finishes a running one, with the break that is open; then null makes it run again', async () => {
    const world = await newWorld();
    const { employee, db, accountId } = world;
    const { id } = await record(employee, { starts_at: '2026-01-05T08:00:00Z', ends_at: null });
    const open = { account_id: accountId, time_tracking_id: Number(id), starts_at: new Date('2026-01-05T09:00:00Z'), created_by: 'actions' };
    await db
      .insertInto('breaks')
      .values({ ...open, created_at: new Date(), updated_at: new Date() })
      .execute();
    await db.updateTable('time_trackings').set({ breaks_s: 0 }).where('account_id', '=', accountId).where('id', '=', Number(id)).execute();
    const finished = await update(employee, id, { ends_at: '2026-01-05T09:30:00Z' });
    expect(finished.body.data.attributes).toMatchObject({
      current_status: 'finished',
      gross_time: 1.5,
      break_time: 0.5,
      actual_ends_at: '2026-01-05T09:30:00Z',
    });
    const again = await update(employee, id, { ends_at: null });
    expect(again.body.data.attributes).toMatchObject({ current_status: 'running', ends_at: null, actual_ends_at: null, break_duration: 1800 });
    const last = await update(employee, id, { ends_at: '2026-01-05T10:00:00Z' });
    expect(last.body.data.attributes).toMatchObject({ gross_time: 2, actual_ends_at: '2026-01-05T09:30:00Z' });
  });

  it('200 gives it to somebody else', async () => {
    const world = await newWorld();
    const { id } = await record(world.admin);
    const { status, body } = await update(world.admin, id, { user_id: world.employee.id });
    expect([status, body.data.relationships.user.data.id]).toEqual([200, String(world.employee.id)]);
    expect((await systemNotes(world.admin, id)).at(-1)).toBe('admin changed the user from "admin" to "employee".');
  });

  it('200 keeps an inactive tag that it carries already', async () => {
    const world = await newWorld();
    const tag = await tagTitled(world, 'Night');
    const { id } = await record(world.admin, {}, { tags: [tag] });
    await world.admin.call('updateTag', { params: { tag_id: tag }, body: bodyOf('tag', { active: false }) });
    expect((await update(world.admin, id, {}, { tags: { data: [{ type: 'tag', id: tag }] } })).status).toBe(200);
  });

  it('200 tells the followers, and not who did it', async () => {
    const world = await newWorld();
    const follower = await world.addMember('employee', 'follower');
    const { id } = await record(world.employee);
    const body = bodyOf('follower', { follower_ids: [follower.id, world.admin.id] });
    await world.admin.call('createTimeTrackingFollowers', { params: { time_tracking_id: id }, body });
    await update(world.admin, id, { ends_at: '2026-01-05T11:00:00Z' });
    const told = await world.db.selectFrom('notifications').selectAll().where('account_id', '=', world.accountId).where('type', '=', 'notification').execute();
    expect(told.map(({ user_id, time_tracking_id }) => [user_id, String(time_tracking_id)])).toEqual([[follower.id, id]]);
    expect(told[0]!.message).toContain('admin changed the times from');
  });

  it('400 names every problem at once, and writes nothing', async () => {
    const world = await newWorld();
    const other = await newWorld();
    const breaks = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const made = await record(world.admin, { breaks_attributes: breaks });
    const response = await update(
      world.admin,
      made.id,
      { starts_at: '2026-01-05T08:35:00Z', user_id: other.employee.id, breaks_attributes: [{ id: 999_999, _destroy: true }] },
      { area: { data: { type: 'area', id: 'abc' } }, tags: { data: [{ type: 'tag', id: 999_999 }] } },
    );
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['area', 'breaks_attributes/0/id', 'starts_at', 'tags', 'user_id']);
    expect(await shown(world, made.id)).toEqual(made);
  });

  it('400 for a break without times, a null start, and a wrong type', async () => {
    const { admin } = await newWorld();
    const { id } = await record(admin);
    const response = await admin.call('updateTimeTracking', {
      params: { time_tracking_id: id },
      body: { data: { type: 'tracking', attributes: { starts_at: null, breaks_attributes: [{ _destroy: true }] } } },
    });
    expect(response.status).toBe(400);
    expect([...new Set(pointersIn(response))].sort()).toEqual(['breaks_attributes/0/ends_at', 'breaks_attributes/0/starts_at', 'starts_at', 'type']);
  });

  it('400 makes a confirmed one run again, or a second one run', async () => {
    const world = await newWorld();
    const confirmed = await record(world.admin, { confirmed: true });
    expect(pointersIn(await update(world.admin, confirmed.id, { ends_at: null }))).toEqual(['ends_at']);
    await record(world.employee, { ends_at: null });
    const finished = await record(world.employee);
    expect(titlesIn(await update(world.employee, finished.id, { ends_at: null }))[0]).toContain('already running since');
    const running = await record(world.admin, { ends_at: null });
    expect(titlesIn(await update(world.admin, running.id, { user_id: world.employee.id }))[0]).toContain('already running since');
  });

  it('403 for a punched one, the area, the tags and the user, until the workspace allows it', async () => {
    const world = await newWorld();
    const { employee } = world;
    await punched(world, employee.id, uuid);
    const { id } = await record(employee);
    const [area, tag] = [await areaWith(world, 'Bar'), await tagTitled(world, 'Night')];
    const tries = async () =>
      Promise.all([
        update(employee, uuid, { ends_at: '2026-01-06T11:00:00Z' }),
        update(employee, id, {}, { area: { data: { type: 'area', id: area } } }),
        update(employee, id, {}, { tags: { data: [{ type: 'tag', id: tag }] } }),
        update(employee, id, { user_id: world.admin.id }),
      ]).then((responses) => responses.map(({ status }) => status));
    await allow(world, { allow_employees_edit_working_session_area: false });
    expect(await tries()).toEqual([403, 403, 403, 403]);
    await allow(world, {
      allow_employees_edit_working_session_area: true,
      allow_employee_edit_punched_working_sessions: true,
      allow_employees_tag_working_sessions: true,
    });
    expect(await tries()).toEqual([200, 200, 200, 403]);
  });

  it('403 for an area admin who would give it to somebody outside his areas', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await areaWith(world, 'Bar', [areaAdmin]);
    const { id } = await record(areaAdmin);
    expect((await update(areaAdmin, id, { user_id: world.employee.id })).status).toBe(403);
  });

  it('403 for a colleague, 404 for what is not there', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(admin);
    expect((await update(employee, id, {})).status).toBe(403);
    expect((await update(admin, '999999', {})).status).toBe(404);
  });

  it('two at once leave what one after the other would', async () => {
    const world = await newWorld();
    const { id } = await record(world.admin);
    const add = (from: string, to: string) =>
      update(world.admin, id, { breaks_attributes: [{ starts_at: `2026-01-05T${from}:00Z`, ends_at: `2026-01-05T${to}:00Z` }] });
    const responses = await Promise.all([add('08:00', '09:00'), add('08:30', '09:30'), add('08:45', '08:50')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });
});

describe('deleteTimeTracking', () => {
  it('200 shows it a last time, without its notes, and then it is gone with all that hung on it', async () => {
    const world = await newWorld();
    const { admin, db, accountId } = world;
    const made = await record(admin, { breaks_attributes: [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }] });
    const params = { time_tracking_id: made.id };
    const files = [{ field: 'files', name: 'a.txt', bytes: Buffer.from('a') }];
    expect((await admin.call('createTimeTrackingAttachments', { params, files })).status).toBe(201);
    const { status, body } = await admin.call('deleteTimeTracking', { params });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: made.id, attributes: { gross_time: 2, system_notes_count: 0 }, relationships: { notes: { data: [] } } });
    expect((await admin.call('getTimeTracking', { params })).status).toBe(404);
    for (const table of ['time_trackings', 'breaks', 'notes', 'attachments', 'files'] as const) {
      expect(await db.selectFrom(table).select('account_id').where('account_id', '=', accountId).execute()).toEqual([]);
    }
  });

  it('200 withdraws the warnings that it caused', async () => {
    const { admin, db, accountId } = await newWorld();
    await record(admin);
    const { id } = await record(admin);
    const warnings = () => db.selectFrom('notifications').select('rule').where('account_id', '=', accountId).where('rule', '=', 'overlap').execute();
    expect(await warnings()).toHaveLength(2);
    await admin.call('deleteTimeTracking', { params: { time_tracking_id: id } });
    expect(await warnings()).toEqual([]);
  });

  it('403 for its owner, 404 for what is not there', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(employee);
    expect((await employee.call('deleteTimeTracking', { params: { time_tracking_id: id } })).status).toBe(403);
    expect((await admin.call('deleteTimeTracking', { params: { time_tracking_id: 'abc' } })).status).toBe(404);
  });
});

describe('confirmTimeTracking', () => {
  it('200 confirms it with a system note, and changes nothing the second time', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(employee);
    const params = { time_tracking_id: id };
    const first = await admin.call('confirmTimeTracking', { params });
    expect(first.status).toBe(200);
    expect(first.body.data.attributes).toMatchObject({ confirmed: true, last_update_by: admin.id, system_notes_count: 2 });
    expect((await systemNotes(admin, id)).at(-1)).toBe('admin confirmed the time tracking.');
    const second = await admin.call('confirmTimeTracking', { params });
    expect(second.body.data).toEqual(first.body.data);
  });

  it('400 while it is running', async () => {
    const { admin } = await newWorld();
    const { id } = await record(admin, { ends_at: null });
    const response = await admin.call('confirmTimeTracking', { params: { time_tracking_id: id } });
    expect([response.status, titlesIn(response)]).toEqual([400, ['The time tracking is running and can be confirmed only once it has ended.']]);
  });

  it('403 for its owner, and for an area admin who only follows it; 404 for what is not there', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    const { id } = await record(world.employee);
    const params = { time_tracking_id: id };
    await world.admin.call('createTimeTrackingFollowers', { params, body: bodyOf('follower', { follower_ids: [areaAdmin.id] }) });
    expect((await areaAdmin.call('getTimeTracking', { params })).status).toBe(200);
    expect((await areaAdmin.call('confirmTimeTracking', { params })).status).toBe(403);
    expect((await world.employee.call('confirmTimeTracking', { params })).status).toBe(403);
    expect((await world.admin.call('confirmTimeTracking', { params: { time_tracking_id: uuid } })).status).toBe(404);
  });
});

describe('what happens elsewhere', () => {
  it('deleteUser ends what is running, with its open break, and its record stays', async () => {
    const world = await newWorld();
    const { admin, employee, db, accountId } = world;
    const { id } = await record(employee, { starts_at: '2026-01-05T08:00:00Z', ends_at: null });
    const open = { account_id: accountId, time_tracking_id: Number(id), starts_at: new Date('2026-01-05T09:00:00Z'), created_by: 'actions' };
    await db
      .insertInto('breaks')
      .values({ ...open, created_at: new Date(), updated_at: new Date() })
      .execute();
    expect((await admin.call('deleteUser', { params: { user_id: employee.id } })).status).toBe(200);
    const { body } = await admin.call('getTimeTracking', { params: { time_tracking_id: id }, query: 'include=user' });
    expect(body.data.attributes).toMatchObject({ current_status: 'finished', last_update_by: employee.id });
    expect(body.data.attributes.break_time).toBeCloseTo(body.data.attributes.gross_time - 1, 1);
    expect(body.included).toMatchObject([{ type: 'user_overview', attributes: { username: 'employee', status: 'inactive' } }]);
    expect((await systemNotes(admin, id)).at(-1)).toBe('admin deleted the user, which ended the time tracking.');
  });

  it('deleteUser ends one that has not even begun', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(employee, { starts_at: '2999-01-05T08:00:00Z', ends_at: null });
    expect((await admin.call('deleteUser', { params: { user_id: employee.id } })).status).toBe(200);
    const { body } = await admin.call('getTimeTracking', { params: { time_tracking_id: id } });
    expect(body.data.attributes.ends_at).toBe('2999-01-05T08:00:01Z');
  });

  it('deleteUser ends one that has been running for a century', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(employee, { starts_at: '1900-01-01T00:00:00Z', ends_at: null });
    expect((await admin.call('deleteUser', { params: { user_id: employee.id } })).status).toBe(200);
    const { body } = await admin.call('getTimeTracking', { params: { time_tracking_id: id } });
    expect(body.data.attributes.gross_time).toBeGreaterThan(1_000_000);
  });

  it('deleteArea at the same moment leaves no tracking in an area that is gone', async () => {
    const world = await newWorld();
    for (const name of ['Bar', 'Kitchen', 'Cellar']) {
      const area = await areaWith(world, name);
      await Promise.all([
        world.admin.call('createTimeTracking', { body: trackingBody({}, { area }) }),
        world.admin.call('deleteArea', { params: { area_id: area } }),
        world.admin.call('createTimeTracking', { body: trackingBody({}, { area }) }),
      ]);
    }
    const { body } = await world.admin.call('listTimeTrackings');
    for (const { relationships } of body.data) expect(relationships).not.toHaveProperty('area');
  });

  it('deleteArea takes trackings out of the area', async () => {
    const world = await newWorld();
    const area = await areaWith(world, 'Bar');
    const { id } = await record(world.admin, {}, { area });
    expect((await shown(world, id)).relationships).toHaveProperty('area');
    await world.admin.call('deleteArea', { params: { area_id: area } });
    expect((await shown(world, id)).relationships).not.toHaveProperty('area');
  });

  it('a running tracking that was punched shows its UUID with the user', async () => {
    const world = await newWorld();
    const { id } = await punched(world, world.employee.id, uuid);
    const running = () =>
      world.admin.call('getUser', { params: { user_id: world.employee.id } }).then(({ body }) => body.data.attributes.running_time_tracking);
    expect(await running()).toBeNull();
    await world.db.updateTable('time_trackings').set({ ends_at: null }).where('account_id', '=', world.accountId).where('id', '=', id).execute();
    expect(await running()).toBe(uuid);
  });
});
