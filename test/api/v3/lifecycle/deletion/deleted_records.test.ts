import { describe, expect, it } from 'vitest';
import { request } from '../../../../support/absences.ts';
import { list, namesOf } from '../../../../support/time_tracking_lists.ts';
import { record } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const notificationsOf = async (person: Person) =>
  (await person.call('listNotifications')).body.data.map(
    ({ attributes, relationships }: { attributes: Record<string, string>; relationships: object }) => ({
      title: attributes['title'],
      message: attributes['message'],
      relationships,
    }),
  ) as { title: string; message: string; relationships: { entity: { data: unknown } } }[];

async function followed() {
  const world = await newWorld();
  const colleague = await world.addMember('employee', 'colleague');
  const { id } = await record(world.admin, { external_id: 'followed' }, { user: world.employee.id });
  await world.admin.call('createTimeTrackingFollowers', {
    params: { time_tracking_id: id },
    body: bodyOf('follower', { follower_ids: [colleague.id, world.admin.id] }),
  });
  return { ...world, colleague, id };
}

describe('the followers of a record that is deleted', () => {
  it('are notified of a time tracking, except the actor', async () => {
    const { admin, employee, colleague, id } = await followed();
    expect((await admin.call('deleteTimeTracking', { params: { time_tracking_id: id } })).status).toBe(200);
    const [notification, ...others] = await notificationsOf(colleague);
    expect(others).toEqual([]);
    expect(notification).toMatchObject({
      title: 'A time tracking you follow was deleted',
      message: expect.stringMatching(/^admin deleted the time tracking 2026-01-05T\S+ – 2026-01-05T\S+\.$/) as string,
      relationships: { entity: { data: null } },
    });
    expect(await notificationsOf(admin)).toEqual([]);
    expect(await notificationsOf(employee)).toMatchObject([{ title: 'Your time tracking was deleted' }]);
  });

  it('are notified of an absence', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { body } = await request(world, admin, { follower_ids: [employee.id] });
    const id = body.data.id as string;
    expect((await admin.call('deleteAbsence', { params: { absence_id: id } })).status).toBe(200);
    const told = await notificationsOf(employee);
    expect(told.map(({ title }) => title)).toContain('An absence you follow was deleted');
  });
});

describe('the totals of a list', () => {
  it('are of what is listed: with those one follows, and of oneself by filter', async () => {
    const { colleague } = await followed();
    await record(colleague, { external_id: 'own', ends_at: '2026-01-05T09:00:00Z' });
    const all = await list(colleague, 'sort=external_id');
    expect([namesOf(all), all.meta['total_gross_time']]).toEqual([['followed', 'own'], 3]);
    const own = await list(colleague, `filter[user_id]=${colleague.id}`);
    expect([namesOf(own), own.meta['total_gross_time']]).toEqual([['own'], 1]);
  });
});
