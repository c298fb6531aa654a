import { describe, expect, it } from 'vitest';
import type { ActionType } from '../../src/actions/clock.ts';
import { acceptPunch, targetOf } from '../../src/actions/create.ts';
import { lockClocks } from '../../src/actions/locked_clocks.ts';
import { storePunches } from '../../src/actions/store_punches.ts';
import { pick } from '../../src/core/pick.ts';
import { forAccount } from '../../src/db/transactions.ts';
import { assign, at, insertShift } from '../assignments/support.ts';
import { comparableRows, referencesIn, type Rows } from '../support/database/comparable_rows.ts';
import { employeeIn } from '../support/punches.ts';
import { tagTitled } from '../support/time_trackings.ts';
import { newWorld, type World } from '../support/world.ts';

/** Stores a punch of the employee and one of the admin, some minutes after the start of the shift. */
const punchBoth = (
  world: World,
  type: ActionType,
  minutes: number,
  tagIds: readonly string[],
  isDistributed: boolean,
) =>
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
    await storePunches(tx, punches, isDistributed);
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
  for (const [type, minutes] of steps) await punchBoth(world, type, minutes, tagIds, isDistributed);
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
});
