import { describe, expect, it } from 'vitest';
import { punch, at, trackingsOf, notesOf, tagsOf, letEmployeesTag, area } from '../../../../support/punches.ts';
import { statementsDuring } from '../../../../support/database/statements.ts';
import { tagTitled } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { needsOneServer } from '../../../../support/database/distribution.ts';

const breaksOf = ({ db, accountId }: World, trackingId: number) =>
  db
    .selectFrom('breaks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('time_tracking_id', '=', trackingId)
    .orderBy('id')
    .execute();

describe('createAction', () => {
  it('201 start begins a running tracking with a UUID', async () => {
    const world = await newWorld();
    const { status, body } = await punch(world.employee, 'start', { action_time: at('08:00:00') });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({
      action_type: 'start',
      working_session_id: null,
      action_time: '2026-03-02T07:00:00Z',
    });
    expect(body.data.relationships).toEqual({
      user: { data: { type: 'user', id: String(world.employee.id) } },
      workspace: { data: { type: 'workspace', id: String(world.workspaceId) } },
    });
    const [tracking] = await trackingsOf(world, world.employee.id);
    expect(tracking).toMatchObject({
      ends_at: null,
      created_by: 'actions',
      last_editor_id: world.employee.id,
      actual_starts_at: new Date(at('08:00:00')),
    });
    expect(tracking!.uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(await notesOf(world, tracking!.id)).toEqual(['employee created the time tracking.']);
  });

  it('201 for a day with two breaks', async () => {
    const world = await newWorld();
    const day = [
      ['start', '08:00:00'],
      ['start-break', '10:00:00'],
      ['end-break', '10:15:00'],
      ['start-break', '12:00:00'],
      ['end-break', '12:30:00'],
      ['end', '17:00:00'],
    ] as const;
    const answers = [];
    for (const [type, time] of day) answers.push(await punch(world.employee, type, { action_time: at(time) }));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);

    const [tracking] = await trackingsOf(world, world.employee.id);
    expect(tracking).toMatchObject({
      ends_at: new Date(at('17:00:00')),
      actual_ends_at: new Date(at('17:00:00')),
      breaks_s: 45 * 60,
      gross_s: 9 * 3600,
    });
    expect(
      (await breaksOf(world, tracking!.id)).map(({ starts_at, ends_at, created_by }) => [
        starts_at,
        ends_at,
        created_by,
      ]),
    ).toEqual([
      [new Date(at('10:00:00')), new Date(at('10:15:00')), 'actions'],
      [new Date(at('12:00:00')), new Date(at('12:30:00')), 'actions'],
    ]);
    expect(await notesOf(world, tracking!.id)).toHaveLength(6);
    expect(answers.map(({ body }) => body.data.attributes.working_session_id)).toEqual([
      null,
      null,
      null,
      null,
      null,
      tracking!.uuid,
    ]);
    const shown = await world.employee.call('listActions');
    expect(
      shown.body.data.map(
        (action: { attributes: { working_session_id: string } }) => action.attributes.working_session_id,
      ),
    ).toEqual(day.map(() => tracking!.uuid));
  });

  it('201 end closes an open break too', async () => {
    const world = await newWorld();
    await punch(world.employee, 'start', { action_time: at('08:00:00') });
    await punch(world.employee, 'start-break', { action_time: at('12:00:00') });
    expect((await punch(world.employee, 'end', { action_time: at('12:30:00') })).status).toBe(201);
    const [tracking] = await trackingsOf(world, world.employee.id);
    expect(tracking).toMatchObject({ ends_at: new Date(at('12:30:00')), breaks_s: 1800 });
  });

  it('201 end ends a tracking that was begun by hand, whose id stays a number', async () => {
    const world = await newWorld();
    const created = await world.employee.call('createTimeTracking', {
      body: bodyOf('time_tracking', { starts_at: at('08:00:00') }),
    });
    const { status, body } = await punch(world.employee, 'end', { action_time: at('09:00:00') });
    expect(status).toBe(201);
    expect(body.data.attributes.working_session_id).toBe(created.body.data.id);
    expect(body.data.attributes.working_session_id).toMatch(/^\d+$/);
  });

  it('201 for punches without a time, however fast they come', async () => {
    const world = await newWorld();
    for (const type of ['start', 'start-break', 'end-break', 'start-break', 'end-break', 'end', 'start', 'end']) {
      expect((await punch(world.employee, type)).status).toBe(201);
    }
    const trackings = await trackingsOf(world, world.employee.id);
    expect(trackings).toHaveLength(2);
    expect(await breaksOf(world, trackings[0]!.id)).toHaveLength(2);
    expect(trackings.every(({ ends_at }) => ends_at !== null)).toBe(true);
  });

  it('201 for punches of the same second', async () => {
    const { employee } = await newWorld();
    for (const type of ['start', 'start-break', 'end-break', 'end']) {
      expect((await punch(employee, type, { action_time: at('08:00:00') })).status).toBe(201);
    }
  });

  it('201 with tags for the action and its tracking', async () => {
    const world = await newWorld();
    await letEmployeesTag(world);
    const [night, day] = [await tagTitled(world, 'Night'), await tagTitled(world, 'Day')];
    await punch(world.employee, 'start', { taggings_attributes: [{ tag_id: night }, { tag_id: Number(night) }] });
    expect((await punch(world.employee, 'end', { taggings_attributes: [{ tag_id: Number(day) }] })).status).toBe(201);
    const [tracking] = await trackingsOf(world, world.employee.id);
    expect((await tagsOf(world, tracking!.id)).sort()).toEqual([night, day].sort());
    expect((await notesOf(world, tracking!.id)).at(-1)).toBe(
      'employee changed the tags from "Night" to "Night"; "Day".',
    );
    const taggings = await world.db
      .selectFrom('taggings')
      .select('tag_id')
      .where('account_id', '=', world.accountId)
      .execute();
    expect(taggings.map(({ tag_id }) => String(tag_id)).sort()).toEqual([night, day].sort());
  });

  it('201 with blanks in optional attributes, which then have their defaults', async () => {
    const world = await newWorld();
    const { status, body } = await punch(world.employee, 'start', {
      device_id: null,
      action_time: '',
      user_id: null,
      taggings_attributes: null,
    });
    expect(status).toBe(201);
    expect(body.data.relationships.user.data.id).toBe(String(world.employee.id));
  });

  it('201 for an admin, also of an area, in the name of a user', async () => {
    const world = await newWorld();
    const { areaAdmin, member } = await area(world);
    expect((await punch(areaAdmin, 'start', { user_id: member.id })).status).toBe(201);
    const workspaceAdmin = await world.addMember('workspaceAdmin');
    expect((await punch(workspaceAdmin, 'start-break', { user_id: member.id })).status).toBe(201);
    const { status, body } = await punch(world.admin, 'end', { user_id: String(member.id), device_id: 7 });
    expect(status).toBe(201);
    expect(body.data.relationships.user.data.id).toBe(String(member.id));
    const [tracking] = await trackingsOf(world, member.id);
    expect(tracking!.last_editor_id).toBe(world.admin.id);
  });

  it('201 notifies the followers and warns about the work', async () => {
    const world = await newWorld();
    await punch(world.employee, 'start', { action_time: at('08:00:00') });
    const [tracking] = await trackingsOf(world, world.employee.id);
    await world.db
      .insertInto('time_tracking_followers')
      .values({ account_id: world.accountId, time_tracking_id: tracking!.id, user_id: world.admin.id })
      .execute();
    await punch(world.employee, 'end', { action_time: at('19:00:00') });
    const notifications = await world.db
      .selectFrom('notifications')
      .select(['type', 'user_id', 'rule'])
      .where('account_id', '=', world.accountId)
      .orderBy('rule')
      .orderBy('type')
      .execute();
    expect(notifications).toEqual([
      ...['long_stretch', 'long_work', 'short_breaks'].flatMap((rule) =>
        ['notification', 'trigger_warning'].map((type) => ({ type, user_id: world.employee.id, rule })),
      ),
      { type: 'notification', user_id: world.admin.id, rule: null },
    ]);
  });

  it('sends the database nine statements for a punch, begin and commit among them', async (context) => {
    needsOneServer(context, 'A transaction begins with more messages there.');
    const world = await newWorld();
    for (const type of ['start', 'end']) await punch(world.admin, type);
    for (const type of ['start', 'end'])
      expect(await statementsDuring(() => punch(world.employee, type)), type).toBe(9);
  });
});
