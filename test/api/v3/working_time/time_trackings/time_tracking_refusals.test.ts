import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { areaWith, record, tagTitled, trackingBody } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

const idle = new Date(Date.now() - 60_000).toISOString();

const allow = async ({ admin }: World, settings: object) =>
  expect((await admin.call('updateWorkspace', { body: bodyOf('workspace', settings) })).status).toBe(200);

const countOf = async ({ db, accountId }: World): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('time_trackings')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    ).n,
  );

describe('createTimeTracking', () => {
  it('400 names everything that the contract forbids at once', async () => {
    const world = await newWorld();
    const response = await world.admin.call('createTimeTracking', {
      body: {
        data: {
          type: 'time_trackings',
          attributes: {
            starts_at: '2026-01-05T08:00:00',
            ends_at: '2026-02-30T08:00:00Z',
            break_duration: -1,
            default_break_duration: 2_147_483_648,
            confirmed: 'yes',
            external_id: 'x'.repeat(256),
            breaks_attributes: [{ starts_at: 'soon' }],
          },
          relationships: { user: { data: { type: 'person', id: 1 } } },
        },
      },
    });
    expect(response.status).toBe(400);
    expect([...new Set(pointersIn(response))].sort()).toEqual(
      ['break_duration', 'breaks_attributes/0/ends_at', 'breaks_attributes/0/starts_at', 'confirmed', 'default_break_duration', 'ends_at', 'external_id', 'starts_at', 'type', 'user/data/type'], // prettier-ignore
    );
    expect(await countOf(world)).toBe(0);
  });

  it('400 names everything that the data forbids at once, and writes nothing', async () => {
    const world = await newWorld();
    const other = await newWorld();
    const inactive = await tagTitled(world, 'Old', { active: false });
    await record(world.admin, { external_id: 'taken' });
    const response = await world.admin.call('createTimeTracking', {
      body: trackingBody(
        {
          ends_at: '2026-01-05T07:00:00Z',
          external_id: 'taken',
          company_id: other.workspaceId,
          breaks_attributes: [{ starts_at: '2026-01-05T08:10:00Z', ends_at: '2026-01-05T08:10:00Z' }],
        },
        { user: other.employee.id, area: '22_22', tags: [inactive, 999_999] },
      ),
    });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual([
      'area',
      'breaks_attributes/0/ends_at',
      'company_id',
      'ends_at',
      'external_id',
      'tags',
      'tags',
      'user',
    ]);
    expect(titlesIn(response)).toContain(
      'ends_at must be after starts_at, 2026-01-05T09:00:00+01:00, but was 2026-01-05T08:00:00+01:00.',
    );
    expect(titlesIn(response)).toContain('area names "22_22", which is no active area of this workspace.');
    expect(titlesIn(response)).toContain(`user names ${other.employee.id}, which is no user of this workspace.`);
    expect(await countOf(world)).toBe(1);
  });

  it('400 for more than 366 days, for a break given by hand that is longer, and for a blank start', async () => {
    const { admin } = await newWorld();
    const pointers = async (attributes: object) =>
      pointersIn(await admin.call('createTimeTracking', { body: trackingBody(attributes) }));
    expect(await pointers({ ends_at: '2027-01-06T08:00:01Z' })).toEqual(['ends_at']);
    expect(await pointers({ force_custom_break_duration: true, break_duration: 7201 })).toEqual(['break_duration']);
    expect(await pointers({ starts_at: '' })).toEqual(['starts_at']);
    expect(await pointers({ external_id: 'a\0b' })).toEqual(['external_id']);
  });

  it('400 while another one runs, saying since when', async () => {
    const { employee, admin } = await newWorld();
    await record(employee, { starts_at: '2026-01-05T08:00:00Z', ends_at: null });
    const response = await employee.call('createTimeTracking', { body: trackingBody({ ends_at: null }) });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['ends_at']);
    expect(titlesIn(response)[0]).toContain('already running since 2026-01-05T09:00:00+01:00');
    await record(employee);
    await record(admin, { ends_at: null });
  });

  it('400 confirmed while running', async () => {
    const { admin } = await newWorld();
    const response = await admin.call('createTimeTracking', { body: trackingBody({ ends_at: null, confirmed: true }) });
    expect([response.status, pointersIn(response)]).toEqual([400, ['confirmed']]);
  });

  it('one of many concurrent requests starts', async () => {
    const { employee } = await newWorld();
    const body = trackingBody({ starts_at: idle, ends_at: null });
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => employee.call('createTimeTracking', { body })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(400)]);
  });

  it('403 for an employee who names somebody else, or a tag that they may not give', async () => {
    const world = await newWorld();
    const tag = await tagTitled(world, 'Night');
    const forSomebodyElse = await world.employee.call('createTimeTracking', {
      body: trackingBody({}, { user: world.admin.id }),
    });
    const tagged = await world.employee.call('createTimeTracking', { body: trackingBody({}, { tags: [tag] }) });
    expect([forSomebodyElse.status, tagged.status]).toEqual([403, 403]);
    await allow(world, { allow_employees_tag_working_sessions: true });
    await record(world.employee, {}, { tags: [tag] });
  });

  it('403 for an area admin who names somebody outside their areas', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await areaWith(world, 'Bar', [areaAdmin]);
    expect(
      (await areaAdmin.call('createTimeTracking', { body: trackingBody({}, { user: world.employee.id }) })).status,
    ).toBe(403);
    await areaWith(world, 'Kitchen', [areaAdmin, world.employee]);
    await record(areaAdmin, {}, { user: world.employee.id });
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await stranger.call('createTimeTracking', { body: trackingBody() })).status).toBe(404);
  });
});
