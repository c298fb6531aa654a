import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { at, daysOf } from '../../../../support/absences.ts';
import { titlesIn } from '../../../../support/client.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { absent, asked, book, ledger, setEmployee, setTarget } from '../../time_account/support.ts';
import { closed, twoMonths } from './support.ts';

type Closed = Awaited<ReturnType<typeof twoMonths>> & { readonly period: string };

async function closedJanuary(): Promise<Closed> {
  const world = await twoMonths();
  return { ...world, period: await closed(world, '2026-01') };
}

const tracking = (id: string) => ({ params: { time_tracking_id: id } });
const morning = { starts_at: '2026-01-07T08:00:00+01:00', ends_at: '2026-01-07T10:00:00+01:00' };

/** Requests that would change a closed day: the operation, and its options. */
const writes: Readonly<Record<string, (world: Closed) => Promise<[string, object]> | [string, object]>> = {
  'recorded work': ({ employee }) => [
    'createTimeTracking',
    { body: bodyOf('time_tracking', { user_id: employee.id, ...morning }) },
  ],
  'work that still runs': ({ employee }) => [
    'createTimeTracking',
    { body: bodyOf('time_tracking', { user_id: employee.id, starts_at: morning.starts_at }) },
  ],
  'a late punch': ({ employee }) => [
    'createAction',
    { body: bodyOf('action', { action_type: 'start', action_time: morning.starts_at, user_id: employee.id }) },
  ],
  'other times': ({ day }) => [
    'updateTimeTracking',
    { ...tracking(day), body: bodyOf('time_tracking', { ends_at: '2026-01-05T18:00:00+01:00' }) },
  ],
  'open work that moves into it': ({ later }) => [
    'updateTimeTracking',
    { ...tracking(later), body: bodyOf('time_tracking', { starts_at: '2026-01-30T08:00:00+01:00' }) },
  ],
  'work that moves out of it': ({ night }) => [
    'updateTimeTracking',
    {
      ...tracking(night),
      body: bodyOf('time_tracking', { starts_at: '2026-02-05T08:00:00+01:00', ends_at: '2026-02-05T17:00:00+01:00' }),
    },
  ],
  'deleted work': ({ day }) => ['deleteTimeTracking', tracking(day)],
  'another break': ({ day }) => [
    'createBreak',
    {
      ...tracking(day),
      body: bodyOf('break', { starts_at: '2026-01-05T15:00:00+01:00', ends_at: '2026-01-05T15:30:00+01:00' }),
    },
  ],
  'a break that moves': async (world) => [
    'updateBreak',
    {
      params: { time_tracking_id: world.day, break_id: await breakOf(world) },
      body: bodyOf('break', { starts_at: '2026-01-05T13:00:00+01:00', ends_at: '2026-01-05T13:30:00+01:00' }),
    },
  ],
  'a break less': async (world) => [
    'deleteBreak',
    { params: { time_tracking_id: world.day, break_id: await breakOf(world) } },
  ],
  'a deleted absence': ({ vacation }) => ['deleteAbsence', at(vacation)],
  'another decision': ({ vacation }) => ['resetAbsence', at(vacation)],
  'an absence that begins later': ({ vacation }) => [
    'updateAbsence',
    at(vacation, { body: bodyOf('absence', { starts_at: '2026-02-02T00:00:00+01:00' }) }),
  ],
  'half a closed day': ({ vacation }) => [
    'updateAbsence',
    at(vacation, { body: bodyOf('absence', { half_start: true }) }),
  ],
  'another entry': ({ employee }) => [
    'createTimeAccountEntry',
    {
      params: { user_id: employee.id },
      body: bodyOf('time_account_entry', { date: '2026-01-31', hours: 1, kind: 'correction', note: 'Late.' }),
    },
  ],
  'an entry less': ({ employee, entry }) => [
    'deleteTimeAccountEntry',
    { params: { user_id: employee.id, time_account_entry_id: entry } },
  ],
  'a target hour': ({ employee }) => [
    'createTargetHour',
    {
      params: { user_id: employee.id },
      body: bodyOf('target_hour', { start_date: '2026-01-31', is_mon: true, mon: 4 }),
    },
  ],
  'another start of accounting': ({ employee }) => [
    'updateUser',
    { params: { user_id: employee.id }, body: bodyOf('user', { start_of_accounting: '2026-02-01' }) },
  ],
  'another region from then on': ({ employee }) => [
    'updateUser',
    {
      params: { user_id: employee.id },
      body: bodyOf('user', { holiday_region: 'DE-BY', holiday_region_from: '2026-01-06' }),
    },
  ],
  'a public holiday': () => [
    'createPublicHoliday',
    { body: bodyOf('public_holiday', { date: '2026-01-31', title: 'Day' }) },
  ],
};

async function breakOf({ admin, day }: Closed): Promise<string> {
  return (await admin.call('listBreaks', tracking(day))).body.data[0].id;
}

const titleOf = ({ employee, period }: Closed) =>
  `2026-01 of user ${employee.id} is closed (accounting period ${period}). Enter a correction in an open month, or reopen it.`;

describe('a closed month', () => {
  it('refuses every request that would change one of its days, and names the period', async () => {
    const world = await closedJanuary();
    const before = await ledger(world, '2026-01-01', '2026-02-28');
    for (const [what, write] of Object.entries(writes)) {
      const [operationId, options] = await write(world);
      const refused = await world.admin.call(operationId, options);
      expect([what, refused.status, titlesIn(refused)]).toEqual([what, 400, [titleOf(world)]]);
    }
    expect(await ledger(world, '2026-01-01', '2026-02-28')).toEqual(before);
  });

  it('refuses the end of a contract inside it, and takes the one on its last day', async () => {
    const world = await closedJanuary();
    const end = (end_of_contract: string) =>
      world.enterprise('updatePublicUser', {
        body: { user: { id: world.employee.id, data_profiles: { end_of_contract } } },
      });
    const refused = await end('2026-01-30');
    expect([refused.status, titlesIn(refused)]).toEqual([400, [titleOf(world)]]);
    expect((await end('2026-01-31')).status).toBe(200);
  });

  it('refuses each of a batch that lies in it, and does the others', async () => {
    const world = await closedJanuary();
    const { admin, day, later } = world;
    const { body } = await admin.call('batchTimeTrackings', {
      body: bodyOf('batch_action', { action: 'destroy', ids: [day, later] }),
    });
    await (await service()).jobs.drain();
    const batch = await admin.call('getBatchAction', { params: { batch_id: body.meta.batch_id } });
    expect(batch.body.data.attributes).toMatchObject({
      done: 1,
      failed: 1,
      failures: [{ id: day, reason: titleOf(world) }],
    });
  });

  it('leaves notes and the same values free', async () => {
    const world = await closedJanuary();
    const { day, vacation } = world;
    await asked(world, 'createTimeTrackingNote', { ...tracking(day), body: bodyOf('note', { content: 'Seen.' }) });
    await asked(world, 'updateTimeTracking', {
      ...tracking(day),
      body: bodyOf('time_tracking', { starts_at: '2026-01-05T08:00:00+01:00', external_id: 'A1' }),
    });
    await asked(world, 'confirmTimeTracking', tracking(day));
    await asked(world, 'confirmAbsence', at(vacation));
  });

  it('lets an absence that reaches out of it change in the open month', async () => {
    const world = await closedJanuary();
    const longer = { ends_at: '2026-02-03T23:59:59+01:00' };
    const { data } = await asked(world, 'updateAbsence', at(world.vacation, { body: bodyOf('absence', longer) }));
    expect(data.attributes.days).toBe(4);
    expect((await ledger(world, '2026-02-03'))[0]).toMatchObject({ absences: [world.vacation] });
  });

  it('lets it change there too where its closed dates would count differently by now, and keeps what they count', async () => {
    const world = await closedJanuary();
    const { vacation } = world;
    await setEmployee(world, { calc_vacation_options: 'custom', hours_on_vacation_day: 6 });
    const changed = async (attributes: object) =>
      (await asked(world, 'updateAbsence', at(vacation, { body: bodyOf('absence', attributes) }))).data.attributes;
    const longer = { ends_at: '2026-02-03T23:59:59+01:00' };
    // Two closed days of eight hours, and two open ones of six.
    expect(await changed(longer)).toMatchObject({ days: 4, hours: 28, confirmation_status: 'confirmed' });
    const closedRows = [
      ['2026-01-29', 8, 1],
      ['2026-01-30', 8, 1],
      ['2026-01-31', 0, 0],
    ];
    expect((await daysOf(world, vacation)).slice(0, 3)).toEqual(closedRows);
    expect(await changed({ ends_at: '2026-02-02T23:59:59+01:00' })).toMatchObject({ days: 3, hours: 22 });
    expect(await changed({ half_end: true })).toMatchObject({ days: 2.5, hours: 19 });
    // The open dates get what the closed ones leave of a custom amount.
    expect(await changed({ ...longer, use_custom_values: true, days: 3, hours: 20 })).toMatchObject({
      days: 3,
      hours: 20,
    });
    expect(await daysOf(world, vacation)).toEqual([
      ...closedRows,
      ['2026-02-01', 0, 0],
      ['2026-02-02', 2, 0.5],
      ['2026-02-03', 2, 0.5],
    ]);
    expect(await changed({ use_custom_values: false, half_end: false })).toMatchObject({ days: 4, hours: 28 });
    expect((await daysOf(world, vacation)).slice(0, 3)).toEqual(closedRows);
  });

  it('refuses a custom amount below what its closed dates count', async () => {
    const world = await closedJanuary();
    const less = { use_custom_values: true, days: 1.5, hours: 20 };
    const refused = await world.admin.call('updateAbsence', at(world.vacation, { body: bodyOf('absence', less) }));
    expect([refused.status, titlesIn(refused)]).toEqual([400, [titleOf(world)]]);
  });

  it('takes entries and settings of open days', async () => {
    const world = await closedJanuary();
    await book(world, '2026-02-01', 1);
    await setTarget(world, { start_date: '2026-02-01', is_mon: true, mon: 4 });
    await absent(world, 'sickness', '2026-02-10');
  });

  it('refuses a write at the database, from any process', async () => {
    const world = await newWorld();
    await closed(world, '2026-01');
    const { db, accountId, workspaceId, employee } = world;
    const insert = sql`
      insert into time_trackings (account_id, workspace_id, user_id, starts_at, ends_at, actual_starts_at, created_by, created_at, updated_at)
      values (${accountId}, ${workspaceId}, ${employee.id}, '2026-01-31T22:59:59Z', '2026-02-01T08:00:00Z', now(), 'x', now(), now())`;
    await expect(insert.execute(db)).rejects.toMatchObject({ code: 'PC001' });
  });
});

describe('absences that are measured again', () => {
  const secondsOf = async ({ db, accountId }: World, absenceId: string) =>
    (
      await db
        .selectFrom('absence_days')
        .select(['date', 'seconds'])
        .where('account_id', '=', accountId)
        .where('absence_id', '=', Number(absenceId))
        .orderBy('date')
        .execute()
    ).map(({ date, seconds }) => `${date} ${seconds / 3600}`);

  it('keep their closed dates and their decision', async () => {
    const world = await closedJanuary();
    const { admin, vacation } = world;
    await asked(world, 'updateWorkspace', {
      body: bodyOf('workspace', { holiday_region: null, reset_confirmed_absences: true }),
    });
    await setTarget(world, { start_date: '2026-02-01', is_mon: true, mon: 4, reset_confirmed_absences: true });
    await (await service()).jobs.drain();
    const { body } = await admin.call('getAbsence', at(vacation));
    expect(body.data.attributes.confirmation_status).toBe('confirmed');
    expect(await secondsOf(world, vacation)).toEqual([
      '2026-01-29 8',
      '2026-01-30 8',
      '2026-01-31 0',
      '2026-02-01 0',
      '2026-02-02 8',
    ]);
  });
});
