import { describe, expect, it } from 'vitest';
import { absenceOf, fullDays, typeOf } from '../../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { newWorld, type World } from '../../../../support/world.ts';

const listed = async ({ admin }: World, filter: Readonly<Record<string, string>> = {}) => {
  const query = Object.fromEntries(Object.entries(filter).map(([name, value]) => [`filter[${name}]`, value]));
  const { body } = await admin.call('listAbsences', { query: { ...query, sort: 'id' } });
  return { ids: body.data.map(({ id }: { id: string }) => id), totals: [body.meta.total_days, body.meta.total_hours] };
};
const totalsIn = async (world: World, overlapping_with_range: string) =>
  (await listed(world, { overlapping_with_range })).totals;

describe('the totals of absences', () => {
  it('are cut to the range that is asked for', async () => {
    const world = await newWorld();
    await absenceOf(world, world.employee, fullDays('2026-06-25', '2026-07-08'));
    expect(await totalsIn(world, '2026-06-01_2026-06-30')).toEqual([4, 32]);
    expect(await totalsIn(world, '2026-07-01_2026-07-31')).toEqual([6, 48]);
    expect(await totalsIn(world, '2026-07-01')).toEqual([6, 48]);
    expect(await totalsIn(world, '2026-07-04_2026-07-05')).toEqual([0, 0]);
    expect(await totalsIn(world, '2026-09-01_2026-09-30')).toEqual([0, 0]);
    expect((await listed(world)).totals).toEqual([10, 80]);
  });

  it('count a date once where two absences of one kind cover it, for each user', async () => {
    const world = await newWorld();
    const colleague = await world.addMember('employee', 'colleague');
    const half = fullDays('2026-07-10', '2026-07-13', { half_start: true });
    await absenceOf(world, world.employee, half);
    await absenceOf(world, world.employee, fullDays('2026-07-06', '2026-07-10'));
    expect((await listed(world)).totals).toEqual([6, 48]);
    expect(await totalsIn(world, '2026-07-01_2026-07-31')).toEqual([6, 48]);
    await absenceOf(world, colleague, fullDays('2026-07-10'));
    expect((await listed(world)).totals).toEqual([7, 56]);
    await absenceOf(
      world,
      world.employee,
      fullDays('2026-07-10', '2026-07-10', { absence_type_id: await typeOf(world, 'sickness') }),
    );
    expect((await listed(world)).totals).toEqual([8, 64]);
  });

  it('are rounded once, from exact amounts', async () => {
    const world = await newWorld();
    const third = (day: string) => ({ starts_at: `${day}T08:00:00Z`, ends_at: `${day}T10:40:00Z`, full_day: false });
    for (const day of ['2026-07-06', '2026-07-07', '2026-07-08']) await absenceOf(world, world.employee, third(day));
    // Three times 0.33 days and 2.67 hours would be 0.99 and 8.01.
    expect((await listed(world)).totals).toEqual([1, 8]);
  });
});

describe('listAbsences', () => {
  it('200 filters by type, kind and area, one or several', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [kitchen, bar] = [await insertArea(world, 'Kitchen', [employee.id]), await insertArea(world, 'Bar', [])];
    const [vacation, sickness] = [await typeOf(world), await typeOf(world, 'sickness')];
    const ofEmployee = await absenceOf(world, employee, fullDays('2026-07-06'));
    const ofAdmin = await absenceOf(world, admin, fullDays('2026-07-07', '2026-07-07', { absence_type_id: sickness }));
    const found = async (name: string, value: string) => (await listed(world, { [name]: value })).ids;
    expect(await found('absence_type_id', String(vacation))).toEqual([ofEmployee]);
    expect(await found('absence_type_id', `${sickness}, ${vacation}`)).toEqual([ofEmployee, ofAdmin]);
    expect(await found('kind', 'sickness')).toEqual([ofAdmin]);
    expect(await found('kind', 'in:sickness,vacation')).toEqual([ofEmployee, ofAdmin]);
    expect(await found('kind', 'overtime')).toEqual([]);
    expect(await found('area_id', String(kitchen))).toEqual([ofEmployee]);
    expect(await found('area_id', `${bar}`)).toEqual([]);
    expect(await found('half_start', 'eq:true')).toEqual([]);
  });

  it('400 for an invalid type, kind or area', async () => {
    const { employee } = await newWorld();
    const answer = (name: string, value: string) =>
      employee.call('listAbsences', { query: { [`filter[${name}]`]: value } });
    for (const name of ['absence_type_id', 'area_id']) {
      const response = await answer(name, '1,abc');
      expect([response.status, pointersIn(response)]).toEqual([400, [`filter[${name}]`]]);
      expect(titlesIn(response)).toEqual([`filter[${name}] must be ids, separated by commas, but was "1,abc".`]);
    }
    const response = await answer('kind', 'vacation,holiday');
    expect([response.status, titlesIn(response)]).toEqual([
      400,
      [
        'filter[kind] must be one or several of vacation, sickness, special, unpaid, overtime, other, but was "vacation,holiday".',
      ],
    ]);
  });
});
