import { describe, expect, it } from 'vitest';
import { addFollowers } from '../../src/followers/followers.ts';
import { notify, notifyFollowers } from '../../src/notifications/notifications.ts';
import type { Warning } from '../../src/working_time_rules/rules.ts';
import { inboxOf, judgeOne, kindsIn, now, tooLong, warn } from '../support/notifications.ts';
import { actorOf, insertAbsence, insertTimeTracking } from '../support/records.ts';
import { newWorld } from '../support/world.ts';

const tooShortBreak: Warning = { rule: 'short_breaks', title: 'Too short a break', message: 'Erin had no break.' };

describe('setWarnings', () => {
  it('raises new ones, keeps standing ones with their age, and withdraws the rest', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await insertTimeTracking(world, employee.id);
    const judge = (warnings: Warning[], at: string) =>
      judgeOne(world, { id, user_id: employee.id }, warnings, new Date(at));
    await judge([tooLong], '2026-03-02T10:00:00Z');
    const [before] = await inboxOf(admin);
    await judge([tooLong, tooShortBreak], '2026-03-02T11:00:00Z');
    const both = await inboxOf(admin);
    expect(both[0]).toEqual(before);
    expect(both[1]!.attributes.title).toBe(tooShortBreak.title);
    await judge([{ ...tooShortBreak, message: 'Erin had 5 minutes.' }], '2026-03-02T12:00:00Z');
    expect(await inboxOf(admin)).toMatchObject([
      {
        id: both[1]!.id,
        attributes: {
          message: 'Erin had 5 minutes.',
          created_at: '2026-03-02T12:00:00+01:00',
          updated_at: '2026-03-02T13:00:00+01:00',
        },
      },
    ]);
    await judge([], '2026-03-02T13:00:00Z');
    expect(await inboxOf(admin)).toEqual([]);
  });

  it('leaves other trackings and their followers’ news alone', async () => {
    const world = await newWorld();
    await warn(world, world.employee.id);
    const id = await insertTimeTracking(world, world.employee.id);
    const news = { user_id: world.admin.id, title: 'Changed', message: 'It changed.', owner: { time_tracking_id: id } };
    await notify(world.db, world.accountId, world.workspaceId, news, now);
    await judgeOne(world, { id, user_id: world.employee.id }, []);
    expect(await kindsIn(world.admin)).toEqual(['trigger_warning', 'notification']);
  });
});

describe('notifyFollowers', () => {
  it('tells every follower but the one who acts', async () => {
    const world = await newWorld();
    const { db, admin, employee } = world;
    const actor = await actorOf(world, admin);
    for (const owner of [
      { time_tracking_id: await insertTimeTracking(world, employee.id) },
      { absence_id: await insertAbsence(world, employee.id) },
    ]) {
      await addFollowers(db, actor, [owner], [admin.id, employee.id]);
      await notifyFollowers(db, actor, 'A record changed', [{ owner, message: 'It did.' }], now);
    }
    expect(await inboxOf(employee)).toMatchObject([
      { relationships: { entity: { data: { type: 'time_tracking' } } } },
      { relationships: { entity: { data: { type: 'absence' } } } },
    ]);
    expect(await inboxOf(admin)).toEqual([]);
  });
});
