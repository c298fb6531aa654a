import { describe, expect, it } from 'vitest';
import { absenceOf, at } from '../../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { insertTimeTracking } from '../../../../support/records.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { asked, confirm, setEmployee, work } from '../../time_account/support.ts';
import { close, closed, twoMonths, worked } from './support.ts';

const inTwoHours = () => ({ starts_at: new Date(), ends_at: new Date(Date.now() + 7_200_000) });

describe('createAccountingPeriods', () => {
  it('201 keeps the summary of the month, with who closed it and when', async () => {
    const world = await twoMonths();
    const { admin, employee } = world;
    const summary = async () => {
      const range = { from: '2026-01-01', to: '2026-01-31', 'filter[user_id]': String(employee.id) };
      const { username, is_leaver, ...figures } = (await admin.call('listUserSummaries', { query: range })).body.data[0]
        .attributes;
      expect([username, is_leaver]).toEqual(['employee', false]);
      return figures;
    };
    const before = await summary();
    const { status, body } = await close(admin, '2026-01', { user_ids: [employee.id] });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        type: 'accounting_period',
        attributes: {
          permissions: null,
          month: '2026-01',
          status: 'closed',
          username: 'employee',
          summary: before,
          closed_at: expect.stringMatching(/\+0[12]:00$/),
          closed_by: 'admin',
          reopened_at: null,
          reopened_by: null,
          reopening_reason: null,
        },
        relationships: {
          user: { data: { type: 'user', id: String(employee.id) } },
          closer: { data: { type: 'user', id: String(admin.id) } },
          reopener: { data: null },
        },
      },
    ]);
    expect(before).toMatchObject({ net: 16.5, holiday_credit: 8, absence_credit: 16, adjustment: 2, night_23_to_6: 7 });
    expect(await summary()).toEqual(before);
  });

  it('201 closes the month of everybody whose accounting has begun, once', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const late = await world.addMember('employee', 'late');
    await asked(world, 'updateUser', {
      params: { user_id: late.id },
      body: bodyOf('user', { start_of_accounting: '2026-02-01' }),
    });
    const { status, body } = await close(admin, '2026-01', { all: true });
    expect([status, body.data.map((period: never) => period['relationships']['user']['data']['id'])]).toEqual([
      201,
      [String(employee.id)],
    ]);
    const again = await close(admin, '2026-01', { all: true });
    expect([again.status, titlesIn(again)]).toEqual([400, ['2026-01 is open for no user of this workspace.']]);
  });

  it('201 in a dry run shows what would be closed, closes nothing, and leaves no event', async () => {
    const world = await twoMonths();
    const { admin, employee } = world;
    const request = { user_ids: [employee.id] };
    const events = async () => (await admin.call('listEvents')).body.meta.total_count;
    const before = await events();
    const rehearsed = await close(admin, '2026-01', { ...request, dry_run: true });
    expect(rehearsed.status, JSON.stringify(rehearsed.body)).toBe(201);
    expect((await admin.call('listAccountingPeriods')).body.data).toEqual([]);
    expect(await events()).toBe(before);
    const { body } = await close(admin, '2026-01', request);
    const [would, did] = [rehearsed.body.data[0], body.data[0]];
    expect(would.attributes.summary).toEqual(did.attributes.summary);
    expect(would.attributes.status).toBe('closed');
  });

  it('201 closes the month of somebody who has left the workspace and has worked in it', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await worked(world, '2026-01-05T08:00:00+01:00', '2026-01-05T10:00:00+01:00');
    await asked(world, 'deleteUser', { params: { user_id: employee.id } });
    const { status, body } = await close(admin, '2026-01', { all: true });
    expect([status, body.data.length]).toEqual([201, 1]);
    expect((await admin.call('listAccountingPeriods')).body.data).toHaveLength(1);
  });

  it('400 in a dry run, with the same obstacles', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await insertTimeTracking(world, employee.id, {
      starts_at: new Date('2026-01-05T08:00:00Z'),
      ends_at: new Date('2026-01-05T16:00:00Z'),
    });
    const [rehearsed, real] = [
      await close(admin, '2026-01', { user_ids: [employee.id], dry_run: true }),
      await close(admin, '2026-01', { user_ids: [employee.id] }),
    ];
    expect([rehearsed.status, titlesIn(rehearsed)]).toEqual([400, titlesIn(real)]);
    expect(titlesIn(real)).toHaveLength(1);
  });

  it('400 names every obstacle, and closes nothing', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const other = await world.addMember('employee', 'other');
    const unconfirmed = await work(world, '2026-01-05T08:00:00+01:00', '2026-01-05T10:00:00+01:00');
    const times = { starts_at: '2026-01-31T00:00:00+01:00', ends_at: '2026-02-01T23:00:00+01:00', full_day: true };
    const pending = await absenceOf(world, employee, times);
    await insertTimeTracking(world, employee.id, { starts_at: new Date('2026-01-30T08:00:00Z'), ends_at: null });
    const refused = await close(admin, '2026-01', { user_ids: [employee.id, other.id] });
    expect([refused.status, pointersIn(refused), titlesIn(refused)]).toEqual([
      400,
      ['user_ids'],
      [
        '2026-01 of employee cannot be closed: running time trackings: 1, unconfirmed time trackings: 1, pending absences: 1.',
      ],
    ]);
    expect((await admin.call('listAccountingPeriods')).body.data).toEqual([]);
    await confirm(world, unconfirmed);
    // In the resource API this operation rejects.
    await asked(world, 'resetAbsence', at(pending));
    const running = await close(admin, '2026-01', { user_ids: [employee.id] });
    expect(titlesIn(running)).toEqual(['2026-01 of employee cannot be closed: running time trackings: 1.']);
  });

  it('400 for months out of order, before the start of accounting, and not over yet', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const titles = async (month: string) =>
      titlesIn(await close(admin, month, { user_ids: [employee.id] })).map((title) => title.split(': ')[1]);
    expect(await titles('2025-12')).toEqual(['accounting starts on 2026-01-01.']);
    expect(await titles('2099-01')).toEqual(['the month is not over in Europe/Berlin.']);
    await closed(world, '2026-01');
    expect(await titles('2026-01')).toEqual(['it is closed already.']);
    expect(await titles('2026-03')).toEqual(['months are closed in order, and 2026-02 comes first.']);
    await closed(world, '2026-02');
  });

  it('400 for work that is not settled before the first month that is closed', async () => {
    const world = await newWorld();
    await work(world, '2026-01-05T08:00:00+01:00', '2026-01-05T10:00:00+01:00');
    const refused = await close(world.admin, '2026-02', { user_ids: [world.employee.id] });
    expect(titlesIn(refused)).toEqual(['2026-02 of employee cannot be closed: unconfirmed time trackings: 1.']);
    expect(refused.body.errors[0].meta).toEqual({ user_id: String(world.employee.id) });
  });

  it('400 says at most twenty times why, and names every user', async () => {
    const world = await newWorld();
    const { db, accountId, workspaceId, admin } = world;
    const ids: number[] = [];
    for (let index = 0; index < 22; index += 1) ids.push((await world.addMember('employee', `user ${index}`)).id);
    for (const user_id of ids)
      await insertTimeTracking({ ...world, db, accountId, workspaceId }, user_id, {
        starts_at: new Date('2026-01-05T08:00:00Z'),
        ends_at: new Date('2026-01-05T09:00:00Z'),
      });
    const refused = await close(admin, '2026-01', { user_ids: ids });
    expect(titlesIn(refused)).toHaveLength(21);
    expect(titlesIn(refused).at(-1)).toBe('The month of 2 more users cannot be closed.');
    const { errors } = refused.body as { errors: { meta: { user_id?: string; user_ids?: string[] } }[] };
    expect(errors.flatMap(({ meta }) => meta.user_ids ?? [meta.user_id])).toEqual(ids.map(String));
  });

  it('400 for users of other workspaces, and without any', async () => {
    const { admin, stranger } = await newWorld();
    const unknown = await close(admin, '2026-01', { user_ids: [stranger.id, 'x'] });
    expect([unknown.status, pointersIn(unknown)]).toEqual([400, ['user_ids', 'user_ids']]);
    expect(unknown.body.errors.map(({ meta }: { meta: object }) => meta)).toEqual([
      { user_id: 'x' },
      { user_id: String(stranger.id) },
    ]);
    const missing = await close(admin, '2026-01', {});
    expect([missing.status, pointersIn(missing)]).toEqual([400, ['user_ids']]);
    const wrong = await close(admin, '2026-13', { all: true });
    expect([wrong.status, titlesIn(wrong)]).toEqual([
      400,
      ['month must be a month such as 2026-05, but was "2026-13".'],
    ]);
  });

  it('counts the end of the month in the zone of each user', async () => {
    const world = await newWorld();
    await setEmployee(world, { time_zone: 'America/New_York' });
    // In New York it is still January.
    await work(world, '2026-02-01T04:00:00Z', '2026-02-01T05:00:00Z');
    const refused = await close(world.admin, '2026-01', { user_ids: [world.employee.id] });
    expect(titlesIn(refused)).toEqual(['2026-01 of employee cannot be closed: unconfirmed time trackings: 1.']);
  });

  it('403 for employees and area admins', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    for (const person of [world.employee, areaAdmin])
      expect((await close(person, '2026-01', { user_ids: [world.employee.id] })).status).toBe(403);
    const workspaceAdmin = await world.addMember('workspaceAdmin');
    expect((await close(workspaceAdmin, '2026-01', { user_ids: [world.employee.id] })).status).toBe(201);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await close(stranger, '2026-01', { all: true })).status).toBe(404);
  });

  it('leaves open months free', async () => {
    const world = await newWorld();
    await closed(world, '2026-01');
    await work(world, '2026-02-02T08:00:00+01:00', '2026-02-02T10:00:00+01:00');
    await insertTimeTracking(world, world.employee.id, inTwoHours());
  });
});
