import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { service } from '../../../../support/service.ts';
import { areaWith, record } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const batch = (person: Person, attributes: object) =>
  person.call('batchTimeTrackings', { body: bodyOf('batch_action', attributes) });

async function run(person: Person, attributes: object) {
  const { status, body } = await batch(person, attributes);
  expect(status, JSON.stringify(body)).toBe(200);
  await (await service()).jobs.drain();
  const { batch_id } = body.meta;
  return (await person.call('getBatchAction', { params: { batch_id } })).body.data.attributes.total as number;
}

const confirmedIn = async ({ admin }: World): Promise<string[]> =>
  (await admin.call('listTimeTrackings', { query: 'filter[confirmed]=eq:true&sort=id' })).body.data.map(
    ({ id }: { id: string }) => id,
  );

async function worldWithWork() {
  const world = await newWorld();
  const area = await areaWith(world, 'Kitchen', [world.employee]);
  const on = (day: string) => ({ starts_at: `${day}T08:00:00Z`, ends_at: `${day}T10:00:00Z` });
  const early = (await record(world.employee, on('2026-01-05'), { area })).id;
  const late = (await record(world.employee, on('2026-02-05'))).id;
  const other = (await record(world.admin, on('2026-01-05'))).id;
  return { world, area, early, late, other };
}

describe('a batch of time trackings with a filter', () => {
  it('400 for a filter in the address, where a batch does not look for one', async () => {
    const { world } = await worldWithWork();
    const query = `filter[user_id]=${world.employee.id}`;
    const body = bodyOf('batch_action', { action: 'confirm', all: true });
    const refused = await world.admin.call('batchTimeTrackings', { query, body });
    expect([refused.status, pointersIn(refused)]).toEqual([400, ['filter']]);
    expect(await confirmedIn(world)).toEqual([]);
  });

  it('confirms what matches it, and nothing else', async () => {
    const { world, area, early, late, other } = await worldWithWork();
    const { admin, employee } = world;
    const confirm = (filter: object) => run(admin, { action: 'confirm', all: true, filter });
    const january = { overlapping_with_range: '2026-01-01_2026-01-31' };
    expect(await confirm({ user_id: String(employee.id), ...january })).toBe(1);
    expect(await confirmedIn(world)).toEqual([early]);
    expect(await confirm({ area_id: area })).toBe(0);
    expect(await confirm({ user_id: `${employee.id},${admin.id}` })).toBe(2);
    expect(await confirmedIn(world)).toEqual([early, late, other]);
    expect(await run(admin, { action: 'unconfirm', all: true, filter: { area_id: area } })).toBe(1);
    expect(await confirmedIn(world)).toEqual([late, other]);
  });

  it('400 for a filter that is unknown or does not fit, and for one that nothing would use', async () => {
    const { world, early } = await worldWithWork();
    const { admin } = world;
    for (const [attributes, pointer] of [
      [{ action: 'confirm', all: true, filter: { usre_id: '1' } }, 'filter/usre_id'],
      [{ action: 'confirm', all: true, filter: { user_id: null } }, 'filter/user_id'],
      [{ action: 'confirm', all: true, filter: null }, 'filter'],
      [{ action: 'confirm', all: true, filter: { user_id: '1,x' } }, 'filter[user_id]'],
      [{ action: 'confirm', all: true, filter: { overlapping_with_range: 'May' } }, 'filter[overlapping_with_range]'],
      [{ action: 'confirm', ids: [early], filter: { user_id: '1' } }, 'all'],
      [{ action: 'note', ids: [early], note: { content: 'x' }, all: true, filter: { user_id: '1' } }, 'action'],
    ] as const) {
      const refused = await batch(admin, attributes);
      expect([refused.status, pointersIn(refused)]).toEqual([400, [pointer]]);
    }
    expect(await confirmedIn(world)).toEqual([]);
  });
});

describe('every batch', () => {
  it.each([
    ['batchTimeTrackings', { action: 'confirm', all: true }],
    ['batchAbsences', { action: 'confirm', all: true }],
    ['batchNotifications', { action: 'destroy', all: true }],
    ['batchShifts', { action: 'copy_week', from_week: '2026-W24', to_week: '2026-W25' }],
    ['batchVacationEntitlements', { action: 'generate', year: 2026, days: 30 }],
  ])('%s: 400 for a member that it does not know', async (operation, attributes) => {
    const { admin } = await newWorld();
    const type = 'batch_action';
    for (const [body, names] of [
      [{ data: { type, attributes: { ...attributes, filtre: { user_id: '1' }, dry: true } } }, ['filtre', 'dry']],
      [{ data: { type, attributes, filter: { user_id: '1' } } }, ['filter']],
      [{ data: { type, attributes }, filter: { user_id: '1' } }, ['filter']],
    ] as const) {
      const refused = await admin.call(operation, { body });
      expect([refused.status, pointersIn(refused)]).toEqual([400, names]);
      expect(titlesIn(refused)[0]).toContain(
        `${names[0]} must be left out, because nothing of that name is known here`,
      );
    }
    const { body } = await admin.call(operation, { body: bodyOf(type, { ...attributes, filtre: 1 }) });
    expect(body.errors[0]).toMatchObject({
      code: 'unknown_name',
      meta: { allowed: expect.arrayContaining(['action']) },
    });
    expect(body.errors[0].title).toMatch(/known here\. There is .*action/);
  });
});
