import { describe, expect, it } from 'vitest';
import { typeOf } from '../../support/absences.ts';
import { pointersIn } from '../../support/client.ts';
import { record, trackingBody } from '../../support/time_trackings.ts';
import { bodyOf, newWorld } from '../../support/world.ts';

/* What clients of this family rely on, beside what the two original documents say. */

describe('getCurrentUser', () => {
  it('200 with the pin of those who administer a workspace, and with the workspaces that they administer', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    for (const [person, isAdmin] of [
      [areaAdmin, true],
      [world.employee, false],
    ] as const) {
      const { body } = await person.call('getCurrentUser', { query: { include: 'workspaces' } });
      const { admin_pin, identifier_pin } = body.data.attributes;
      expect(admin_pin).toBe(isAdmin ? identifier_pin : null);
      expect(body.included).toMatchObject([{ type: 'workspace', attributes: { is_admin: isAdmin } }]);
    }
    const here = await areaAdmin.call('getCurrentWorkspaceUser', { query: { include: 'workspaces' } });
    expect(here.body.data.attributes).not.toHaveProperty('admin_pin');
    expect(here.body.included[0].attributes).not.toHaveProperty('is_admin');
  });
});

describe('listUsers', () => {
  it('200 includes the account although the users of a workspace do not name it', async () => {
    const { admin, accountId } = await newWorld();
    const { body } = await admin.call('listUsers', {
      query: { include: 'account', 'filter[username]': 'eq:employee' },
    });
    expect(body.data[0].relationships.account.data).toBeNull();
    expect(body.included).toMatchObject([{ type: 'account', id: String(accountId) }]);
  });

  it('200 filtered by absence types that users may use: any of them, or all of them', async () => {
    const world = await newWorld();
    const [vacation, sickness] = [await typeOf(world, 'vacation'), await typeOf(world, 'sickness')];
    await world.db
      .deleteFrom('user_absence_types')
      .where('user_id', '=', world.employee.id)
      .where('absence_type_id', '=', sickness)
      .execute();
    const ids = async (filter: string, ...types: (number | string)[]): Promise<number[]> => {
      const query = types.map((id) => `filter[${filter}][]=${id}`).join('&');
      const { status, body } = await world.admin.call('listUsers', { query });
      expect(status).toBe(200);
      return body.data.map(({ id }: { id: string }) => Number(id)).sort((a: number, b: number) => a - b);
    };
    const both = [world.admin.id, world.employee.id].sort((a, b) => a - b);
    expect(await ids('absence_types_id_in', vacation, sickness)).toEqual(both);
    expect(await ids('intersecting_absence_types', vacation, sickness)).toEqual([world.admin.id]);
    expect(await ids('intersecting_absence_types', vacation, vacation)).toEqual(both);
    for (const filter of ['absence_types_id_in', 'intersecting_absence_types'])
      expect(await ids(filter, 4711)).toEqual([]);
    expect(await ids('intersecting_absence_types', vacation, 4711)).toEqual([]);
  });
});

describe('createTimeTrackingFollowers', () => {
  it('200 with ids in place of follower_ids, 400 without both', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(admin);
    const follow = (attributes: object) =>
      admin.call('createTimeTrackingFollowers', {
        params: { time_tracking_id: id },
        body: bodyOf('follower', attributes),
      });
    const { status, body } = await follow({ ids: [employee.id] });
    expect(Math.floor(status / 100)).toBe(2);
    expect(body.data.relationships.followers.data).toMatchObject([{ id: String(employee.id) }]);
    const neither = await follow({});
    expect(neither.status).toBe(400);
    expect(pointersIn(neither)).toEqual(['follower_ids']);
  });
});

describe('getAbsencesCalculation', () => {
  it('200 with nothing where no times are sent, 400 with one of them', async () => {
    const { employee } = await newWorld();
    const { status, body } = await employee.call('getAbsencesCalculation');
    expect(status).toBe(200);
    expect(body).toMatchObject({ hours: null, days: null });
    for (const [name, missing] of [
      ['starts_at', 'ends_at'],
      ['ends_at', 'starts_at'],
    ] as const) {
      const response = await employee.call('getAbsencesCalculation', { query: { [name]: '2026-07-06T08:00:00Z' } });
      expect(response.status).toBe(400);
      expect(pointersIn(response)).toEqual([missing]);
    }
  });
});

describe('createTimeTracking', () => {
  it('201 with a relationship whose id is blank, which counts as not given', async () => {
    const { employee } = await newWorld();
    const { status, body } = await employee.call('createTimeTracking', { body: trackingBody({}, { area: '' }) });
    expect(status).toBe(201);
    expect(body.data.relationships.area?.data ?? null).toBeNull();
  });
});

describe('listBreaks', () => {
  it('403 for the time tracking of another employee', async () => {
    const world = await newWorld();
    const { id } = await record(world.employee);
    const colleague = await world.addMember('employee', 'colleague');
    expect((await colleague.call('listBreaks', { params: { time_tracking_id: id } })).status).toBe(403);
  });
});
