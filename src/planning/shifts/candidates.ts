import { sql } from 'kysely';
import type { Problem } from '../../platform/core/errors.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { localForm } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { inWords } from '../../working_time/working_time_rules/messages.ts';
import { longestRestSeconds } from '../../working_time/working_time_rules/rules.ts';
import { ruleSettingsIn, ruleSettingsValue } from '../../organisation/workspaces/rule_settings.ts';
import { findWorkspace } from '../../organisation/workspaces/workspaces.ts';
import { clashesOf, type AbsenceSpan, type Clash, type Duty } from './clashes.ts';
import { maxShiftMs } from './range.ts';
import type { ShiftRow } from './rows.ts';

type PlannedShift = Pick<ShiftRow, 'id' | 'starts_at' | 'ends_at'>;

/** The reasons that keep users from a shift, by user. The caller has locked the users, so that it stays true until they are assigned. */
export async function clashesWith(
  db: Db,
  actor: WorkspaceActor,
  shift: PlannedShift,
  userIds: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, Clash[]>> {
  if (userIds.length === 0) return new Map();
  const { accountId, workspace } = actor;
  const settings = ruleSettingsIn(await findWorkspace(db, actor));
  const users = await db
    .selectFrom('users')
    .select(['id', 'birthday'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${userIds}::bigint[])`)
    .execute();
  const duties = groupBy(await dutiesNear(db, accountId, shift, userIds, now), ({ userId }) => userId);
  const absences = groupBy(await absencesDuring(db, accountId, shift, userIds), ({ userId }) => userId);
  const duty: Duty = { ...shift, isShift: true, settings };
  return new Map(
    users.map(({ id, birthday }) => {
      const candidate = { birthday, duties: duties.get(id) ?? [], absences: absences.get(id) ?? [] };
      return [id, clashesOf(duty, candidate, workspace.time_zone)];
    }),
  );
}

/** The problems of users with a shift, one for each reason. `subject` begins the sentence, in front of the id. */
export function clashProblems(
  { workspace }: WorkspaceActor,
  clashes: ReadonlyMap<number, readonly Clash[]>,
  { pointer, subject }: { pointer: string; subject: string },
): Problem[] {
  const span = ({ starts_at, ends_at }: { starts_at: Date; ends_at: Date }): string =>
    `from ${localForm(starts_at, workspace.time_zone)} to ${localForm(ends_at, workspace.time_zone)}`;
  const reason = (clash: Clash): string => {
    if (clash.kind === 'shift') return `who is on another shift ${span(clash.shift)}.`;
    if (clash.kind === 'absence')
      return `who ${clash.absence.isConfirmed ? 'has a confirmed absence' : 'has requested an absence'} ${span(clash.absence)}.`;
    return `whose rest ${clash.side} the shift would be ${inWords(clash.seconds)}. At least ${inWords(clash.limit)} are needed.`;
  };
  return [...clashes].flatMap(([userId, ofUser]) =>
    ofUser.map((clash) => ({
      code: 'force_required',
      pointer,
      title: `${subject} ${userId}, ${reason(clash)} Send force to assign them all the same.`,
    })),
  );
}

/** The other shifts of users, and their recorded work, so near to a shift that it could shorten a rest. In all workspaces. */
async function dutiesNear(
  db: Db,
  accountId: number,
  shift: PlannedShift,
  userIds: readonly number[],
  now: Date,
): Promise<(Duty & { userId: number })[]> {
  const restMs = longestRestSeconds * 1000;
  const [from, to] = [new Date(shift.starts_at.getTime() - restMs), new Date(shift.ends_at.getTime() + restMs)];
  const earliest = new Date(from.getTime() - maxShiftMs);
  const { rows } = await sql<Duty & { userId: number }>`
    select near.user_id as "userId", near.starts_at, near.ends_at, near.is_shift as "isShift",
      ${ruleSettingsValue} as settings
    from (
      select assignment.user_id, assignment.starts_at, assignment.ends_at, true as is_shift, shift.workspace_id
      from assignments assignment
      join shifts shift on shift.account_id = ${accountId} and shift.id = assignment.shift_id
      where assignment.account_id = ${accountId} and assignment.user_id = any(${userIds}::bigint[]) and not assignment.application
        and assignment.shift_id <> ${shift.id}
      union all
      select tracking.user_id, tracking.starts_at, coalesce(tracking.ends_at, ${now}), false, tracking.workspace_id
      from time_trackings tracking
      where tracking.account_id = ${accountId} and tracking.user_id = any(${userIds}::bigint[])
    ) near
    join workspaces workspace on workspace.account_id = ${accountId} and workspace.id = near.workspace_id and workspace.deleted_at is null
    where near.starts_at >= ${earliest} and near.starts_at < ${to} and near.ends_at > ${from}`.execute(db);
  return rows;
}

/** The absences of users during a shift that are confirmed or requested. */
async function absencesDuring(
  db: Db,
  accountId: number,
  { starts_at, ends_at }: PlannedShift,
  userIds: readonly number[],
): Promise<(AbsenceSpan & { userId: number })[]> {
  const { rows } = await sql<AbsenceSpan & { userId: number }>`
    select absence.user_id as "userId", absence.starts_at, absence.ends_at, absence.confirmation_status = 'confirmed' as "isConfirmed",
      absence.half_start as "halfStart", absence.half_end as "halfEnd", coalesce(absence.time_zone, workspace.time_zone) as zone
    from absences absence
    join workspaces workspace on workspace.account_id = ${accountId} and workspace.id = absence.workspace_id
    where absence.account_id = ${accountId} and absence.user_id = any(${userIds}::bigint[])
      and absence.confirmation_status in ('confirmed', 'pending')
      and absence.starts_at < ${ends_at} and absence.ends_at > ${starts_at}
    order by absence.starts_at, absence.id`.execute(db);
  return rows;
}
