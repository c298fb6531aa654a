import { describe, expect, it } from 'vitest';
import { recorded } from '../../../../support/events/recorded.ts';
import { at, punch } from '../../../../support/punches.ts';
import { tagTitled } from '../../../../support/time_trackings.ts';
import { newWorld } from '../../../../support/world.ts';

const utc = (time: string) => new Date(at(time)).toISOString();

describe('events about punches', () => {
  it('one for each punch, with what it changes', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const tag = Number(await tagTitled(world, 'Fair'));
    const user_id = employee.id;
    const taggings_attributes = [{ tag_id: tag }];
    const started = await punch(admin, 'start', { user_id, action_time: at('08:00:00'), taggings_attributes });
    await punch(employee, 'start-break', { action_time: at('09:00:00') });
    await punch(employee, 'end-break', { action_time: at('09:30:00') });
    await punch(employee, 'end', { action_time: at('10:00:00') });
    expect((await punch(employee, 'end')).status).toBe(400);
    const events = await recorded(world, 'time_tracking');
    expect(events.map(({ name, actor_id }) => ({ name, actor_id }))).toEqual([
      { name: 'time_tracking.created', actor_id: String(admin.id) },
      { name: 'time_tracking.updated', actor_id: String(employee.id) },
      { name: 'time_tracking.updated', actor_id: String(employee.id) },
      { name: 'time_tracking.updated', actor_id: String(employee.id) },
    ]);
    expect(events[0]).toMatchObject({
      user_id,
      workspace_id: world.workspaceId,
      actor_type: 'user',
      request_id: started.headers['x-request-id'],
      changes: { starts_at: [null, utc('08:00:00')], tag_ids: [null, [tag]], created_by: [null, 'actions'] },
    });
    const [open, ended] = [null, utc('09:30:00')].map((ends_at) => ({ starts_at: utc('09:00:00'), ends_at }));
    expect(events.slice(1).map(({ changes }) => changes)).toEqual([
      { breaks: [[], [open]] },
      { breaks: [[open], [ended]] },
      { ends_at: [null, utc('10:00:00')] },
    ]);
    const tracking = await world.db
      .selectFrom('time_trackings')
      .select(['id', 'uuid'])
      .where('account_id', '=', world.accountId)
      .executeTakeFirstOrThrow();
    const named = { record_id: String(tracking.id), record_uuid: tracking.uuid };
    expect(events).toMatchObject(events.map(() => named));
  });

  it('have their own actors and requests where punches arrive together', async () => {
    const world = await newWorld();
    const people = [world.admin, world.employee, await world.addMember('employee'), await world.addMember('employee')];
    const answers = await Promise.all(people.map((person) => punch(person, 'start')));
    const events = await recorded(world, 'time_tracking');
    const shown = events.map(({ user_id, actor_id, request_id }) => ({ user_id, actor_id, request_id }));
    expect(shown).toHaveLength(people.length);
    for (const [index, { id }] of people.entries())
      expect(shown).toContainEqual({
        user_id: id,
        actor_id: String(id),
        request_id: answers[index]!.headers['x-request-id'],
      });
  });

  it('are by the api_token in the public API', async () => {
    const world = await newWorld();
    await world.enterprise('createPublicAction', {
      body: {
        working_session_action: {
          location_id: world.workspaceId,
          user_id: world.employee.id,
          action_type: 'start',
          action_time: at('08:00:00'),
        },
      },
    });
    expect(await recorded(world, 'time_tracking')).toMatchObject([
      { name: 'time_tracking.created', actor_type: 'api_token', user_id: world.employee.id },
    ]);
  });
});
