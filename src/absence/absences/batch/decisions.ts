import { sql } from 'kysely';
import { idsInBatch, startBatch, type BatchStep } from '../../../platform/batches/batches.ts';
import { refuse } from '../../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../../platform/core/ids.ts';
import { may, type WorkspaceActor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { applyConditions } from '../../../platform/db/list/conditions.ts';
import { readFilters } from '../../../platform/db/list/read_filters.ts';
import { lockAbsenceRows } from '../../../platform/db/locks.ts';
import { administeredBy } from '../../../platform/db/visibility.ts';
import { absencesByIds } from '../absences.ts';
import { storeDecision, type Decision } from '../decide.ts';
import { absenceFilters } from '../list.ts';
import { visibleAbsences } from '../rows.ts';

type Action = 'confirm' | 'reject' | 'reset';

/** The state that each action leads to. Batches do what their names say, in contrast to the operations on one absence. */
const decisions: Readonly<Record<Action, Decision>> = { confirm: 'confirmed', reject: 'rejected', reset: 'pending' };

/** One decision about many absences. The contract says and checks which attributes it needs. */
export interface AbsenceDecisions {
  readonly action: Action;
  readonly ids?: readonly Id[] | Readonly<Record<string, Id>> | undefined;
  readonly all?: boolean | undefined;
  readonly filter?: Readonly<Record<string, string>> | undefined;
}

/** Checks a decision about many absences, and starts the batch that makes it. */
export async function startDecision(db: Db, actor: WorkspaceActor, batch: AbsenceDecisions, now: Date) {
  const ids = batch.all ? await undecidedIds(db, actor, batch) : await administeredIds(db, actor, batch.ids!);
  return startBatch(db, actor, { action: `absences.${batch.action}`, itemType: 'absence', ids, input: {} }, now);
}

const administered = (db: Db, actor: WorkspaceActor) =>
  visibleAbsences(db, actor)
    .select('absences.id')
    .where(administeredBy(actor, 'absence'))
    // Every batch locks absences in the same order.
    .orderBy('absences.id');

async function administeredIds(
  db: Db,
  actor: WorkspaceActor,
  given: NonNullable<AbsenceDecisions['ids']>,
): Promise<number[]> {
  const { numbers, impossible } = numericIds(idsInBatch('ids', given));
  const rows = await administered(db, actor)
    .where(sql<boolean>`absences.id = any(${numbers}::bigint[])`)
    .execute();
  const found = new Set(rows.map(({ id }) => id));
  const strangers = numbers.filter((id) => !found.has(id));
  refuse(unknownIds('ids', [...impossible, ...strangers], 'absence of this workspace that you administer'));
  return [...found];
}

/** The absences that match the filters and that the action can concern: pending ones, or to reset those that are not. */
async function undecidedIds(
  db: Db,
  actor: WorkspaceActor,
  { action, filter = {} }: AbsenceDecisions,
): Promise<number[]> {
  const filterable = { columns: {}, named: absenceFilters(actor), timeZone: actor.workspace.time_zone };
  const { conditions, ignoredParameters } = readFilters(filterable, filter);
  refuse(ignoredParameters);
  const undecided = administered(db, actor).where(
    'absences.confirmation_status',
    action === 'reset' ? '<>' : '=',
    'pending',
  );
  const matching = applyConditions({ ...filterable, visible: undecided }, conditions);
  return (await matching.execute()).map(({ id }) => id);
}

/** Decides about absences one by one, with the rights that the actor has now. One that is in that state already stays as it is. */
const decide =
  (decision: Decision): BatchStep =>
  async (tx, actor, ids, _input, _batchId, now) => {
    const locked = await lockAbsenceRows(tx, { accountId: actor.accountId, workspaceId: actor.workspace.id, ids });
    const absences = await absencesByIds(
      tx,
      actor,
      locked.map(({ id }) => id),
    );
    const found = new Set(absences.map(({ id }) => id));
    const refused = absences.filter((absence) => !may(actor, 'decide', 'absence', absence));
    for (const absence of absences)
      if (!refused.includes(absence) && absence.confirmation_status !== decision)
        await storeDecision(tx, actor, absence, decision, now);
    return [
      ...refused.map(({ id }) => ({ id, reason: 'You do not administer this absence any more.' })),
      ...ids.filter((id) => !found.has(id)).map((id) => ({ id, reason: 'The absence is no longer there.' })),
    ];
  };

/** The steps of batches that decide about absences. */
export const decisionSteps: Readonly<Record<string, BatchStep>> = {
  'absences.confirm': decide(decisions.confirm),
  'absences.reject': decide(decisions.reject),
  'absences.reset': decide(decisions.reset),
};
