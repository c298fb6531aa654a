import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { tracked, unknownUuid } from '../../../../support/time_trackings.ts';
import { bodyOf, type Person } from '../../../../support/world.ts';

describe('the followers of a time tracking', () => {
  const follow = (person: Person, id: string, ids: readonly unknown[]) =>
    person.call('createTimeTrackingFollowers', {
      params: { time_tracking_id: id },
      body: bodyOf('follower', { follower_ids: ids }),
    });

  it('createTimeTrackingFollowers: 200 adds them, once, and shows the tracking', async () => {
    const { admin, employee, colleague, id } = await tracked();
    const { status, body } = await follow(admin, id, [colleague.id, String(colleague.id)]);
    expect(status).toBe(200);
    expect(body.data.relationships.followers.data).toEqual([{ type: 'user_overview', id: String(colleague.id) }]);
    expect((await follow(admin, id, [employee.id])).body.data.relationships.followers.data).toHaveLength(2);
  });

  it('createTimeTrackingFollowers: 400 for those who are not of the workspace, 403 for its owner, 404 for an unknown one', async () => {
    const { admin, employee, stranger, id } = await tracked();
    const response = await follow(admin, id, [stranger.id, 'abc']);
    expect([response.status, titlesIn(response)]).toEqual([
      400,
      [`follower_ids names "abc", ${stranger.id}, which is no user of this workspace.`],
    ]);
    expect(pointersIn(await follow(admin, id, []))).toEqual(['follower_ids']);
    expect((await follow(employee, id, [employee.id])).status).toBe(403);
    expect((await follow(admin, unknownUuid, [employee.id])).status).toBe(404);
  });

  it('listTimeTrackingFollowers: 200 as type user by name, private facts blanked for those who may not read them', async () => {
    const { world, admin, employee, colleague, id, params } = await tracked();
    const anna = await world.addMember('employee', 'Anna');
    await follow(admin, id, [colleague.id, anna.id]);
    const list = async (person: Person, query = '') =>
      (await person.call('listTimeTrackingFollowers', { params, query })).body;
    const names = (body: { data: { attributes: { username: string } }[] }) =>
      body.data.map(({ attributes }) => attributes.username);
    const seen = await list(employee);
    expect(names(seen)).toEqual(['Anna', 'colleague']);
    expect(seen.data[0]).toMatchObject({
      type: 'user',
      attributes: { salary: 0, birthday: null, tablet_pin: null, identifier_pin: '' },
    });
    expect((await list(admin)).data[0].attributes.identifier_pin).not.toBe('');
    expect(names(await list(employee, 'filter[username]=pre:a'))).toEqual(['Anna']);
    // Filters and sorts cannot read blank attributes either.
    expect(names(await list(employee, 'filter[identifier_pin]=eq:none&filter[salary]=gt:5&sort=-birthday'))).toEqual([
      'Anna',
      'colleague',
    ]);
    expect((await list(admin, 'include=workspaces')).included).toHaveLength(1);
    expect((await list(employee, 'include=workspaces')).included).toEqual([]);
  });

  it('listTimeTrackingFollowers: 400 for an invalid page, 403 for a colleague, 404 for an unknown one', async () => {
    const { admin, colleague, params } = await tracked();
    expect(pointersIn(await admin.call('listTimeTrackingFollowers', { params, query: 'page=x' }))).toEqual(['page']);
    expect((await colleague.call('listTimeTrackingFollowers', { params })).status).toBe(403);
    expect((await admin.call('listTimeTrackingFollowers', { params: { time_tracking_id: 'abc' } })).status).toBe(404);
  });

  it('deleteTimeTrackingFollower: 200 shows the tracking, then 404', async () => {
    const { admin, colleague, id, params } = await tracked();
    await follow(admin, id, [colleague.id]);
    const path = { ...params, follower_id: colleague.id };
    const { status, body } = await admin.call('deleteTimeTrackingFollower', { params: path });
    expect([status, body.data.id, body.data.relationships.followers.data]).toEqual([200, id, []]);
    expect((await admin.call('deleteTimeTrackingFollower', { params: path })).status).toBe(404);
    expect((await admin.call('deleteTimeTrackingFollower', { params: { ...params, follower_id: 'abc' } })).status).toBe(
      404,
    );
  });

  it('deleteTimeTrackingFollower: 403 for its owner', async () => {
    const { admin, employee, colleague, id, params } = await tracked();
    await follow(admin, id, [colleague.id]);
    expect(
      (await employee.call('deleteTimeTrackingFollower', { params: { ...params, follower_id: colleague.id } })).status,
    ).toBe(403);
  });

  it('a deleted user no longer follows', async () => {
    const { admin, colleague, id, params } = await tracked();
    await follow(admin, id, [colleague.id]);
    await admin.call('deleteUser', { params: { user_id: colleague.id } });
    expect((await admin.call('getTimeTracking', { params })).body.data.relationships.followers.data).toEqual([]);
  });
});
