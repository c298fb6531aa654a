import { describe, expect, it } from 'vitest';
import { titlesIn } from '../../../../support/client.ts';
import { punch, at, trackingsOf } from '../../../../support/punches.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { violates } from '../../../../support/database/violations.ts';

const breaksOf = ({ db, accountId }: World, trackingId: number) =>
  db
    .selectFrom('breaks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('time_tracking_id', '=', trackingId)
    .orderBy('id')
    .execute();

describe('createAction', () => {
  it('50 concurrent starts leave one running tracking and 49 clear errors', async () => {
    const world = await newWorld();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => punch(world.employee, 'start', { action_time: at('08:00:00') })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(49);
    expect(new Set(refused.flatMap(titlesIn))).toEqual(
      new Set(['start does not fit: a time tracking is running since 2026-03-02T08:00:00+01:00. Punch end first.']),
    );
    expect(await trackingsOf(world, world.employee.id)).toHaveLength(1);
    expect((await world.employee.call('listActions')).body.meta.total_count).toBe(1);
  });

  it('many concurrent punches of every kind leave a consistent clock', async () => {
    const world = await newWorld();
    const types = Array.from({ length: 10 }, () => ['start', 'start-break', 'end-break', 'end']).flat();
    const answers = await Promise.all(types.map((type) => punch(world.employee, type)));
    expect(answers.every(({ status }) => status === 201 || status === 400)).toBe(true);
    const trackings = await trackingsOf(world, world.employee.id);
    const done = (type: string) =>
      answers.filter(({ status }, index) => status === 201 && types[index] === type).length;
    expect(trackings).toHaveLength(done('start'));
    expect(trackings.filter(({ ends_at }) => ends_at !== null)).toHaveLength(done('end'));
    const breaks = (await Promise.all(trackings.map(({ id }) => breaksOf(world, id)))).flat();
    expect(breaks).toHaveLength(done('start-break'));
  });

  it('the database allows one running tracking and one open break', async () => {
    const world = await newWorld();
    await punch(world.employee, 'start');
    await punch(world.employee, 'start-break');
    const [tracking] = await trackingsOf(world, world.employee.id);
    const again = world.db.insertInto('time_trackings').values({
      account_id: world.accountId,
      workspace_id: world.workspaceId,
      user_id: world.employee.id,
      starts_at: new Date(),
      actual_starts_at: new Date(),
      created_by: 'admin',
      created_at: new Date(),
      updated_at: new Date(),
    });
    await expect(again.execute()).rejects.toSatisfy((error) => violates(error, 'time_trackings_running'));
    const pause = world.db.insertInto('breaks').values({
      account_id: world.accountId,
      time_tracking_id: tracking!.id,
      starts_at: new Date(),
      created_by: 'admin',
      created_at: new Date(),
      updated_at: new Date(),
    });
    await expect(pause.execute()).rejects.toSatisfy((error) => violates(error, 'breaks_open'));
  });

  it('two workspaces have a clock each', async () => {
    const world = await newWorld();
    const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Second' }) });
    expect((await punch(world.admin, 'start')).status).toBe(201);
    const second = await world.admin.call('createAction', {
      params: { workspace_id: body.data.id },
      body: bodyOf('action', { action_type: 'start' }),
    });
    expect(second.status).toBe(201);
  });
});
