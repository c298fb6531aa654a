import { refuse } from '../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import { may, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { idsInBatch, startBatch, type BatchStep } from '../../platform/batches/batches.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { memberProblems } from '../../organisation/users/memberships.ts';
import { createAbsence, type NewAbsence } from './create.ts';
import { spanOf, absenceSpanProblems } from './span.ts';
import { absentees, findType } from './type_and_user.ts';

/** One absence for many users. */
export type AbsenceForMany = Omit<NewAbsence, 'user' | 'batch_id' | 'external_id'>;

/** Checks the request, and starts a batch that creates the absence for each user. */
export async function startCreation(
  db: Db,
  actor: WorkspaceActor,
  userIds: readonly Id[] | Readonly<Record<string, Id>>,
  input: AbsenceForMany,
  now: Date,
): Promise<{ message: string; batch_id: string }> {
  const { numbers, impossible } = numericIds(idsInBatch('user_ids', userIds));
  const users = new Map(
    (await absentees(db, actor.accountId, actor.workspace, numbers)).map((user) => [user.id, user]),
  );
  const strangers = numbers.filter((id) => !users.has(id) || !may(actor, 'record_absence', 'user', users.get(id)));
  const { time_zone } = actor.workspace;
  refuse([
    ...(await findType(db, actor, input.absence_type)).problems,
    ...unknownIds('user_ids', [...impossible, ...strangers], 'user of this workspace whom you administer'),
    ...absenceSpanProblems(spanOf(input, { full_day: input.full_day ?? false, zone: time_zone }), time_zone),
    ...(await memberProblems(db, actor, 'follower_ids', input.follower_ids ?? [])),
  ]);
  return startBatch(db, actor, { action: 'absences.create', itemType: 'user', ids: numbers, input }, now);
}

/** Creates the absence for some of the users. A repeated step skips users who have it from this batch. */
export const createForUsers: BatchStep = async (db, actor, userIds, input: AbsenceForMany, batchId, now) => {
  const done = await db
    .selectFrom('absences')
    .select('user_id')
    .where('account_id', '=', actor.accountId)
    .where('batch_id', '=', batchId)
    .where(isAnyOf('user_id', userIds))
    .execute();
  await lockUsers(db, { accountId: actor.accountId, ids: userIds });
  const doneIds = new Set(done.map((absence) => absence.user_id));
  for (const user of userIds.filter((id) => !doneIds.has(id)))
    await createAbsence(db, actor, { ...input, user, batch_id: batchId }, now);
  return [];
};
