import { describe, expect, it } from 'vitest';
import { forAccount } from '../../src/db/transactions.ts';
import { enqueueJudgement } from '../../src/working_time_rules/jobs.ts';
import { pointersIn, titlesIn } from '../support/client.ts';
import { inboxOf } from '../support/notifications.ts';
import { insertArea } from '../support/records.ts';
import { service } from '../support/service.ts';
import { record, trackingBody, type Ties } from '../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../support/world.ts';
import { absent } from './time_account/support.ts';

interface Listed {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, { data: { id: string } | null }>>;
}

const listed = async (person: Person, query = '', params = {}): Promise<Listed[]> => {
  const { status, body } = await person.call('listWorkingTimeViolations', { query, params });
  expect(status).toBe(200);
  return body.data;
};
const rulesSeenBy = async (person: Person, query = '', params = {}): Promise<unknown[]> =>
  (await listed(person, query, params)).map(({ attributes }) => attributes['rule']);
const acknowledge = (person: Person, id: string, reason = 'Somebody was ill.') =>
  person.call('acknowledgeWorkingTimeViolation', {
    params: { working_time_violation_id: id },
    body: bodyOf('acknowledgement', { reason }),
  });
const check = (person: Person, attributes: object = {}, ties: Ties = {}, params = {}) =>
  person.call('checkTimeTracking', { body: trackingBody(attributes, ties), params });
const settings = async (world: World, attributes: object): Promise<void> => {
  const { status } = await world.admin.call('updateWorkspace', { body: bodyOf('workspace', attributes) });
  expect(status).toBe(200);
  await (await service()).jobs.drain();
};

const at = (time: string, day = '2026-01-05'): string => `${day}T${time}:00+01:00`;
/** More than ten hours with enough breaks. */
const longDay = {
  starts_at: at('08:00'),
  ends_at: at('19:30'),
  breaks_attributes: [{ starts_at: at('13:00'), ends_at: at('14:00') }],
};

/** A second workspace of the account, of which the employee is a member. */
async function elsewhere(world: World): Promise<{ workspace_id: string }> {
  const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
  await world.db
    .insertInto('memberships')
    .values({
      account_id: world.accountId,
      workspace_id: Number(body.data.id),
      user_id: world.employee.id,
      role: 1,
      identifier_pin: '1234',
      created_at: new Date(),
    })
    .execute();
  return { workspace_id: body.data.id };
}

describe('listWorkingTimeViolations', () => {
  it('200 with the rule, its paragraph, limit and value', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(employee, longDay);
    const [violation] = await listed(admin);
    expect(violation).toMatchObject({
      type: 'working_time_violation',
      attributes: {
        rule: 'long_work',
        paragraph: '§ 3 ArbZG',
        date: '2026-01-05',
        limit: 10,
        value: 10.5,
        hours_elsewhere: 0,
        title: 'More than 10 hours of work',
        message: 'The working time of 2026-01-05 is 10 hours 30 minutes. At most 10 hours are allowed. (§ 3 ArbZG)',
        acknowledged_at: null,
        acknowledgement_reason: null,
      },
      relationships: {
        user: { data: { id: String(employee.id) } },
        time_tracking: { data: { id } },
        acknowledged_by: { data: null },
      },
    });
  });

  it('200 for the user and those who administer them', async () => {
    const world = await newWorld();
    const [chef, other, colleague] = [
      await world.addMember('areaAdmin'),
      await world.addMember('areaAdmin'),
      await world.addMember('employee'),
    ];
    await insertArea(world, 'Kitchen', [chef.id, world.employee.id]);
    await record(world.employee, longDay);
    expect(await rulesSeenBy(world.employee)).toEqual(['long_work']);
    expect(await rulesSeenBy(chef)).toEqual(['long_work']);
    expect(await rulesSeenBy(other)).toEqual([]);
    expect(await rulesSeenBy(colleague)).toEqual([]);
  });

  it('200 filtered by user, area, rule and date, with what is included', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const area = await insertArea(world, 'Kitchen', [employee.id]);
    const bar = await insertArea(world, 'Bar', []);
    await record(employee, longDay);
    await record(admin, { starts_at: at('08:00', '2026-01-06'), ends_at: at('15:00', '2026-01-06') }, { area: bar });
    expect(await rulesSeenBy(admin)).toEqual(['long_work', 'short_breaks', 'long_stretch']);
    expect(await rulesSeenBy(admin, `filter[user_id]=${employee.id}`)).toEqual(['long_work']);
    expect(await rulesSeenBy(admin, `filter[area_id]=${area}`)).toEqual(['long_work']);
    expect(await rulesSeenBy(admin, `filter[area_id]=${bar}`)).toEqual(['short_breaks', 'long_stretch']);
    expect(await rulesSeenBy(admin, 'filter[rule]=eq:long_stretch')).toEqual(['long_stretch']);
    expect(await rulesSeenBy(admin, 'filter[date]=lte:2026-01-05')).toEqual(['long_work']);
    const { body } = await admin.call('listWorkingTimeViolations', {
      query: 'include=user,time_tracking,acknowledged_by&items=1',
    });
    expect(body.included.map(({ type }: { type: string }) => type)).toEqual(['user', 'time_tracking']);
  });

  it('400 for an include that does not exist', async () => {
    const { employee } = await newWorld();
    const response = await employee.call('listWorkingTimeViolations', { query: 'include=wages' });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['include']);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await stranger.call('listWorkingTimeViolations')).status).toBe(404);
  });
});

describe('getWorkingTimeViolation', () => {
  const get = (person: Person, id: string | number, query = '') =>
    person.call('getWorkingTimeViolation', { params: { working_time_violation_id: id }, query });

  it('200 for its user, with permissions', async () => {
    const { employee } = await newWorld();
    await record(employee, longDay);
    const [{ id }] = (await listed(employee)) as [Listed];
    const { status, body } = await get(employee, id, 'permissions=true');
    expect(status).toBe(200);
    expect(body.data.attributes.permissions).toEqual({ read: true, update: false, destroy: false });
  });

  it('400 for an include that does not exist, 403 for a colleague, 404 for what is not there', async () => {
    const world = await newWorld();
    await record(world.employee, longDay);
    const [{ id }] = (await listed(world.employee)) as [Listed];
    expect((await get(world.employee, id, 'include=wages')).status).toBe(400);
    expect((await get(await world.addMember('employee'), id)).status).toBe(403);
    expect((await get(world.admin, 'none')).status).toBe(404);
    expect((await get(world.admin, 0)).status).toBe(404);
  });
});

describe('acknowledgeWorkingTimeViolation', () => {
  it('201 shows who, when and why, as long as it holds', async () => {
    const { admin, employee } = await newWorld();
    const tracking = await record(employee, longDay);
    const [{ id }] = (await listed(admin)) as [Listed];
    const { status, body } = await acknowledge(admin, id, 'Two were ill.');
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      id,
      attributes: { acknowledgement_reason: 'Two were ill.', acknowledged_at: expect.any(String) },
      relationships: { acknowledged_by: { data: { id: String(admin.id) } } },
    });
    // More work on the same day, and its deletion, leave the same violation.
    const more = await record(employee, { starts_at: at('20:30'), ends_at: at('21:30') });
    const kept = { id, attributes: { value: 11.5, acknowledgement_reason: 'Two were ill.' } };
    expect(await listed(admin)).toMatchObject([kept]);
    await admin.call('deleteTimeTracking', { params: { time_tracking_id: more.id } });
    expect(await listed(admin, 'filter[acknowledged_at]=present:true')).toMatchObject([{ id }]);
    await admin.call('deleteTimeTracking', { params: { time_tracking_id: tracking.id } });
    expect(await listed(admin)).toEqual([]);
  });

  it('201 stays although the time tracking that completes it is deleted, while others violate the rule', async () => {
    const { admin, employee } = await newWorld();
    await record(employee, { starts_at: at('06:00'), ends_at: at('11:00') });
    const second = await record(employee, { starts_at: at('12:00'), ends_at: at('18:00') });
    await record(employee, { starts_at: at('19:00'), ends_at: at('23:59') });
    const [{ id }] = (await listed(admin)) as [Listed];
    await acknowledge(admin, id);
    await record(employee, { starts_at: at('11:00'), ends_at: at('12:00') });
    await admin.call('deleteTimeTracking', { params: { time_tracking_id: second.id } });
    expect(await listed(admin, 'filter[rule]=eq:long_work')).toMatchObject([
      { id, attributes: { acknowledgement_reason: 'Somebody was ill.' } },
    ]);
  });

  it('400 without a reason, and for a second time', async () => {
    const { admin, employee } = await newWorld();
    await record(employee, longDay);
    const [{ id }] = (await listed(admin)) as [Listed];
    const blank = await acknowledge(admin, id, ' ');
    expect(blank.status).toBe(400);
    expect(pointersIn(blank)).toEqual(['reason']);
    await acknowledge(admin, id);
    const again = await acknowledge(admin, id);
    expect(again.status).toBe(400);
    expect(titlesIn(again)).toEqual([`The violation ${id} is already acknowledged.`]);
  });

  it('403 for the user, and for an admin of other areas, 404 for what is not there', async () => {
    const world = await newWorld();
    await record(world.employee, longDay);
    const [{ id }] = (await listed(world.admin)) as [Listed];
    expect((await acknowledge(world.employee, id)).status).toBe(403);
    expect((await acknowledge(await world.addMember('areaAdmin'), id)).status).toBe(403);
    expect((await acknowledge(world.admin, '0')).status).toBe(404);
  });
});

describe('checkTimeTracking', () => {
  it('200 with the violations that would come, and writes nothing', async () => {
    const { admin, employee } = await newWorld();
    await record(employee, { starts_at: at('06:00'), ends_at: at('12:00') });
    const { status, body } = await check(employee, { starts_at: at('13:00'), ends_at: at('19:00') });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ type: 'time_tracking_check' });
    expect(body.data.attributes.violations).toEqual([
      {
        rule: 'long_work',
        paragraph: '§ 3 ArbZG',
        date: '2026-01-05',
        limit: 10,
        value: 12,
        hours_elsewhere: 0,
        title: 'More than 10 hours of work',
        message: 'The working time of 2026-01-05 is 12 hours. At most 10 hours are allowed. (§ 3 ArbZG)',
      },
    ]);
    expect(await listed(admin)).toEqual([]);
    expect((await employee.call('listTimeTrackings')).body.data).toHaveLength(1);
  });

  it('200 says what creation then finds, and nothing that is there already', async () => {
    const { admin, employee } = await newWorld();
    await record(employee, longDay);
    const next = { starts_at: at('05:00', '2026-01-06'), ends_at: at('11:30', '2026-01-06') };
    const expected = (await check(admin, next, { user: employee.id })).body.data.attributes.violations;
    await record(admin, next, { user: employee.id });
    const found = (await listed(admin, 'filter[date]=eq:2026-01-06')).map(({ attributes }) => attributes);
    expect(expected).toMatchObject(
      found.map(({ rule, paragraph, date, limit, value }) => ({ rule, paragraph, date, limit, value })),
    );
    expect(found.map(({ rule }) => rule)).toEqual(['short_breaks', 'long_stretch', 'short_rest']);
  });

  it('200 with the average over 24 weeks', async () => {
    const world = await newWorld();
    for (let week = 0; week < 24; week++)
      for (const day of [0, 1, 2, 3, 4]) {
        const date = new Date(Date.parse('2026-01-05') + (week * 7 + day) * 86_400_000).toISOString().slice(0, 10);
        await insertWork(world, `${date}T08:00:00Z`, `${date}T17:36:00Z`);
      }
    const saturday = { starts_at: '2026-06-20T08:00:00Z', ends_at: '2026-06-20T08:00:24Z' };
    const rules = async (attributes: object) =>
      (await check(world.employee, attributes)).body.data.attributes.violations.map(
        (one: { rule: string }) => one.rule,
      );
    expect(await rules(saturday)).toEqual(['long_average']);
    await (await service()).jobs.drain();
    expect(await rules({ starts_at: '2026-06-27T08:00:00Z', ends_at: '2026-06-27T08:00:24Z' })).toEqual([]);
  });

  it('400 and 403 as creation, 404 elsewhere', async () => {
    const world = await newWorld();
    const refused = await check(world.employee, { ends_at: at('06:00') });
    expect(refused.status).toBe(400);
    expect(pointersIn(refused)).toEqual(['ends_at']);
    expect((await check(world.employee, {}, { user: world.admin.id })).status).toBe(403);
    expect((await check(world.stranger, {}, {}, { workspace_id: world.workspaceId })).status).toBe(404);
  });
});

/** Work of the employee that is not judged yet. */
const insertWork = (world: World, starts_at: string, ends_at: string) =>
  world.db
    .insertInto('time_trackings')
    .values({
      account_id: world.accountId,
      workspace_id: world.workspaceId,
      user_id: world.employee.id,
      starts_at,
      ends_at,
      actual_starts_at: starts_at,
      created_by: 'admin',
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute();

describe('work in several workspaces', () => {
  it('200 counts together, and shows hours of the other one only', async () => {
    const world = await newWorld();
    const there = await elsewhere(world);
    const { status } = await world.admin.call('createTimeTracking', {
      body: trackingBody({ starts_at: at('06:00'), ends_at: at('12:00') }, { user: world.employee.id }),
      params: there,
    });
    expect(status).toBe(201);
    await record(world.employee, { starts_at: at('13:00'), ends_at: at('18:00') });
    expect(await listed(world.admin)).toMatchObject([
      { attributes: { rule: 'long_work', value: 11, hours_elsewhere: 6 } },
    ]);
    expect(await rulesSeenBy(world.admin, '', there)).toEqual([]);
    // A change there moves what completes the violation.
    await world.admin.call('createTimeTracking', {
      body: trackingBody({ starts_at: at('02:00'), ends_at: at('05:30') }, { user: world.employee.id }),
      params: there,
    });
    expect(await listed(world.admin)).toMatchObject([{ attributes: { value: 14.5, hours_elsewhere: 9.5 } }]);
  });
});

/** Judges the last weeks of the account again, as every night. */
const nightlyJob = (world: World) =>
  forAccount(world.db, world.accountId, async (tx) => {
    await enqueueJudgement(tx, world.accountId);
  }).then(async () => (await service()).jobs.drain());

describe('settings and absences', () => {
  it('200 judges the last weeks again after a change of the rules', async () => {
    const world = await newWorld();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await record(world.admin, { starts_at: `${yesterday}T04:00:00Z`, ends_at: `${yesterday}T10:30:00Z` });
    expect(await rulesSeenBy(world.admin)).toEqual(['short_breaks', 'long_stretch']);
    await settings(world, { working_time_rules: ['short_breaks'] });
    expect(await rulesSeenBy(world.admin)).toEqual(['short_breaks']);
    expect((await inboxOf(world.admin)).map(({ type }) => type).sort()).toEqual(['notification', 'trigger_warning']);
  });

  it('400 for a rule that does not exist, or another rest', async () => {
    const { admin } = await newWorld();
    const change = (attributes: object) => admin.call('updateWorkspace', { body: bodyOf('workspace', attributes) });
    expect((await change({ working_time_rules: ['long_lunch'] })).status).toBe(400);
    expect((await change({ working_time_rules: ['overlap', 'overlap'] })).status).toBe(400);
    expect((await change({ minimum_rest_hours: 9 })).status).toBe(400);
  });

  it('200 warns about work on a day of absence, also where the absence is confirmed later', async () => {
    const world = await newWorld();
    const monday = new Date(Date.now() - 7 * 86_400_000);
    monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
    const [first, second] = [0, 1].map((days) =>
      new Date(monday.getTime() + days * 86_400_000).toISOString().slice(0, 10),
    ) as [string, string];
    await absent(world, 'vacation', first);
    await record(world.employee, { starts_at: `${first}T08:00:00Z`, ends_at: `${first}T09:00:00Z` });
    await record(world.employee, { starts_at: `${second}T08:00:00Z`, ends_at: `${second}T09:00:00Z` });
    const dates = async () => (await listed(world.admin, 'sort=date')).map(({ attributes }) => attributes['date']);
    expect(await dates()).toEqual([first]);
    await absent(world, 'sickness', second);
    await nightlyJob(world);
    expect(await dates()).toEqual([first, second]);
    expect(await rulesSeenBy(world.employee)).toEqual(['absence_work', 'absence_work']);
  });

  it('200 warns about Sundays and holidays where the workspace wants it', async () => {
    const world = await newWorld();
    const day = (date: string) => ({ starts_at: at('08:00', date), ends_at: at('12:00', date) });
    await record(world.employee, day('2026-01-04'));
    expect(await rulesSeenBy(world.admin)).toEqual([]);
    await settings(world, { working_time_rules: ['sunday_work'], holiday_region: 'DE-BY' });
    await record(world.employee, day('2026-01-11'));
    await record(world.employee, day('2026-01-06'));
    await record(world.employee, day('2026-01-07'));
    expect((await listed(world.admin)).map(({ attributes }) => attributes['date'])).toEqual(
      expect.arrayContaining(['2026-01-11', '2026-01-06']),
    );
    expect(await rulesSeenBy(world.admin, 'filter[date]=eq:2026-01-07')).toEqual([]);
  });
});
