import { describe, expect, it } from 'vitest';
import { absenceOf, at, employSince, typeOf } from '../../../../support/absences.ts';
import { insertArea } from '../../../../support/records.ts';
import { statementsDuring } from '../../../../support/database/statements.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const year = new Date().getUTCFullYear();

async function entitle(
  { db, accountId }: World,
  user: Person,
  own: { starts_at?: string; ends_at?: string; planned_days?: number; expires?: boolean; status?: string } = {},
) {
  const now = new Date();
  const { id } = await db
    .insertInto('vacation_entitlements')
    .values({
      account_id: accountId,
      user_id: user.id,
      title: 'Vacation',
      starts_at: `${year}-01-01`,
      ends_at: `${year}-12-31`,
      planned_days: 28,
      created_at: now,
      updated_at: now,
      ...own,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A full week, Monday to Friday, in the middle of the year. */
const week = { starts_at: firstMonday(6), ends_at: firstMonday(6, 4), full_day: true };

function firstMonday(month: number, daysLater = 0): string {
  const day = new Date(Date.UTC(year, month, 1, 12));
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() + 1);
  day.setUTCDate(day.getUTCDate() + daysLater);
  return day.toISOString();
}

const remaining = async (person: Person): Promise<number> =>
  (await person.call('getCurrentWorkspaceUser')).body.data.attributes.remaining_vacation_days_this_year;
const confirmed = async (world: World, person: Person, attributes: object): Promise<string> => {
  const id = await absenceOf(world, person, attributes);
  await world.admin.call('confirmAbsence', at(id));
  return id;
};

describe('remaining_vacation_days_this_year', () => {
  it('falls with confirmed vacation only, and rises when that is taken back', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    expect(await remaining(employee)).toBe(0);
    await entitle(world, employee);
    expect(await remaining(employee)).toBe(28);
    const id = await absenceOf(world, employee, week);
    expect(await remaining(employee)).toBe(28);
    await admin.call('confirmAbsence', at(id));
    expect(await remaining(employee)).toBe(23);
    await admin.call('resetAbsence', at(id));
    expect(await remaining(employee)).toBe(28);
    const sickness = await confirmed(world, employee, { ...week, absence_type_id: await typeOf(world, 'sickness') });
    expect(await remaining(employee)).toBe(28);
    // Vacation costs nothing on days of sickness.
    await admin.call('resetAbsence', at(sickness));
    await confirmed(world, employee, { ...week, use_custom_values: true, days: 2.5 });
    expect(await remaining(employee)).toBe(25);
    expect(await remaining(admin)).toBe(0);
  });

  it('is never below 0, and counts active entitlements that have not lapsed', async () => {
    const world = await newWorld();
    const { employee } = world;
    await entitle(world, employee, { starts_at: `${year - 1}-07-01`, ends_at: `${year}-06-30`, planned_days: 3 });
    const lastYear = { starts_at: `${year - 1}-01-01`, ends_at: `${year - 1}-12-31`, expires: true };
    await entitle(world, employee, { ...lastYear, planned_days: 100 });
    await entitle(world, employee, { planned_days: 100, status: 'inactive' });
    expect(await remaining(employee)).toBe(3);
    await entitle(world, employee, { planned_days: 1 });
    expect(await remaining(employee)).toBe(4);
    await confirmed(world, employee, week);
    expect(await remaining(employee)).toBe(0);
  });

  it('counts a day of last year in the entitlement that ends first', async () => {
    const world = await newWorld();
    const { employee } = world;
    const overlapping = await entitle(world, employee, {
      starts_at: `${year - 1}-01-01`,
      ends_at: `${year}-12-31`,
      planned_days: 10,
    });
    const lastYear = await entitle(world, employee, {
      starts_at: `${year - 1}-01-01`,
      ends_at: `${year - 1}-12-31`,
      planned_days: 10,
      expires: true,
    });
    await confirmed(world, employee, {
      starts_at: `${year - 1}-03-01T00:00:00Z`,
      ends_at: `${year - 1}-03-31T00:00:00Z`,
      full_day: true,
      use_custom_values: true,
      days: 4,
    });
    expect(await remaining(employee)).toBe(10);
    const { body } = await world.enterprise('listVacationEntitlements', { query: { user_id: employee.id } });
    const spent: { id: number; spent_days: number }[] = body.vacation_times;
    expect(spent.map(({ id, spent_days }) => [id, spent_days])).toEqual([
      [overlapping, 0],
      [lastYear, 4],
    ]);
  });

  it('counts vacation of all workspaces, and none of another account', async () => {
    const world = await newWorld();
    const { admin } = world;
    await employSince(world, admin.id, `${year}-01-01`);
    await entitle(world, admin);
    const { body: elsewhere } = await admin.call('createWorkspace', {
      body: bodyOf('workspace', { name: 'Elsewhere' }),
    });
    const workspace_id = elsewhere.data.id;
    const { body: types } = await admin.call('listAbsenceTypes', { params: { workspace_id } });
    const { body } = await admin.call('createAbsence', {
      params: { workspace_id },
      body: bodyOf('absence', { ...week, absence_type_id: types.data[0].id }),
    });
    await admin.call('confirmAbsence', { params: { workspace_id, absence_id: body.data.id } });
    expect(await remaining(admin)).toBe(23);
    expect((await admin.call('getCurrentUser')).body.data.attributes.remaining_vacation_days_this_year).toBe(23);
  });

  it('costs a list of users no statement per user', async () => {
    const world = await newWorld();
    const list = () => world.admin.call('listUsers', { query: { include: 'current_absence' } });
    const hour = 3_600_000;
    const now = {
      starts_at: new Date(Date.now() - hour).toISOString(),
      ends_at: new Date(Date.now() + hour).toISOString(),
      full_day: false,
    };
    await confirmed(world, world.employee, now);
    const few = await statementsDuring(list);
    for (const name of ['one', 'two', 'three']) {
      const person = await world.addMember('employee', name);
      await entitle(world, person);
      await confirmed(world, person, week);
      await confirmed(world, person, now);
    }
    expect(await statementsDuring(list)).toBe(few);
    const { body } = await list();
    expect(
      body.data
        .map(
          (user: { attributes: { remaining_vacation_days_this_year: number } }) =>
            user.attributes.remaining_vacation_days_this_year,
        )
        .sort(),
    ).toEqual([0, 0, 22, 22, 22]);
    expect(body.included).toHaveLength(4);
  });
});

describe('current_absence', () => {
  const around = (before: number, after: number) => ({
    starts_at: new Date(Date.now() + before * 1000).toISOString(),
    ends_at: new Date(Date.now() + after * 1000).toISOString(),
    full_day: false,
  });
  const currentOf = async (person: Person) =>
    (await person.call('getCurrentWorkspaceUser')).body.data.relationships.current_absence.data;

  it('is the confirmed absence that covers this moment', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    expect(await currentOf(employee)).toBeNull();
    await confirmed(world, employee, around(-7200, -3600));
    await confirmed(world, employee, around(3600, 7200));
    const id = await absenceOf(world, employee, around(-60, 3600));
    expect(await currentOf(employee)).toBeNull();
    await admin.call('confirmAbsence', at(id));
    expect(await currentOf(employee)).toEqual({ type: 'absence', id });
    const earlier = await confirmed(world, employee, around(-600, 3600));
    expect(await currentOf(employee)).toEqual({ type: 'absence', id: earlier });
    for (const one of [id, earlier]) await admin.call('resetAbsence', at(one));
    expect(await currentOf(employee)).toBeNull();
  });

  it('can be included for users who may read it', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await confirmed(world, employee, around(-60, 3600));
    const { body } = await admin.call('getUser', {
      params: { user_id: employee.id },
      query: { include: 'current_absence' },
    });
    expect(body.included).toMatchObject([{ type: 'absence', id, attributes: { confirmation_status: 'confirmed' } }]);
    const { body: own } = await employee.call('getCurrentUser', { query: { include: 'current_absence' } });
    expect(own.included).toHaveLength(1);
  });

  it('is hidden from colleagues, and of its own workspace', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const colleague = await world.addMember('employee', 'colleague');
    const area = await insertArea(world, 'Kitchen', [admin.id, colleague.id]);
    await confirmed(world, admin, around(-60, 3600));
    const { body } = await employee.call('getArea', { params: { area_id: area }, query: { include: 'users' } });
    for (const user of body.included) expect(user.relationships.current_absence.data).toBeNull();
    const { body: elsewhere } = await admin.call('createWorkspace', {
      body: bodyOf('workspace', { name: 'Elsewhere' }),
    });
    const { body: self } = await admin.call('getCurrentWorkspaceUser', { params: { workspace_id: elsewhere.data.id } });
    expect(self.data.relationships.current_absence.data).toBeNull();
    expect((await admin.call('getCurrentUser')).body.data.relationships.current_absence.data).not.toBeNull();
  });
});
