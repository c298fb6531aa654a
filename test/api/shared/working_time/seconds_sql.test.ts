import { describe, expect, it } from 'vitest';
import { breaksOf, timeTrackingRows } from '../../../../src/working_time/time_trackings/rows.ts';
import { secondsAt } from '../../../../src/working_time/time_trackings/list/seconds_sql.ts';
import { breakInsertion, sumBreaks } from '../../../../src/working_time/time_trackings/break_rows.ts';
import { breakDuration, workedSeconds } from '../../../../src/days/calendar/worked_time.ts';
import { newWorld } from '../../../support/world.ts';

const zero = Date.parse('2026-03-28T20:00:00Z');
const at = (seconds: number): Date => new Date(zero + seconds * 1000);
const now = new Date(zero + 30_000_000);

/** Pseudo-random whole numbers, the same in every run. */
function* numbers(): Generator<number, never> {
  for (let state = 42; ;) yield (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648);
}

describe('worked time in SQL', () => {
  it('is what worked_time.ts says, for trackings of every shape', async () => {
    const { db, accountId, workspaceId, admin } = await newWorld();
    const random = numbers();
    const below = (limit: number): number => random.next().value % limit;
    for (let index = 0; index < 50; index++) {
      const start = index === 0 ? 40_000 : below(20_000);
      // A user of its own for each, because the database allows one running tracking per user.
      const isRunning = index % 7 === 0;
      const length = 4 + below(40_000);
      const { id: userId } = await db
        .insertInto('users')
        .values({
          account_id: accountId,
          username: `U${index}`,
          created_in_workspace: true,
          start_of_accounting: '2026-01-01',
          recognition_color_variant: 1,
          created_at: now,
          updated_at: now,
        }) // prettier-ignore
        .returning('id')
        .executeTakeFirstOrThrow();
      const { id } = await db
        .insertInto('time_trackings')
        .values({
          account_id: accountId,
          workspace_id: workspaceId,
          user_id: userId,
          starts_at: at(start),
          ends_at: isRunning ? null : at(start + length),
          actual_starts_at: at(start),
          force_custom_break_duration: below(3) === 0,
          custom_break_s: below(2) === 0 ? below(60_000) : null,
          manual_pause_min: below(3) === 0 ? below(100) : null,
          created_by: 'admin',
          last_editor_id: admin.id,
          created_at: now,
          updated_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const breaks = Array.from({ length: below(4) }, (_, nth) => ({
        starts_at: at(start + nth * Math.floor(length / 4)),
        ends_at: isRunning && nth === 2 ? null : at(start + nth * Math.floor(length / 4) + 1),
      }));
      await breakInsertion(db, accountId, { id, created_by: 'admin' }, breaks, now)?.execute();
      await sumBreaks(db, accountId, id);
    }

    const { gross, pause, net, breakDuration: duration } = secondsAt({ now, accountId });
    const rows = await timeTrackingRows(db, { accountId, workspaceId })
      .select([gross.as('gross'), pause.as('pause'), net.as('net'), duration.as('duration')])
      .execute();
    expect(rows).toHaveLength(50);
    for (const row of rows) {
      const worked = { ...row, breaks: breaksOf(row) };
      expect({ gross: row.gross, pause: row.pause, net: row.net }).toEqual(workedSeconds(worked, now));
      expect(row.duration).toBe(breakDuration(worked, now));
    }
  });
});
