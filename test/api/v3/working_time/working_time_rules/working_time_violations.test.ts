import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { record } from '../../../../support/time_trackings.ts';
import { newWorld, type Person } from '../../../../support/world.ts';
import { acknowledge, at, listed, longDay, rulesSeenBy, type Listed } from './support.ts';

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

  it('400 for an unknown include', async () => {
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

  it('400 for an unknown include, 403 for a colleague, 404 for an unknown one', async () => {
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
  it('201 shows who, when and why, as long as the violation exists', async () => {
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

  it('403 for the user, and for an admin of other areas, 404 for an unknown one', async () => {
    const world = await newWorld();
    await record(world.employee, longDay);
    const [{ id }] = (await listed(world.admin)) as [Listed];
    expect((await acknowledge(world.employee, id)).status).toBe(403);
    expect((await acknowledge(await world.addMember('areaAdmin'), id)).status).toBe(403);
    expect((await acknowledge(world.admin, '0')).status).toBe(404);
  });
});
