import { describe, expect, it } from 'vitest';
import { absenceOf, at, fullDays } from '../../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const july = { from: '2026-07-01', to: '2026-07-31' };

const calendar = (person: Person, query: Record<string, string> = july, params: object = {}) =>
  person.call('getAbsenceCalendar', { query, params: params as never });

const confirmed = async (world: World, person: Person, attributes: object): Promise<void> => {
  const id = await absenceOf(world, person, { title: 'Spa in secret', ...attributes });
  expect((await world.admin.call('confirmAbsence', at(id))).status).toBe(200);
};

/** The names with their days, such as `06 whole`. */
const away = async (person: Person, query = july, params: object = {}): Promise<Record<string, string[]>> => {
  const { status, body } = await calendar(person, query, params);
  expect(status).toBe(200);
  return Object.fromEntries(
    body.data.map(({ attributes }: { attributes: { username: string; days: { date: string; part: string }[] } }) => [
      attributes.username,
      attributes.days.map(({ date, part }) => `${date.slice(8)} ${part}`),
    ]),
  );
};

describe('getAbsenceCalendar', () => {
  it('200 shows every member who is away on which days, and nothing about why', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const cook = await world.addMember('employee', 'Cook');
    await confirmed(world, cook, fullDays('2026-07-10', '2026-07-13'));
    await confirmed(world, employee, fullDays('2026-06-29', '2026-07-02'));
    const seen = { Cook: ['10 whole', '11 whole', '12 whole', '13 whole'], employee: ['01 whole', '02 whole'] };
    for (const person of [employee, cook, admin]) expect(await away(person)).toEqual(seen);
    const { body } = await calendar(employee);
    expect(body.data[0]).toEqual({
      id: String(cook.id),
      type: 'absent_user',
      attributes: {
        username: 'Cook',
        days: ['10', '11', '12', '13'].map((day) => ({ date: `2026-07-${day}`, part: 'whole' })),
      },
      relationships: { user: { data: { id: String(cook.id), type: 'user' } } },
    });
    expect(JSON.stringify(body)).not.toContain('Spa in secret');
  });

  it('200 shows half days and hours as such', async () => {
    const world = await newWorld();
    const { employee } = world;
    const both = { half_start: true, half_end: true };
    // From a Saturday on: the first day that counts is Monday.
    await confirmed(world, employee, fullDays('2026-07-04', '2026-07-07', both));
    await confirmed(world, employee, fullDays('2026-07-09', '2026-07-09', { half_start: true }));
    const hours = { starts_at: '2026-07-10T09:00:00+02:00', ends_at: '2026-07-10T11:00:00+02:00', full_day: false };
    await confirmed(world, employee, hours);
    const days = ['04 whole', '05 whole', '06 half', '07 half', '09 half', '10 hours'];
    expect(await away(employee)).toEqual({ employee: days });
    await confirmed(world, employee, fullDays('2026-07-09', '2026-07-09', { half_end: true }));
    expect(await away(employee)).toEqual({ employee: days.with(4, '09 whole') });
  });

  it('200 shows confirmed absences only, of those who are members', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const gone = await world.addMember('employee', 'Gone');
    await confirmed(world, gone, fullDays('2026-07-06'));
    await absenceOf(world, employee, fullDays('2026-07-07'));
    const rejected = await absenceOf(world, employee, fullDays('2026-07-08'));
    // The operation of this name rejects.
    await admin.call('resetAbsence', at(rejected));
    expect(await away(employee)).toEqual({ Gone: ['06 whole'] });
    await admin.call('deleteUser', { params: { user_id: gone.id } });
    expect(await away(employee)).toEqual({});
  });

  it('200 shows nothing of other workspaces, 404 for those of others', async () => {
    const world = await newWorld();
    const { admin, employee, stranger } = world;
    await confirmed(world, employee, fullDays('2026-07-06'));
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    const elsewhere = { workspace_id: body.data.id };
    expect(await away(admin, july, elsewhere)).toEqual({});
    expect((await calendar(employee, july, elsewhere)).status).toBe(404);
    expect((await calendar(stranger)).status).toBe(404);
  });

  it('400 without a range, with one that ends before it begins, and with one of more than 366 days', async () => {
    const { employee } = await newWorld();
    const none = await calendar(employee, {});
    expect([none.status, pointersIn(none).sort()]).toEqual([400, ['from', 'to']]);
    const backwards = await calendar(employee, { from: '2026-07-02', to: '2026-07-01' });
    expect([backwards.status, titlesIn(backwards)]).toEqual([
      400,
      ['to must not lie before from, which is 2026-07-02, but was 2026-07-01.'],
    ]);
    const long = await calendar(employee, { from: '2026-01-01', to: '2027-01-02' });
    expect([long.status, titlesIn(long)]).toEqual([
      400,
      ['to must lie at most 366 days after from, both days counted, but 2026-01-01 to 2027-01-02 are 367 days.'],
    ]);
    expect((await calendar(employee, { from: '2026-01-01', to: '2027-01-01' })).status).toBe(200);
  });
});
