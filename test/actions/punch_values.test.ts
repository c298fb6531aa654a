import { describe, expect, it } from 'vitest';
import type { ActionType } from '../../src/actions/clock.ts';
import { acceptPunch, targetOf } from '../../src/actions/create.ts';
import { lockClocks } from '../../src/actions/locked_clocks.ts';
import { storePunches } from '../../src/actions/store_punches.ts';
import { pick } from '../../src/core/pick.ts';
import { drawIds } from '../../src/db/distribution/draw_ids.ts';
import { forAccount } from '../../src/db/transactions.ts';
import { assign, at, insertShift } from '../assignments/support.ts';
import { comparableRows, referencesIn, type Rows } from '../support/database/comparable_rows.ts';
import { employeeIn, trackingsOf } from '../support/punches.ts';
import { tagTitled } from '../support/time_trackings.ts';
import { newWorld, type World } from '../support/world.ts';

/** Stores a punch of the employee and one of the admin, some minutes after the start of the shift. Returns whose punch is left. */
const punchBoth = (
  world: World,
  type: ActionType,
  minutes: number,
  tagIds: readonly string[],
  { isDistributed, isOnWorker = false }: { isDistributed: boolean; isOnWorker?: boolean },
): Promise<number[]> =>
  forAccount(world.db, world.accountId, async (tx) => {
    const requests = [world.employee, world.admin].map(({ id }, index) => {
      const now = new Date(at('08:00').getTime() + minutes * 60_000 + index * 1000);
      const { workspace, ...actor } = employeeIn(world, id);
      const allowing = { ...workspace, allow_employees_tag_working_sessions: true };
      return {
        actor: { ...actor, workspace: allowing },
        input: { action_type: type, tag_ids: index ? [] : tagIds },
        now,
      };
    });
    const clocks = await lockClocks(tx, requests.map(targetOf));
    const punches = [];
    for (const request of requests) punches.push(await acceptPunch(tx, request, clocks.get(targetOf(request).userId)));
    const left = await storePunches(tx, punches, {
      isDistributed,
      drawIds: isOnWorker ? (counts) => drawIds(tx, counts) : undefined,
    });
    return left.map(({ member }) => member.id);
  });

/** The tables that punches write to. */
const written = [
  ...['actions', 'breaks', 'notes', 'notifications', 'taggings', 'time_tracking_tags', 'time_trackings'],
  'working_time_violations',
];

/** An event has ids as texts. */
const withoutIds = (event: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...event,
  id: 'id',
  actor_id: 'id',
  record_id: 'id',
  changes: String(event['changes']).replaceAll(/(?<=[[,"])\d+(?=[\],"])/g, 'id'),
});

/** Everything that a day with a shift, a tag, a break and a warning leaves behind. */
async function rowsOfDay(isDistributed: boolean, isTagged: boolean) {
  const world = await newWorld();
  await assign(world, await insertShift(world), [world.employee.id]);
  const tagIds = isTagged ? [await tagTitled(world, 'Night')] : [];
  const steps = [['start', -10], ['start-break', 100], ['end-break', 110], ['end', 700]] as const; // prettier-ignore
  for (const [type, minutes] of steps) await punchBoth(world, type, minutes, tagIds, { isDistributed });
  const rows = await comparableRows(world.db, world.accountId, await referencesIn(world.db));
  const events = rows['events']!.filter(({ record_type }) => record_type === 'time_tracking')
    .map(withoutIds)
    .sort((one, other) => Date.parse(String(one['at'])) - Date.parse(String(other['at'])));
  const trackings = rows['time_trackings']!.map((row) => ({ ...row, assignment_id: row['assignment_id'] !== null }));
  return { ...pick(rows, written), events, time_trackings: trackings } as Rows;
}

describe('punches where accounts are distributed over several servers', () => {
  it.each([true, false])('leave the same rows as on one server; with a tag: %s', async (isTagged) => {
    const [one, several] = [await rowsOfDay(false, isTagged), await rowsOfDay(true, isTagged)];
    expect(several).toEqual(one);
    expect(one['time_trackings']!.map(({ assignment_id }) => assignment_id).sort()).toEqual([false, true]);
    expect([one['actions'], one['breaks'], one['working_time_violations']].map((rows) => rows!.length)).toEqual([
      8, 2, 6,
    ]);
  });

  describe('on a worker, are left if they need ids that only the coordinator draws', () => {
    const onWorker = (world: World, type: ActionType, minutes: number, tagIds: readonly string[] = []) =>
      punchBoth(world, type, minutes, tagIds, { isDistributed: true, isOnWorker: true });
    const endsOf = async (world: World) =>
      Promise.all(
        [world.employee, world.admin].map(async ({ id }) =>
          (await trackingsOf(world, id)).map(({ ends_at }) => ends_at),
        ),
      );
    const idsIn = (table: 'notifications' | 'taggings' | 'working_time_violations', { db, accountId }: World) =>
      db.selectFrom(table).select('id').where('account_id', '=', accountId).execute();

    it('those of a tagging and of warnings', async () => {
      const world = await newWorld();
      expect(await onWorker(world, 'start', 0)).toEqual([]);
      const night = await tagTitled(world, 'Night');
      expect(await onWorker(world, 'start-break', 10, [night])).toEqual([world.employee.id]);
      // The other one has had a break since then.
      expect(await onWorker(world, 'end', 700)).toEqual([world.employee.id]);
      expect(await endsOf(world)).toEqual([[null], [new Date(at('19:40').getTime() + 1000)]]);
      expect([await idsIn('taggings', world), await idsIn('working_time_violations', world)]).toEqual([[], []]);
    });

    it('those of a notification', async () => {
      const world = await newWorld();
      await onWorker(world, 'start', 0);
      const [tracking] = await trackingsOf(world, world.employee.id);
      const follower = { account_id: world.accountId, time_tracking_id: tracking!.id, user_id: world.admin.id };
      await world.db.insertInto('time_tracking_followers').values(follower).execute();
      expect(await onWorker(world, 'end', 60)).toEqual([world.employee.id]);
      expect(await endsOf(world)).toEqual([[null], [new Date(at('09:00').getTime() + 1000)]]);
      expect(await idsIn('notifications', world)).toEqual([]);
    });
  });
});
