import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { punched, record, systemNotes } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const at = (time: string): string => `2026-01-05T${time}:00Z`;
const span = (from: string, to: string) => ({ starts_at: at(from), ends_at: at(to) });
const uuid = '1b9f4c1e-3c7d-4c55-8a35-6f2f6d1f0a77';

const create = (person: Person, trackingId: string, attributes: object) =>
  person.call('createBreak', { params: { time_tracking_id: trackingId }, body: bodyOf('break', attributes) });
const update = (person: Person, trackingId: string, breakId: string, attributes: object) =>
  person.call('updateBreak', {
    params: { time_tracking_id: trackingId, break_id: breakId },
    body: bodyOf('break', attributes),
  });
const numbersOf = async (person: Person, trackingId: string) => {
  const { body } = await person.call('getTimeTracking', { params: { time_tracking_id: trackingId } });
  const { break_duration, break_time, net_time, gross_time, last_update_by, system_notes_count } = body.data.attributes;
  return { break_duration, break_time, net_time, gross_time, last_update_by, system_notes_count };
};

/** A tracking from 8 to 10 of the employee, with a break from 8:30 to 8:40. */
async function withBreak() {
  const world = await newWorld();
  const { id, relationships } = await record(world.employee, { breaks_attributes: [span('08:30', '08:40')] });
  return { ...world, world, id, breakId: relationships['breaks']!.data[0]!.id };
}

describe('createBreak', () => {
  it('201 in local time, and the tracking follows', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(admin, { created_by: 'browser-stamps' }, { user: employee.id });
    const { status, body } = await create(admin, id, span('08:30', '09:00'));
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      type: 'break',
      attributes: {
        starts_at: '2026-01-05T09:30:00+01:00',
        ends_at: '2026-01-05T10:00:00+01:00',
        start_signature_id: null,
        end_signature_id: null,
        created_by: 'browser-stamps',
      },
      relationships: { time_tracking: { data: { type: 'time_tracking', id } } },
    });
    expect(await numbersOf(admin, id)).toEqual({
      break_duration: 1800,
      break_time: 0.5,
      net_time: 1.5,
      gross_time: 2,
      last_update_by: admin.id,
      system_notes_count: 2,
    });
    expect((await systemNotes(admin, id)).at(-1)).toBe(
      'admin changed the breaks from none to 2026-01-05T09:30:00+01:00 – 2026-01-05T10:00:00+01:00.',
    );
  });

  it('201 withdraws the warning of too little rest', async () => {
    const { admin, db, accountId } = await newWorld();
    const { id } = await record(admin, { ends_at: at('15:00') });
    const rules = async () =>
      (await db.selectFrom('notifications').select('rule').where('account_id', '=', accountId).execute()).map(
        ({ rule }) => rule,
      );
    expect(new Set(await rules())).toEqual(new Set(['short_breaks', 'long_stretch']));
    await create(admin, id, span('12:00', '12:30'));
    expect(await rules()).toEqual([]);
  });

  it('201 names a punched tracking by its UUID', async () => {
    const world = await newWorld();
    await punched(world, world.employee.id, uuid);
    const { status, body } = await create(world.admin, uuid, {
      starts_at: '2026-01-06T08:30:00Z',
      ends_at: '2026-01-06T09:00:00Z',
    });
    expect([status, body.data.relationships.time_tracking.data.id]).toEqual([201, uuid]);
    expect((await create(world.employee, uuid, span('08:30', '09:00'))).status).toBe(403);
  });

  it('400 outside the tracking, over another break, backwards, and without times', async () => {
    const { employee, id } = await withBreak();
    expect(pointersIn(await create(employee, id, span('07:59', '10:01')))).toEqual([
      'starts_at',
      'ends_at',
      'starts_at',
    ]);
    expect(pointersIn(await create(employee, id, span('08:35', '08:50')))).toEqual(['starts_at']);
    expect(pointersIn(await create(employee, id, span('09:30', '09:30')))).toEqual(['ends_at']);
    expect(pointersIn(await create(employee, id, { starts_at: '', ends_at: '2026-01-05T08:00:00' })).sort()).toEqual([
      'ends_at',
      'starts_at',
    ]);
    expect(titlesIn(await create(employee, id, span('07:00', '08:10')))).toEqual([
      'starts_at must lie inside the time tracking, which is from 2026-01-05T09:00:00+01:00 to 2026-01-05T11:00:00+01:00, but was 2026-01-05T08:00:00+01:00.',
    ]);
    expect(await numbersOf(employee, id)).toMatchObject({ break_duration: 600, system_notes_count: 2 });
  });

  it('400 in the future of a running tracking', async () => {
    const { employee } = await newWorld();
    const { id } = await record(employee, { ends_at: null });
    expect(pointersIn(await create(employee, id, { starts_at: at('09:00'), ends_at: '2999-01-05T10:00:00Z' }))).toEqual(
      ['ends_at'],
    );
  });

  it('403 for a colleague, 404 for an unknown one', async () => {
    const { world, admin, id } = await withBreak();
    const colleague = await world.addMember('employee', 'colleague');
    expect((await create(colleague, id, span('09:00', '09:10'))).status).toBe(403);
    expect((await create(admin, '999999', span('09:00', '09:10'))).status).toBe(404);
  });

  it('one of many concurrent breaks that overlap is created', async () => {
    const { employee } = await newWorld();
    const { id } = await record(employee);
    const responses = await Promise.all(Array.from({ length: 6 }, () => create(employee, id, span('09:00', '09:30'))));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
    expect(await numbersOf(employee, id)).toMatchObject({ break_duration: 1800 });
  });
});

describe('updateBreak', () => {
  it('200 changes one end and leaves the other alone', async () => {
    const { employee, id, breakId } = await withBreak();
    const { status, body } = await update(employee, id, breakId, { ends_at: at('09:00') });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      starts_at: '2026-01-05T09:30:00+01:00',
      ends_at: '2026-01-05T10:00:00+01:00',
    });
    expect(await numbersOf(employee, id)).toMatchObject({ break_duration: 1800, system_notes_count: 3 });
  });

  it('200 closes an open one', async () => {
    const { employee, db, accountId } = await newWorld();
    const { id } = await record(employee, { ends_at: null });
    const open = {
      account_id: accountId,
      time_tracking_id: Number(id),
      starts_at: new Date(at('09:00')),
      created_by: 'actions',
    };
    const row = await db
      .insertInto('breaks')
      .values({ ...open, created_at: new Date(), updated_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await create(employee, id, span('09:30', '09:40'))).status).toBe(400);
    const { body } = await update(employee, id, String(row.id), { ends_at: at('09:15') });
    expect(body.data.attributes.ends_at).toBe('2026-01-05T10:15:00+01:00');
    expect(await numbersOf(employee, id)).toMatchObject({ break_duration: 900 });
  });

  it('200 writes nothing if nothing changes', async () => {
    const { employee, id, breakId } = await withBreak();
    expect((await update(employee, id, breakId, span('08:30', '08:40'))).status).toBe(200);
    expect((await update(employee, id, breakId, {})).status).toBe(200);
    expect(await numbersOf(employee, id)).toMatchObject({ system_notes_count: 2 });
  });

  it('400 backwards, outside, over another one, and null', async () => {
    const { employee, id, breakId } = await withBreak();
    await create(employee, id, span('09:00', '09:10'));
    expect(pointersIn(await update(employee, id, breakId, { ends_at: at('08:30') }))).toEqual(['ends_at']);
    expect(pointersIn(await update(employee, id, breakId, { starts_at: at('07:00') }))).toEqual(['starts_at']);
    expect(pointersIn(await update(employee, id, breakId, { ends_at: at('09:05') }))).toEqual(['starts_at']);
    expect(pointersIn(await update(employee, id, breakId, { ends_at: null }))).toEqual(['ends_at']);
  });

  it('403 for a colleague, 404 for an unknown one and one of another time tracking', async () => {
    const { world, admin, employee, id, breakId } = await withBreak();
    const colleague = await world.addMember('employee', 'colleague');
    const other = await record(employee);
    expect((await update(colleague, id, breakId, {})).status).toBe(403);
    expect((await update(admin, other.id, breakId, {})).status).toBe(404);
    expect((await update(admin, id, 'abc', {})).status).toBe(404);
  });
});

describe('getBreak', () => {
  it('200 with its tracking, if asked', async () => {
    const { employee, id, breakId } = await withBreak();
    const params = { time_tracking_id: id, break_id: breakId };
    const { status, body } = await employee.call('getBreak', { params, query: 'include=time_tracking' });
    expect([status, body.data.id]).toEqual([200, breakId]);
    expect(body.included).toMatchObject([{ type: 'time_tracking', id }]);
    expect((await employee.call('getBreak', { params })).body).not.toHaveProperty('included');
  });

  it('400 for an unknown include, 403 for a colleague, 404 for an unknown one', async () => {
    const { world, admin, id, breakId } = await withBreak();
    const params = { time_tracking_id: id, break_id: breakId };
    const colleague = await world.addMember('employee', 'colleague');
    expect(pointersIn(await admin.call('getBreak', { params, query: 'include=user' }))).toEqual(['include']);
    expect((await colleague.call('getBreak', { params })).status).toBe(403);
    expect((await admin.call('getBreak', { params: { ...params, break_id: '99999999999999999999' } })).status).toBe(
      404,
    );
  });
});

describe('listBreaks', () => {
  it('200 by id, filtered and sorted', async () => {
    const { employee, id, breakId } = await withBreak();
    await create(employee, id, span('08:00', '08:10'));
    const list = async (query: string) =>
      (await employee.call('listBreaks', { params: { time_tracking_id: id }, query })).body;
    const all = await list('');
    expect(all.data.map((row: { id: string }) => row.id)[0]).toBe(breakId);
    expect(all.meta).toMatchObject({ total_count: 2 });
    expect((await list('sort=starts_at')).data.map((row: { id: string }) => row.id)[1]).toBe(breakId);
    expect((await list(`filter[starts_at]=gt:${at('08:15')}`)).data).toHaveLength(1);
    expect((await list('filter[ends_at]=present:false')).data).toEqual([]);
    expect((await list('include=time_tracking')).included).toHaveLength(1);
  });

  it('400 for an invalid page, 403 for a colleague, 404 for an unknown one', async () => {
    const { world, admin, id } = await withBreak();
    const colleague = await world.addMember('employee', 'colleague');
    expect(pointersIn(await admin.call('listBreaks', { params: { time_tracking_id: id }, query: 'page=0' }))).toEqual([
      'page',
    ]);
    expect((await colleague.call('listBreaks', { params: { time_tracking_id: id } })).status).toBe(403);
    expect((await admin.call('listBreaks', { params: { time_tracking_id: 'abc' } })).status).toBe(404);
  });
});

describe('deleteBreak', () => {
  it('200 returns it, and its time counts as work again', async () => {
    const { employee, id, breakId } = await withBreak();
    const params = { time_tracking_id: id, break_id: breakId };
    const { status, body } = await employee.call('deleteBreak', { params });
    expect([status, body.data.id, body.data.attributes.ends_at]).toEqual([200, breakId, '2026-01-05T09:40:00+01:00']);
    expect(await numbersOf(employee, id)).toMatchObject({
      break_duration: null,
      break_time: 0,
      net_time: 2,
      system_notes_count: 3,
    });
    expect((await employee.call('deleteBreak', { params })).status).toBe(404);
  });

  it('403 for a colleague', async () => {
    const { world, id, breakId } = await withBreak();
    const colleague = await world.addMember('employee', 'colleague');
    expect((await colleague.call('deleteBreak', { params: { time_tracking_id: id, break_id: breakId } })).status).toBe(
      403,
    );
  });
});
