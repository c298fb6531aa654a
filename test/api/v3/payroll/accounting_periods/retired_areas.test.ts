import { describe, expect, it } from 'vitest';
import { areaWith, record } from '../../../../support/time_trackings.ts';
import { newWorld } from '../../../../support/world.ts';
import { asked } from '../../time_account/support.ts';
import { closed, reopen } from './support.ts';

async function worldWithArea() {
  const world = await newWorld();
  const { admin, employee } = world;
  const area = await areaWith(world, 'Kitchen', [employee]);
  const work = async (day: string) => {
    const times = { starts_at: `${day}T08:00:00+01:00`, ends_at: `${day}T12:00:00+01:00` };
    return (await record(admin, { ...times, confirmed: true }, { user: employee.id, area })).id;
  };
  const areaOf = async (time_tracking_id: string) =>
    (await asked(world, 'getTimeTracking', { params: { time_tracking_id } })).data.relationships.area?.data.id;
  return { ...world, area, early: await work('2026-01-05'), late: await work('2026-02-03'), areaOf };
}

describe('an area with work in a closed month', () => {
  it('is made inactive when it is deleted: closed work keeps it, open work loses it', async () => {
    const world = await worldWithArea();
    const { admin, area, early, late, areaOf } = world;
    const period = await closed(world, '2026-01');
    const { status, body } = await admin.call('deleteArea', { params: { area_id: area } });
    expect([status, body.data?.attributes.status]).toEqual([200, 'inactive']);
    expect([await areaOf(early), await areaOf(late)]).toEqual([area, undefined]);
    expect((await admin.call('getArea', { params: { area_id: area } })).status).toBe(404);

    const events = await asked(world, 'listEvents', { query: 'filter[name]=eq:time_tracking.updated' });
    expect(events.data.map(({ attributes }: { attributes: { record_id: string } }) => attributes.record_id)).toEqual([
      late,
    ]);
    const query = 'include=area';
    const shown = await asked(world, 'getTimeTracking', { params: { time_tracking_id: early }, query });
    expect(shown.included).toMatchObject([{ type: 'area', id: area, attributes: { status: 'inactive' } }]);
    await reopen(admin, period);
    expect(await areaOf(early)).toBe(area);
  });

  it('can be deleted in the public API too', async () => {
    const world = await worldWithArea();
    await closed(world, '2026-01');
    const named = { id: Number(world.area), location_id: world.workspaceId };
    const { status, body } = await world.enterprise('deleteWorkingArea', { body: named });
    expect([status, body]).toEqual([200, body]);
    expect([await world.areaOf(world.early), await world.areaOf(world.late)]).toEqual([world.area, undefined]);
  });

  it('can be deleted while the month is being closed', async () => {
    const world = await worldWithArea();
    const { admin, area, early, late, areaOf } = world;
    const [, deletion] = await Promise.all([
      closed(world, '2026-01'),
      admin.call('deleteArea', { params: { area_id: area } }),
    ]);
    expect(deletion.status).toBe(200);
    expect([undefined, area]).toContain(await areaOf(early));
    expect(await areaOf(late)).toBeUndefined();
  });
});
