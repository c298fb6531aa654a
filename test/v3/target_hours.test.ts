import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../support/client.ts';
import { insertArea } from '../support/records.ts';
import { newEmail, signUp, callWithTokenOf } from '../support/people.ts';
import { bodyOf, newWorld, type Person, type World } from '../support/world.ts';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** Eight hours on each of these weekdays. */
const eightHours = (...worked: string[]) =>
  Object.fromEntries(worked.flatMap((day) => [[`is_${day}`, true] as const, [day, 8] as const]));
const monToWed = eightHours('mon', 'tue', 'wed');
const [on, off] = [
  { day_type: 'workday', hours: 8 },
  { day_type: 'freeday', hours: 0 },
];
const cycle = { target_working_days_attributes: [on, on, on, on, off, off] };

const create = (person: Person, userId: number, attributes: object) =>
  person.call('createTargetHour', { params: { user_id: userId }, body: bodyOf('target_hour', attributes) });
const update = (person: Person, userId: number, id: string, attributes: object) =>
  person.call('updateTargetHour', {
    params: { user_id: userId, target_hour_id: id },
    body: bodyOf('target_hour', attributes),
  });
const remove = (person: Person, userId: number, id: string) =>
  person.call('deleteTargetHour', { params: { user_id: userId, target_hour_id: id } });
const list = (person: Person, userId: number, query = {}) =>
  person.call('listTargetHours', { params: { user_id: userId }, query });

interface Shown {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const shownTo = async (person: Person, userId: number): Promise<Shown[]> => (await list(person, userId)).body.data;
const datesOf = async ({ admin, employee }: World) =>
  (await shownTo(admin, employee.id)).map(({ attributes }) => [attributes['start_date'], attributes['end_date']]);

const defaultWeek = {
  permissions: null,
  rhythm_type: 'weekly',
  end_date: null,
  target_limited: false,
  reset_confirmed_absences: null,
  total_hours: 40,
  updated_by: null,
  is_week: false,
  is_month: false,
  ...Object.fromEntries(days.flatMap((day) => [[`is_${day}`, day !== 'sat' && day !== 'sun'] as const, [day, day === 'sat' || day === 'sun' ? null : 8] as const])),
  per_day: true,
  week: null,
  month: null,
}; // prettier-ignore

describe('every user', () => {
  it('has one target hour, Monday to Friday 8 hours from the start of their accounting', async () => {
    const world = await newWorld();
    const created = await world.admin.call('createUser', {
      body: bodyOf('user', { username: 'Robin', start_of_accounting: '2026-03-02' }),
    });
    const shown = await shownTo(world.admin, created.body.data.id);
    expect(shown.map(({ attributes }) => attributes)).toEqual([{ ...defaultWeek, start_date: '2026-03-02' }]);
  });

  it('has it also when the public API or a sign-up creates them', async () => {
    const world = await newWorld();
    const { body } = await world.enterprise('createPublicUser', {
      body: { user: { username: 'Robin', location_ids: world.workspaceId } },
    });
    expect(await shownTo(world.admin, body.id)).toHaveLength(1);
    const answer = await signUp({ username: 'Dana', email: newEmail(), password: 'correct horse battery' });
    const { data: me } = (await callWithTokenOf(answer, 'getCurrentUser')).body;
    const params = { workspace_id: me.relationships.workspaces.data[0].id, user_id: me.id };
    const listed = await callWithTokenOf(answer, 'listTargetHours', { params });
    expect(listed.body.data).toHaveLength(1);
    expect(listed.body.data[0].attributes).toEqual({
      ...defaultWeek,
      start_date: me.attributes.start_of_accounting,
    });
  });
});

describe('listTargetHours', () => {
  it('200 by start, each until the day before the next, the same in every workspace', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await create(admin, employee.id, { start_date: '2026-07-01', ...monToWed });
    await create(admin, employee.id, { start_date: '2026-04-01', ...cycle });
    expect(await datesOf(world)).toEqual([
      ['2026-01-01', '2026-03-31'],
      ['2026-04-01', '2026-06-30'],
      ['2026-07-01', null],
    ]);
    const other = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const own = await create(admin, admin.id, { start_date: '2030-01-01', ...monToWed });
    const elsewhere = await admin.call('listTargetHours', {
      params: { workspace_id: other.body.data.id, user_id: admin.id },
    });
    expect(elsewhere.body.data.at(-1).id).toBe(own.body.data.id);
  });

  it('200 says who may create them, and who wrote the last one when', async () => {
    const { admin, employee } = await newWorld();
    const own = (await list(employee, employee.id)).body.meta;
    expect(own).toMatchObject({
      can_create_target_hours: false,
      last_updated_at: expect.stringMatching(/\+0[12]:00$/),
    });
    expect(own).not.toHaveProperty('last_updated_by');
    const { id } = (await admin.call('createUser', { body: bodyOf('user', { username: 'Robin' }) })).body.data;
    const created = await create(admin, id, { start_date: '2026-04-01', ...monToWed });
    expect(created.body.data.attributes.updated_by).toBe('admin');
    const after = (await list(admin, id)).body.meta;
    expect(after).toMatchObject({ can_create_target_hours: true, last_updated_by: 'admin' });
  });

  it('200 filtered and sorted', async () => {
    const { admin, employee } = await newWorld();
    const { id } = (await create(admin, employee.id, { start_date: '2026-04-01', target_limited: true, ...cycle })).body
      .data;
    for (const filter of [
      'id]=eq:' + id,
      'rhythm_type]=eq:free',
      'start_date]=gt:2026-01-01',
      'target_limited]=eq:true',
    ]) {
      const { body } = await admin.call('listTargetHours', {
        params: { user_id: employee.id },
        query: `filter[${filter}`,
      });
      expect(body.data.map((one: Shown) => one.id)).toEqual([id]);
    }
    expect((await list(admin, employee.id, { sort: '-start_date' })).body.data[0].id).toBe(id);
  });

  it('200 for oneself and for admins of the user, 403 for others', async () => {
    const world = await newWorld();
    const [areaAdmin, colleague] = [await world.addMember('areaAdmin'), await world.addMember('employee')];
    const { employee } = world;
    expect((await list(areaAdmin, employee.id)).status).toBe(403);
    await insertArea(world, 'Bar', [areaAdmin.id, employee.id]);
    expect((await list(areaAdmin, employee.id)).status).toBe(200);
    expect((await list(employee, employee.id)).status).toBe(200);
    expect((await list(colleague, employee.id)).status).toBe(403);
  });

  it('400 for a page that cannot be, 404 for an unknown user', async () => {
    const { admin, employee } = await newWorld();
    expect((await list(admin, employee.id, { items: 500 })).status).toBe(400);
    expect((await list(admin, 4711)).status).toBe(404);
  });
});

describe('getTargetHour', () => {
  it('200 with the permissions that are asked for', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(employee, employee.id)) as [Shown];
    const show = (person: Person) =>
      person.call('getTargetHour', {
        params: { user_id: employee.id, target_hour_id: id },
        query: { permissions: '' },
      });
    expect((await show(employee)).body.data.attributes.permissions).toEqual({
      read: true,
      update: false,
      destroy: false,
    });
    expect((await show(admin)).body.data.attributes.permissions).toEqual({ read: true, update: true, destroy: true });
  });

  it('403 for a colleague, 404 for that of another user', async () => {
    const world = await newWorld();
    const colleague = await world.addMember('employee');
    const [{ id }] = (await shownTo(world.admin, world.employee.id)) as [Shown];
    const show = (person: Person, user_id: number, target_hour_id: string) =>
      person.call('getTargetHour', { params: { user_id, target_hour_id } });
    expect((await show(colleague, world.employee.id, id)).status).toBe(403);
    expect((await show(colleague, colleague.id, id)).status).toBe(404);
    expect((await show(world.admin, world.employee.id, 'abc')).status).toBe(404);
  });
});

describe('createTargetHour', () => {
  it('201 weekly with hours for each weekday', async () => {
    const { admin, employee } = await newWorld();
    const { status, body } = await create(admin, employee.id, {
      start_date: '2026-04-01',
      ...monToWed,
      wed: 3.25,
      target_limited: true,
      reset_confirmed_absences: true,
    });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({
      rhythm_type: 'weekly',
      is_mon: true,
      mon: 8,
      wed: 3.25,
      is_thu: false,
      thu: null,
      total_hours: 19.25,
      per_day: true,
      target_limited: true,
      reset_confirmed_absences: true,
    });
  });

  it('201 weekly with hours for the week or the month, whatever is worked when', async () => {
    const { admin, employee } = await newWorld();
    const flags = { is_mon: true, is_tue: true };
    const week = await create(admin, employee.id, { start_date: '2026-04-01', ...flags, is_week: true, week: 20 });
    expect(week.body.data.attributes).toMatchObject({ per_day: false, is_week: true, week: 20, total_hours: 20 });
    const month = await create(admin, employee.id, { start_date: '2026-05-01', ...flags, is_month: true, month: 80 });
    expect(month.body.data.attributes).toMatchObject({ per_day: false, is_month: true, month: 80, total_hours: 80 });
  });

  it('201 free, in the order of the list', async () => {
    const { admin, employee } = await newWorld();
    const { status, body } = await create(admin, employee.id, { start_date: '2026-04-01', ...cycle });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({ rhythm_type: 'free', total_hours: 32 });
    expect(body.data.attributes).not.toHaveProperty('mon');
    const shown = body.data.attributes.target_working_days as { id: string; day_type: string; hours: number }[];
    expect(shown.map(({ day_type, hours }) => ({ day_type, hours }))).toEqual(cycle.target_working_days_attributes);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(6);
  });

  it('201 up to 31 days and 24 hours, 400 beyond', async () => {
    const { admin, employee } = await newWorld();
    const daysOf = (length: number, hours: number) => ({
      target_working_days_attributes: Array.from({ length }, () => ({ day_type: 'workday', hours })),
    });
    expect((await create(admin, employee.id, { start_date: '2026-04-01', ...daysOf(31, 24) })).status).toBe(201);
    const long = await create(admin, employee.id, { start_date: '2026-05-01', ...daysOf(32, 8) });
    expect(titlesIn(long)).toEqual(['target_working_days_attributes must have at most 31 items, but had 32.']);
    const wide = await create(admin, employee.id, { start_date: '2026-05-01', ...daysOf(1, 24.5) });
    expect(pointersIn(wide)).toEqual(['target_working_days_attributes/0/hours']);
    expect(titlesIn(wide)).toEqual(['hours must be at most 24, but was 24.5.']);
  });

  it.each([
    ['no weekday', {}, ['is_mon to is_sun must be true for at least one weekday, but were all false.']],
    ['missing hours', { is_mon: true, is_tue: true, tue: 8 }, ['mon is required.']],
    ['negative hours', { is_mon: true, mon: -1 }, ['mon must be at least 0, but was -1.']],
    ['more than 24 hours', { is_mon: true, mon: 25, is_tue: true, tue: 24.01 }, ['mon must be at most 24, but was 25.', 'tue must be at most 24, but was 24.01.']],
    ['a week without hours', { is_mon: true, is_week: true }, ['week is required.']],
    ['a month without hours', { is_mon: true, is_month: true }, ['month is required.']],
    ['both week and month', { is_mon: true, is_week: true, week: 8, is_month: true }, ['is_month must be false where is_week is true, but was true.']],
    ['a week that its days cannot hold', { is_mon: true, is_week: true, week: 40 }, ['week must be at most 24, because a day has 24 hours and 1 weekdays are worked, but was 40.']],
    ['a month that its days cannot hold', { is_mon: true, is_month: true, month: 97 }, ['month must be at most 96, because a day has 24 hours and 1 weekdays are worked, but was 97.']],
    ['a free rhythm without days', { rhythm_type: 'free' }, ['target_working_days_attributes is required.']],
    ['a workday without hours', { target_working_days_attributes: [{}] }, ['target_working_days_attributes/0/hours is required.']],
    ['days in a weekly rhythm', { rhythm_type: 'weekly', ...monToWed, ...cycle }, ['target_working_days_attributes must be left out where rhythm_type is "weekly", but had 6 days.']],
  ])('400 for %s', async (_what, attributes, titles) => {
    const { admin, employee } = await newWorld();
    const response = await create(admin, employee.id, { start_date: '2026-04-01', ...attributes });
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual(titles);
    expect(await shownTo(admin, employee.id)).toHaveLength(1);
  }); // prettier-ignore

  it('400 for a start that is missing or taken, with every other problem', async () => {
    const { admin, employee } = await newWorld();
    expect(pointersIn(await create(admin, employee.id, monToWed))).toEqual(['start_date']);
    const repeated = await create(admin, employee.id, {
      start_date: '2026-01-01',
      is_mon: true,
      is_week: true,
      is_month: true,
    });
    expect(repeated.status).toBe(400);
    expect(titlesIn(repeated)).toEqual([
      'start_date 2026-01-01 has to be unique. Another target hour of the user begins on that day.',
      'is_month must be false where is_week is true, but was true.',
      'week is required.',
    ]);
  });

  it('201 once and 400 otherwise where two begin on one day at the same moment', async () => {
    const world = await newWorld();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        create(world.admin, world.employee.id, { start_date: '2026-04-01', ...monToWed }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(await datesOf(world)).toHaveLength(2);
  });

  it('403 for an area admin, 404 for an unknown user', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await insertArea(world, 'Bar', [areaAdmin.id, world.employee.id]);
    expect((await create(areaAdmin, world.employee.id, { start_date: '2026-04-01', ...monToWed })).status).toBe(403);
    expect((await create(world.admin, 4711, { start_date: '2026-04-01', ...monToWed })).status).toBe(404);
  });
});

describe('updateTargetHour', () => {
  it('200 changes what is sent, and moves the end of the one before', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { id } = (await create(admin, employee.id, { start_date: '2026-04-01', ...monToWed })).body.data;
    const { status, body } = await update(admin, employee.id, id, {
      start_date: '2026-05-01',
      tue: 4,
      target_limited: true,
    });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ mon: 8, tue: 4, wed: 8, total_hours: 20, target_limited: true });
    expect(await datesOf(world)).toEqual([
      ['2026-01-01', '2026-04-30'],
      ['2026-05-01', null],
    ]);
    const cleared = await update(admin, employee.id, id, { is_tue: false, tue: null });
    expect(cleared.body.data.attributes).toMatchObject({ is_tue: false, tue: null, total_hours: 16 });
  });

  it('200 spreads the hours of the week in place of those of the weekdays, and back', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(admin, employee.id)) as [Shown];
    const week = (await update(admin, employee.id, id, { is_week: true, week: 35 })).body.data.attributes;
    expect(week).toMatchObject({ per_day: false, is_mon: true, mon: null, week: 35, total_hours: 35 });
    const back = await update(admin, employee.id, id, { per_day: true, is_week: false });
    expect(titlesIn(back)).toEqual(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => `${day} is required.`));
    const hours = Object.fromEntries(days.slice(0, 5).map((day) => [day, 7]));
    const daily = await update(admin, employee.id, id, { per_day: true, is_week: false, week: null, ...hours });
    expect(daily.body.data.attributes).toMatchObject({ per_day: true, week: null, total_hours: 35 });
  });

  it('200 replaces the cycle, in which named days keep their ids', async () => {
    const { admin, employee } = await newWorld();
    const { data } = (await create(admin, employee.id, { start_date: '2026-04-01', ...cycle })).body;
    const ids = data.attributes.target_working_days.map(({ id }: Shown) => id) as string[];
    const changes = [
      { id: ids[4] },
      { id: ids[0], hours: 6 },
      { day_type: 'workday', hours: 5 },
      { id: ids[1], _destroy: true },
    ];
    const { body } = await update(admin, employee.id, data.id, { target_working_days_attributes: changes });
    const shown = body.data.attributes.target_working_days as { id: string; day_type: string; hours: number }[];
    expect(shown.map(({ day_type, hours }) => [day_type, hours])).toEqual([['freeday', 0], ['workday', 6], ['workday', 5]]); // prettier-ignore
    expect(shown.slice(0, 2).map(({ id }) => id)).toEqual([ids[4], ids[0]]);
    expect(ids).not.toContain(shown[2]!.id);
    const kept = await update(admin, employee.id, data.id, { target_limited: true });
    expect(kept.body.data.attributes.target_working_days).toEqual(shown);
  });

  it('200 turns weekly into free and back, and forgets the other rhythm', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(admin, employee.id)) as [Shown];
    const free = await update(admin, employee.id, id, cycle);
    expect(free.body.data.attributes).toMatchObject({ rhythm_type: 'free', total_hours: 32 });
    const blank = await update(admin, employee.id, id, { rhythm_type: 'weekly' });
    expect(pointersIn(blank)).toEqual(['is_mon']);
    const weekly = await update(admin, employee.id, id, { rhythm_type: 'weekly', ...monToWed });
    expect(weekly.body.data.attributes).toMatchObject({ rhythm_type: 'weekly', is_thu: false, total_hours: 24 });
    expect(pointersIn(await update(admin, employee.id, id, { rhythm_type: 'free' }))).toEqual([
      'target_working_days_attributes',
    ]);
  });

  it('400 for days that are not of this cycle, named twice, or all gone', async () => {
    const { admin, employee } = await newWorld();
    const { data } = (await create(admin, employee.id, { start_date: '2026-04-01', ...cycle })).body;
    const own = data.attributes.target_working_days[0].id as string;
    const titlesOf = async (changes: object[]) =>
      titlesIn(await update(admin, employee.id, data.id, { target_working_days_attributes: changes }));
    const at = 'target_working_days_attributes';
    expect(await titlesOf([{ id: '4711', hours: 8 }, { id: own }, { id: own }])).toEqual([
      `${at}/0/id names "4711", which is no day of this cycle.`,
      `${at}/2/id names the day ${own} a second time.`,
    ]);
    expect(await titlesOf([{ id: own, _destroy: true }])).toEqual([
      `${at} must have at least 1 day, but none is left.`,
    ]);
    expect(await titlesOf([])).toEqual([`${at} must have at least 1 day, but none is left.`]);
    const [shown] = (await shownTo(admin, employee.id)).filter(({ id }) => id === data.id);
    expect(shown!.attributes['target_working_days']).toEqual(data.attributes.target_working_days);
  });

  it('400 for the start of another one', async () => {
    const { admin, employee } = await newWorld();
    const { id } = (await create(admin, employee.id, { start_date: '2026-04-01', ...monToWed })).body.data;
    expect((await update(admin, employee.id, id, { start_date: '2026-04-01' })).status).toBe(200);
    const response = await update(admin, employee.id, id, { start_date: '2026-01-01' });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['start_date']);
  });

  it('403 for an employee, 404 for one that is not there', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(admin, employee.id)) as [Shown];
    expect((await update(employee, employee.id, id, monToWed)).status).toBe(403);
    expect((await update(admin, employee.id, '4711', monToWed)).status).toBe(404);
  });
});

describe('deleteTargetHour', () => {
  it('200 lets the one before it last longer', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { id } = (await create(admin, employee.id, { start_date: '2026-04-01', ...cycle })).body.data;
    await create(admin, employee.id, { start_date: '2026-07-01', ...monToWed });
    const { status, body } = await remove(admin, employee.id, id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, attributes: { rhythm_type: 'free', end_date: '2026-06-30' } });
    expect(await datesOf(world)).toEqual([
      ['2026-01-01', '2026-06-30'],
      ['2026-07-01', null],
    ]);
    expect((await remove(admin, employee.id, id)).status).toBe(404);
  });

  it('400 for the last one', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(admin, employee.id)) as [Shown];
    const response = await remove(admin, employee.id, id);
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual(['The last target hour of a user cannot be deleted. Change it instead.']);
  });

  it('400 for one of the last two that are deleted at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { admin, employee } = await newWorld();
      await create(admin, employee.id, { start_date: '2026-04-01', ...monToWed });
      const both = await shownTo(admin, employee.id);
      const answers = await Promise.all(both.map(({ id }) => remove(admin, employee.id, id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(await shownTo(admin, employee.id)).toHaveLength(1);
    }
  });

  it('403 for an employee', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(admin, employee.id)) as [Shown];
    expect((await remove(employee, employee.id, id)).status).toBe(403);
  });
});
