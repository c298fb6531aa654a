import { describe, expect, it } from 'vitest';
import { absenceOf, at } from '../../../../support/absences.ts';
import { insertArea } from '../../../../support/records.ts';
import { statementsDuring } from '../../../../support/database/statements.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const idsFor = async (person: Person, query: object | string = {}): Promise<string[]> =>
  (await person.call('listAbsences', { query: query as Record<string, string> })).body.data.map(
    (absence: { id: string }) => absence.id,
  );
const figuresFor = async (person: Person, query: object = {}) => {
  const { meta } = (await person.call('listAbsences', { query: query as Record<string, string> })).body;
  const { pending, confirmed, rejected, total_days, total_hours, total_count } = meta;
  return { pending, confirmed, rejected, total_days, total_hours, total_count };
};
const dayOff = (day: string, rest: object = {}) => ({
  starts_at: `${day}T00:00:00+01:00`,
  ends_at: `${day}T12:00:00+01:00`,
  full_day: true,
  ...rest,
});
const filter = (name: string, value: string) => ({ [`filter[${name}]`]: value });

describe('listAbsences', () => {
  it('200 with all for admins, and for others their own, what they follow and whom they administer', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [chef, cook, workspaceAdmin] = [
      await world.addMember('areaAdmin'),
      await world.addMember('employee', 'cook'),
      await world.addMember('workspaceAdmin'),
    ];
    await insertArea(world, 'Kitchen', [chef.id, cook.id]);
    const own = await absenceOf(world, employee);
    const cooks = await absenceOf(world, cook);
    const followed = await absenceOf(world, admin, { follower_ids: [employee.id, chef.id] });
    const unseen = await absenceOf(world, admin);
    expect(await idsFor(admin)).toEqual([own, cooks, followed, unseen]);
    expect(await idsFor(workspaceAdmin)).toEqual([own, cooks, followed, unseen]);
    expect(await idsFor(chef)).toEqual([cooks, followed]);
    expect(await idsFor(employee)).toEqual([own, followed]);
    expect(await idsFor(cook)).toEqual([cooks]);
  });

  it('200 without those of another workspace', async () => {
    const world = await newWorld();
    const { body: elsewhere } = await world.admin.call('createWorkspace', {
      body: bodyOf('workspace', { name: 'Elsewhere' }),
    });
    await absenceOf(world, world.admin);
    const { body } = await world.admin.call('listAbsences', { params: { workspace_id: elsewhere.data.id } });
    expect(body.data).toEqual([]);
    expect(body.meta).toMatchObject({
      total_count: 0,
      total_pages: 1,
      pending: 0,
      confirmed: 0,
      rejected: 0,
      total_days: 0,
      total_hours: 0,
    });
  });

  it('200 with each figure before and after every change, for admin and for employee', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const nothing = { pending: 0, confirmed: 0, rejected: 0, total_days: 0, total_hours: 0, total_count: 0 };
    expect(await figuresFor(admin)).toEqual(nothing);
    expect(await figuresFor(employee)).toEqual(nothing);

    const mine = await absenceOf(world, employee);
    const onePending = { pending: 1, confirmed: 0, rejected: 0, total_days: 10, total_hours: 80, total_count: 1 };
    expect(await figuresFor(admin)).toEqual(onePending);
    expect(await figuresFor(employee)).toEqual(onePending);

    const other = await absenceOf(
      world,
      admin,
      dayOff('2026-02-10', { use_custom_values: true, days: 0.25, hours: 2.5 }),
    );
    expect(await figuresFor(admin)).toEqual({
      pending: 2,
      confirmed: 0,
      rejected: 0,
      total_days: 10.25,
      total_hours: 82.5,
      total_count: 2,
    });
    expect(await figuresFor(employee)).toEqual(onePending);

    await admin.call('confirmAbsence', at(mine));
    await admin.call('resetAbsence', at(other));
    expect(await figuresFor(admin)).toEqual({
      pending: 0,
      confirmed: 1,
      rejected: 1,
      total_days: 10.25,
      total_hours: 82.5,
      total_count: 2,
    });
    expect(await figuresFor(employee)).toEqual({ ...onePending, pending: 0, confirmed: 1 });

    await admin.call('updateAbsence', at(mine, { body: bodyOf('absence', { ends_at: '2026-07-06T12:00:00+02:00' }) }));
    expect(await figuresFor(admin)).toEqual({
      pending: 0,
      confirmed: 1,
      rejected: 1,
      total_days: 1.25,
      total_hours: 10.5,
      total_count: 2,
    });
    expect(await figuresFor(employee)).toMatchObject({ confirmed: 1, total_days: 1, total_hours: 8 });

    await admin.call('rejectAbsence', at(mine));
    expect(await figuresFor(employee)).toMatchObject({ pending: 1, confirmed: 0, rejected: 0 });
    await admin.call('deleteAbsence', at(mine));
    expect(await figuresFor(admin)).toEqual({
      pending: 0,
      confirmed: 0,
      rejected: 1,
      total_days: 0.25,
      total_hours: 2.5,
      total_count: 1,
    });
    expect(await figuresFor(employee)).toEqual(nothing);
  });

  it('200 with figures of the whole filtered set, whatever the page', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    for (const day of ['2026-02-09', '2026-02-10', '2026-02-11']) await absenceOf(world, employee, dayOff(day));
    await absenceOf(world, admin, dayOff('2026-02-12'));
    const { body, headers } = await admin.call('listAbsences', {
      query: { items: 1, page: 2, ...filter('user_id', String(employee.id)) },
    });
    expect(body.data).toHaveLength(1);
    expect(body.meta).toMatchObject({
      pending: 3,
      total_days: 3,
      total_hours: 24,
      total_count: 3,
      total_pages: 3,
      current_page: 2,
      page_items: 1,
      link: 0,
    });
    expect(headers['total-count']).toBe('3');
    expect(await figuresFor(admin, filter('days', 'gt:5'))).toMatchObject({
      pending: 0,
      total_days: 0,
      total_count: 0,
    });
  });

  it('200 by user, by state in every spelling, and by range of local days', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const pending = await absenceOf(world, employee, dayOff('2026-02-09'));
    const confirmed = await absenceOf(world, employee, dayOff('2026-02-10'));
    const rejected = await absenceOf(world, admin, {
      starts_at: '2026-02-11T00:00:00+01:00',
      ends_at: '2026-02-13T00:00:00+01:00',
    });
    await admin.call('confirmAbsence', at(confirmed));
    await admin.call('resetAbsence', at(rejected));
    const matching = (name: string, value: string) => idsFor(admin, filter(name, value));

    expect(await matching('user_id', String(employee.id))).toEqual([pending, confirmed]);
    expect(await matching('user_id', `eq:${admin.id}`)).toEqual([rejected]);
    expect(await matching('user_id', `${admin.id},${employee.id}`)).toEqual([pending, confirmed, rejected]);
    expect(await matching('user_id', '999999999')).toEqual([]);
    expect(await matching('confirmation_status', 'pending')).toEqual([pending]);
    expect(await matching('confirmation_status', 'eq:confirmed')).toEqual([confirmed]);
    expect(await matching('confirmation_status', 'in:confirmed,rejected')).toEqual([confirmed, rejected]);
    expect(await matching('confirmation_status', '!eq:pending')).toEqual([confirmed, rejected]);
    expect(await matching('confirmation_status', 'pre:re')).toEqual([rejected]);
    expect(await matching('confirmation_status', 'nonsense')).toEqual([pending, confirmed, rejected]);
    expect(await matching('overlapping_with_range', '2026-02-09_2026-02-09')).toEqual([pending]);
    expect(await matching('overlapping_with_range', '2026-02-10_2026-02-11')).toEqual([confirmed, rejected]);
    expect(await matching('overlapping_with_range', '2026-02-12_2026-02-12')).toEqual([rejected]);
    expect(await matching('overlapping_with_range', '2026-02-13')).toEqual([rejected]);
    expect(await matching('overlapping_with_range', '2026-02-14')).toEqual([]);
    expect(await matching('overlapping_with_range', '2026-02-13_2026-02-11')).toEqual([]);
    expect(await matching('overlapping_with_range', '2026-02-30_2026-03-01')).toEqual([pending, confirmed, rejected]);
    expect(await matching('overlapping_with_range', '2026-02-09_2026-02-10_2026-02-11')).toEqual([
      pending,
      confirmed,
      rejected,
    ]);
  });

  it('200 by every attribute, and sorted by it', async () => {
    const world = await newWorld();
    const { admin } = world;
    const early = await absenceOf(
      world,
      admin,
      dayOff('2026-02-09', { title: 'Aaa', created_by: 'x', external_id: 'e', notes_attributes: [{ content: '.' }] }),
    );
    const late = await absenceOf(world, admin, {
      title: 'Bbb',
      confirm_message: 'ok',
      use_custom_values: true,
      days: 2,
      hours: 99,
      full_day: false,
    });
    await admin.call('confirmAbsence', at(late));
    const onlyEarly = {
      id: `eq:${early}`,
      title: 'ct:aa',
      hours: 'lt:50',
      days: 'lte:1',
      full_day: 'eq:true',
      confirmed: 'present:false',
      created_by: 'eq:x',
      use_custom_values: 'eq:false',
      external_id: 'pre:E',
      confirm_message: 'present:false',
      system_notes_count: 'eq:1',
      user_notes_count: 'gt:0',
      starts_at: 'lt:2026-03-01T00:00:00Z',
      ends_at: 'lt:2026-03-01',
      confirmed_at: 'present:false',
    };
    for (const [name, value] of Object.entries(onlyEarly))
      expect([name, await idsFor(admin, filter(name, value))]).toEqual([name, [early]]);
    expect(await idsFor(admin, filter('confirmed', 'eq:true'))).toEqual([late]);
    for (const name of ['attachments_count', 'created_at', 'updated_at'])
      expect(await idsFor(admin, filter(name, 'present:true'))).toEqual([early, late]);
    for (const name of ['days', 'hours', 'title', 'starts_at', 'system_notes_count', 'id']) {
      expect([name, await idsFor(admin, { sort: `-${name}` })]).toEqual([name, [late, early]]);
    }
    expect(await idsFor(admin, { sort: '-user_notes_count' })).toEqual([early, late]);
    expect(
      await idsFor(admin, { ...filter('days', 'gt:abc'), ...filter('nonsense', 'eq:1'), sort: 'nonsense' }),
    ).toEqual([early, late]);
  });

  it('200 in as many statements for a hundred as for one, with every include', async () => {
    const world = await newWorld();
    const include = 'absence_type,user,confirmed_by_user,followers,notes,attachments';
    const statements = await statementsDuring(() =>
      world.admin.call('listAbsences', { query: { include, items: 100, permissions: '' } }),
    );
    for (let index = 0; index < 5; index++) {
      const id = await absenceOf(world, world.employee, {
        follower_ids: [world.admin.id],
        notes_attributes: [{ content: 'x' }],
      });
      await world.admin.call('confirmAbsence', at(id));
    }
    await absenceOf(world, world.admin);
    const many = await statementsDuring(() =>
      world.admin.call('listAbsences', { query: { include, items: 100, permissions: '' } }),
    );
    expect(many).toBeGreaterThan(5);
    // An empty page loads no related records.
    expect(many - statements).toBeLessThanOrEqual(6);
    for (let index = 0; index < 5; index++) await absenceOf(world, world.admin, { follower_ids: [world.employee.id] });
    expect(
      await statementsDuring(() =>
        world.admin.call('listAbsences', { query: { include, items: 100, permissions: '' } }),
      ),
    ).toBe(many);
  });

  it('400 for an invalid page and an unknown include', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('listAbsences', { query: { page: 0, items: 101 } })).status).toBe(400);
    expect((await employee.call('listAbsences', { query: { include: 'nothing' } })).status).toBe(400);
  });

  it('404 for a stranger', async () => {
    expect((await (await newWorld()).stranger.call('listAbsences')).status).toBe(404);
  });
});
