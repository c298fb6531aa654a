import { sql } from 'kysely';
import { assignUsers } from '../assignments/assignments.ts';
import { startBatch, type BatchStep, type Failure } from '../../platform/batches/batches.ts';
import { addDays } from '../../days/calendar/dates.ts';
import { refuse, type Problem } from '../../platform/core/errors.ts';
import { numericIds, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { mondayOfWeek, startOfLocalDay, weeksAfter, weeksBetween } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { plannedBy } from '../../platform/db/visibility.ts';
import { areaIdProblems } from './area_ids.ts';
import { clashesWith } from './candidates.ts';
import { shiftsByIds, type ShiftRow } from './rows.ts';
import { activeMembers } from './shift_users.ts';
import { createShift } from './shifts.ts';

export interface WeekCopy {
  /** ISO weeks, such as `2026-W24`. */
  readonly from_week: string;
  readonly to_week: string;
  readonly with_users?: boolean;
  readonly working_area_ids?: readonly Id[];
}

/** The input of the step beside the ids. */
interface CopyInput {
  readonly weeks: number;
  readonly withUsers: boolean;
}

/** Checks the request, and starts a batch that copies the shifts of a week that the actor plans to another week. */
export async function copyWeek(db: Db, actor: WorkspaceActor, copy: WeekCopy, now: Date) {
  refuse([...weekProblems(copy), ...(await areaIdProblems(db, actor, copy.working_area_ids))]);
  const { accountId, workspace } = actor;
  const monday = mondayOfWeek(copy.from_week)!;
  const shifts = await db
    .selectFrom('shifts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('starts_at', '>=', startOfLocalDay(monday, workspace.time_zone))
    .where('starts_at', '<', startOfLocalDay(addDays(monday, 7), workspace.time_zone))
    .where(plannedBy(actor))
    .$if(copy.working_area_ids !== undefined, (inWeek) =>
      inWeek.where(sql<boolean>`area_id = any(${numericIds(copy.working_area_ids!).numbers}::bigint[])`),
    )
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
  const input: CopyInput = {
    weeks: weeksBetween(monday, mondayOfWeek(copy.to_week)!),
    withUsers: copy.with_users === true,
  };
  const ids = shifts.map(({ id }) => id);
  return startBatch(db, actor, { action: 'shifts.copy_week', itemType: 'event', ids, input }, now);
}

const weekProblems = ({ from_week, to_week }: WeekCopy): Problem[] => {
  const missing = Object.entries({ from_week, to_week })
    .filter(([, week]) => mondayOfWeek(week) === undefined)
    .map(([pointer, week]): Problem => ({ code: 'invalid_format', pointer, title: `${pointer} must be a week that exists, like 2026-W24, but was "${week}".` })); // prettier-ignore
  const isSame = missing.length === 0 && from_week === to_week;
  return isSame
    ? [
        {
          code: 'contradiction',
          pointer: 'to_week',
          title: `to_week must be another week than from_week, but was "${to_week}".`,
        },
      ]
    : missing;
};

/** Copies some shifts as drafts, at the same local times. A shift that is copied without some of its users is reported. */
const copyShifts: BatchStep = async (tx, actor, ids, { weeks, withUsers }: CopyInput, _batchId, now) => {
  const shifts = new Map((await shiftsByIds(tx, actor, ids)).map((shift) => [shift.id, shift]));
  if (withUsers)
    await lockUsers(tx, {
      accountId: actor.accountId,
      ids: [...shifts.values()].flatMap(({ user_ids }) => user_ids),
    });
  const failures: Failure[] = [];
  for (const id of ids) {
    const shift = shifts.get(id);
    const reason = shift ? await copyShift(tx, actor, shift, { weeks, withUsers }, now) : 'The shift was deleted.';
    if (reason !== null) failures.push({ id, reason });
  }
  return failures;
};

/** Copies one shift, and returns what is missing in the copy; null if nothing is. */
async function copyShift(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  shift: ShiftRow,
  { weeks, withUsers }: CopyInput,
  now: Date,
): Promise<string | null> {
  if (shift.area_id === null) return 'The area of the shift was deleted.';
  const zone = actor.workspace.time_zone;
  const copy = await createShift(
    tx,
    actor,
    {
      working_area_id: shift.area_id,
      starts_at: weeksAfter(shift.starts_at, weeks, zone),
      ends_at: weeksAfter(shift.ends_at, weeks, zone),
      number_of_employees: shift.number_of_employees,
      note: shift.note,
      visible: false,
      tagsOf: shift.id,
    },
    now,
  );
  if (!withUsers) return null;
  const members = await activeMembers(tx, actor, shift.user_ids);
  const clashes = await clashesWith(tx, actor, copy, [...members], now);
  const free = shift.user_ids.filter((id) => clashes.get(id)?.length === 0);
  if (free.length > 0) await assignUsers(tx, actor, copy, free, { application: false }, now);
  const leftOut = shift.user_ids.filter((id) => !free.includes(id));
  return leftOut.length === 0
    ? null
    : `The shift was copied as ${copy.id}, without the users ${leftOut.join(', ')}: they left the workspace, are absent, on another shift, or would rest too little.`;
}

/** The steps of batches on shifts. */
export const shiftSteps: Readonly<Record<string, BatchStep>> = { 'shifts.copy_week': copyShifts };
