import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActionType } from '../../../../src/working_time/punches/clock.ts';
import { createAction } from '../../../../src/working_time/punches/create.ts';
import { AppError } from '../../../../src/platform/core/errors.ts';
import type { WorkspaceActor } from '../../../../src/platform/core/permissions.ts';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import { employeeIn } from '../../../support/punches.ts';
import { newWorld, type World } from '../../../support/world.ts';

/*
 * A second implementation of the punch clock, in seconds. For any sequence of punches, the database and the model must have the
 * same state, and both must refuse the same punches.
 */
interface Model {
  readonly trackings: { from: number; to: number | null; breaks: { from: number; to: number | null }[] }[];
  lastPunch: number;
  accepted: number;
}

const types: readonly ActionType[] = ['start', 'end', 'start-break', 'end-break'];

function stateOf(model: Model) {
  const running = model.trackings.find(({ to }) => to === null);
  const open = running?.breaks.find(({ to }) => to === null);
  const fits = { start: !running, end: running, 'start-break': running && !open, 'end-break': open };
  return { running, open, fitting: types.filter((type) => fits[type]) };
}

function punch(model: Model, type: ActionType, time: number): boolean {
  const { running, open, fitting } = stateOf(model);
  if (!fitting.includes(type) || (running && time < model.lastPunch)) return false;

  const closed = running?.breaks.flatMap(({ to }) => to ?? []) ?? [];
  const begun = running ? [type === 'end' ? running.from + 1 : running.from] : [];
  const effective = Math.max(time, ...begun, ...closed, ...(open ? [open.from + 1] : []));
  if (effective - time > 5) return false;

  if (type === 'start') model.trackings.push({ from: effective, to: null, breaks: [] });
  if (type === 'start-break') running!.breaks.push({ from: effective, to: null });
  if (open && type !== 'start-break') open.to = effective;
  if (type === 'end') running!.to = effective;
  model.lastPunch = time;
  model.accepted++;
  return true;
}

const zero = Date.parse('2026-03-02T06:00:00Z');
const at = (seconds: number): Date => new Date(zero + seconds * 1000);
const secondsOf = (time: Date): number => (time.getTime() - zero) / 1000;

/** Whether the service takes the punch, in a transaction as the frame gives it. */
async function isTaken(
  { db, accountId }: World,
  actor: WorkspaceActor,
  type: ActionType,
  time: number,
): Promise<boolean> {
  const input = { action_type: type, action_time: at(time).toISOString(), tag_ids: [] };
  try {
    await forAccount(db, accountId, (tx) => createAction(tx, actor, input, at(1_000_000)));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return false;
    throw error;
  }
}

async function stored({ db, accountId }: World, userId: number) {
  const trackings = await db
    .selectFrom('time_trackings')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  const breaks = await db.selectFrom('breaks').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
  const actions = await db
    .selectFrom('actions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
  const span = ({ starts_at, ends_at }: { starts_at: Date; ends_at: Date | null }) => ({
    from: secondsOf(starts_at),
    to: ends_at && secondsOf(ends_at),
  });
  return {
    accepted: actions.length,
    trackings: trackings.map((tracking) => ({
      ...span(tracking),
      breaks: breaks.filter((pause) => pause.time_tracking_id === tracking.id).map(span),
    })),
    breakSeconds: trackings.map(({ breaks_s }) => breaks_s),
  };
}

const breakSecondsOf = ({ trackings }: Model): (number | null)[] =>
  trackings.map(({ breaks }) =>
    breaks.length === 0 ? null : breaks.reduce((sum, { from, to }) => sum + (to === null ? 0 : to - from), 0),
  );

describe('any sequence of punches', () => {
  it('leaves the database as it leaves the model', async () => {
    const world = await newWorld();
    // Mostly punches that fit, often in the same second, sometimes in the past.
    const isWild = fc.nat({ max: 4 }).map((number) => number === 0);
    const gap = fc.oneof(
      fc.constantFrom(0, 0, 1, 2),
      fc.integer({ min: 3, max: 30_000 }),
      fc.integer({ min: -600, max: -1 }),
    );
    const sequence = fc.array(fc.record({ pick: fc.nat({ max: 11 }), isWild, gap }), { minLength: 1, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(sequence, async (punches) => {
        const { id } = await world.addMember('employee');
        const actor = employeeIn(world, id);
        const model: Model = { trackings: [], lastPunch: 0, accepted: 0 };
        let time = 1000;
        for (const { pick, isWild, gap } of punches) {
          const choice = isWild ? types : stateOf(model).fitting;
          const type = choice[pick % choice.length]!;
          time = Math.max(0, time + gap);
          expect(await isTaken(world, actor, type, time)).toBe(punch(model, type, time));
        }
        const { trackings, accepted } = model;
        expect(await stored(world, id)).toEqual({ accepted, trackings, breakSeconds: breakSecondsOf(model) });
      }),
      { numRuns: 20 },
    );
  }, 120_000);
});
