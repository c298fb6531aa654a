import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { absent, entitle, entitlement, lastYear, of, year2026 } from './support.ts';

const year = new Date().getUTCFullYear();

const rowsOf = async ({ db, accountId }: World) =>
  db.selectFrom('vacation_entitlements').selectAll().where('account_id', '=', accountId).orderBy('id').execute();

describe('createUserVacationEntitlement', () => {
  it('201 with every attribute', async () => {
    const { admin, employee } = await newWorld();
    const response = await admin.call('createUserVacationEntitlement', {
      ...of(employee, undefined, entitlement({ ...lastYear, planned_days: 28.5 })),
      query: { permissions: 'true' },
    });
    expect(response.status).toBe(201);
    expect(response.body.data).toEqual({
      id: expect.stringMatching(/^\d+$/),
      type: 'vacation_entitlement',
      attributes: {
        permissions: { read: true, update: true, destroy: true },
        ...{ ...lastYear, planned_days: 28.5 },
        ...{ spent_days: 0, transferred_days: 0, remaining_days: expect.any(Number), status: 'active' },
        ...{ created_at: expect.stringMatching(/Z$/), updated_at: expect.stringMatching(/Z$/) },
      },
      relationships: { user: { data: { type: 'user_overview', id: String(employee.id) } } },
    });
  });

  it('201 for this year, without transfer, by default', async () => {
    const { admin, employee } = await newWorld();
    const given = entitlement({ title: 'Vacation', planned_days: 28, starts_at: '', end_of_transfer_period: null });
    const { body } = await admin.call('createUserVacationEntitlement', of(employee, undefined, given));
    expect(body.data.attributes).toMatchObject({
      ...{ starts_at: `${year}-01-01`, ends_at: `${year}-12-31`, planned_days: 28, remaining_days: 28 },
      ...{ expires: false, transfer_remaining: false, end_of_transfer_period: null },
    });
  });

  it('400 with all problems, and nothing written', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const attempt = async (attributes: object) => {
      const response = await admin.call(
        'createUserVacationEntitlement',
        of(employee, undefined, entitlement(attributes)),
      );
      return [response.status, pointersIn(response).sort()];
    };
    expect(await attempt({ transfer_remaining: true, planned_days: -1, starts_at: '2026-02-30' })).toEqual([
      400,
      ['end_of_transfer_period', 'planned_days', 'starts_at', 'title'],
    ]);
    expect(await attempt({ ...year2026, planned_days: 367, title: 'x'.repeat(256) })).toEqual([
      400,
      ['planned_days', 'title'],
    ]);
    const wrongOrder = { ends_at: '2025-12-31', end_of_transfer_period: '2025-12-31' };
    expect(await attempt({ ...year2026, ...wrongOrder })).toEqual([400, ['end_of_transfer_period', 'ends_at']]);
    expect(await rowsOf(world)).toEqual([]);
  });
});

describe('listUserVacationEntitlements', () => {
  it('200 sorted by first day, filtered and paged', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    for (const y of [2027, 2025, 2026])
      await entitle(world, employee, { title: `Vacation ${y}`, starts_at: `${y}-01-01`, ends_at: `${y}-12-31` });
    await entitle(world, admin);
    const titles = async (query: string) => {
      const { status, body } = await admin.call('listUserVacationEntitlements', { ...of(employee), query });
      expect(status).toBe(200);
      return [
        body.meta.total_count,
        ...body.data.map((row: { attributes: { title: string } }) => row.attributes.title),
      ];
    };
    expect(await titles('')).toEqual([3, 'Vacation 2025', 'Vacation 2026', 'Vacation 2027']);
    expect(await titles('sort=-ends_at&items=1')).toEqual([3, 'Vacation 2027']);
    expect(await titles('filter[starts_at]=lte:2026-12-31&filter[ends_at]=gte:2026-01-01')).toEqual([
      1,
      'Vacation 2026',
    ]);
  });

  it('400 for an invalid page', async () => {
    const { employee } = await newWorld();
    const response = await employee.call('listUserVacationEntitlements', { ...of(employee), query: 'page=0' });
    expect([response.status, pointersIn(response)]).toEqual([400, ['page']]);
  });
});

describe('updateUserVacationEntitlement', () => {
  it('200 changes what is sent, and spends anew', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await entitle(world, employee, { planned_days: 3 });
    await absent(world, employee, ['2026-05-04', '2026-05-08']);
    const change = entitlement({ planned_days: 20.5, title: 'More' });
    const { status, body } = await admin.call('updateUserVacationEntitlement', of(employee, id, change));
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      ...{ ...year2026, title: 'More', planned_days: 20.5 },
      ...{ spent_days: 5, remaining_days: 15.5, expires: false },
    });
    const shown = await employee.call('getUserVacationEntitlement', of(employee, id));
    expect([shown.status, shown.body.data]).toEqual([200, body.data]);
  });

  it('400 with all problems of the result, and nothing written', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await entitle(world, employee, lastYear);
    const before = await rowsOf(world);
    const attempt = (attributes: object) =>
      admin.call('updateUserVacationEntitlement', of(employee, id, entitlement(attributes)));
    const cleared = await attempt({ title: 'New', end_of_transfer_period: null });
    expect([cleared.status, titlesIn(cleared)]).toEqual([
      400,
      ['end_of_transfer_period is required, because transfer_remaining is true.'],
    ]);
    expect(pointersIn(await attempt({ starts_at: '2026-01-01', end_of_transfer_period: '2025-06-01' })).sort()).toEqual(
      ['end_of_transfer_period', 'ends_at'],
    );
    expect(pointersIn(await attempt({ title: '', planned_days: null })).sort()).toEqual(['planned_days', 'title']);
    expect(await rowsOf(world)).toEqual(before);
    const without = await attempt({ transfer_remaining: false, end_of_transfer_period: null });
    expect(without.body.data.attributes).toMatchObject({ transfer_remaining: false, end_of_transfer_period: null });
  });
});

describe('deleteUserVacationEntitlement', () => {
  it('200 with the entitlement as it was, and 404 afterwards', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await entitle(world, employee);
    await absent(world, employee, ['2026-05-04', '2026-05-08']);
    const { status, body } = await admin.call('deleteUserVacationEntitlement', of(employee, id));
    expect([status, body.data.id, body.data.attributes.spent_days]).toEqual([200, id, 5]);
    for (const operation of ['getUserVacationEntitlement', 'deleteUserVacationEntitlement'])
      expect((await admin.call(operation, of(employee, id))).status).toBe(404);
    expect(await rowsOf(world)).toEqual([]);
  });
});

describe('the rights to vacation entitlements', () => {
  const reads = (id: string) =>
    [
      ['listUserVacationEntitlements', undefined],
      ['getUserVacationEntitlement', id],
      ['getVacationSummary', undefined],
    ] as const;
  const writes = (id: string) =>
    [
      ['createUserVacationEntitlement', undefined, entitlement(year2026)],
      ['updateUserVacationEntitlement', id, entitlement({ planned_days: 300 })],
      ['deleteUserVacationEntitlement', id, {}],
    ] as const;

  it('let users and their admins read, and only workspace admins write', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [colleague, areaAdmin, otherAreaAdmin, workspaceAdmin] = [
      await world.addMember('employee', 'colleague'),
      await world.addMember('areaAdmin'),
      await world.addMember('areaAdmin', 'other'),
      await world.addMember('workspaceAdmin'),
    ];
    await insertArea(world, 'Bar', [employee.id, areaAdmin.id]);
    await insertArea(world, 'Kitchen', [otherAreaAdmin.id]);
    const id = await entitle(world, employee);
    for (const [operation, ref] of reads(id)) {
      for (const reader of [employee, areaAdmin, workspaceAdmin, admin])
        expect([operation, (await reader.call(operation, of(employee, ref))).status]).toEqual([operation, 200]);
      for (const other of [colleague, otherAreaAdmin])
        expect([operation, (await other.call(operation, of(employee, ref))).status]).toEqual([operation, 403]);
    }
    const before = await rowsOf(world);
    for (const [operation, ref, rest] of writes(id))
      for (const writer of [employee, areaAdmin, colleague])
        expect([operation, (await writer.call(operation, of(employee, ref, rest))).status]).toEqual([operation, 403]);
    expect(await rowsOf(world)).toEqual(before);
    for (const [operation, ref, rest] of writes(id))
      expect((await workspaceAdmin.call(operation, of(employee, ref, rest))).status).toBeLessThan(300);
    const { body } = await employee.call('listUserVacationEntitlements', {
      ...of(employee),
      query: { permissions: 'true' },
    });
    expect(body.data[0].attributes.permissions).toEqual({ read: true, update: false, destroy: false });
  });

  it('404 for a user or an entitlement of another account, user or workspace', async () => {
    const world = await newWorld();
    const { admin, employee, stranger } = world;
    const id = await entitle(world, employee);
    const foreign = await newWorld();
    const foreignId = await entitle(foreign, foreign.employee);
    const before = await rowsOf(foreign);
    for (const [operation, ref, rest] of [
      ...reads(foreignId).map((read) => [...read, {}] as const),
      ...writes(foreignId),
    ]) {
      expect([operation, (await admin.call(operation, of(foreign.employee, ref, rest))).status]).toEqual([
        operation,
        404,
      ]);
      expect([operation, (await stranger.call(operation, of(employee, ref, rest))).status]).toEqual([operation, 404]);
      if (ref === undefined) continue;
      expect([operation, (await admin.call(operation, of(employee, ref, rest))).status]).toEqual([operation, 404]);
      expect([operation, (await admin.call(operation, of(admin, id, rest))).status]).toEqual([operation, 404]);
      expect([operation, (await admin.call(operation, of(employee, 'abc', rest))).status]).toEqual([operation, 404]);
    }
    expect(await rowsOf(foreign)).toEqual(before);
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    const elsewhere = { workspace_id: body.data.id, user_id: employee.id };
    expect((await admin.call('getVacationSummary', { params: elsewhere })).status).toBe(404);
  });
});
