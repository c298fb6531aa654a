import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { acceptTimeTracking, lookUpReferences, type Accepted, type NewTimeTracking } from '../time_trackings/create.ts';
import { judge } from '../working_time_rules/judge.ts';
import { secondsOfDate } from '../working_time_rules/periods.ts';
import { averagedWeeks } from '../working_time_rules/rules.ts';
import type { Violation } from '../working_time_rules/violation.ts';
import { changeOf, judgedUser, knownWork, readingOf, unstoredId } from '../working_time_rules/warnings.ts';
import { mondayOf } from '../working_time_rules/week_rules.ts';
import { workFacts } from '../working_time_rules/rows.ts';
import { withWorkingDays, type RecordedWork } from '../working_time_rules/working_days.ts';

/** The violations that would come with a new time tracking, or whose value would change. Nothing is written. */
export async function checkTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  input: NewTimeTracking,
  now: Date,
): Promise<Violation[]> {
  const accepted = await acceptTimeTracking(tx, actor, await lookUpReferences(tx, actor, input), now);
  const work = workOf(actor, accepted);
  const change = {
    ...changeOf({ user_id: accepted.userId, ...accepted.span }, now),
    edit: (trackings: readonly RecordedWork[]) => [...trackings, work],
  };
  // The average needs the weeks before.
  const [read] = await workFacts(tx, readingOf(actor, [change], averagedWeeks));
  const { facts, trackings, judgement } = await knownWork(tx, actor, change, read!.facts, now);
  const user = await judgedUser(tx, actor.accountId, facts);
  const { date } = withWorkingDays(trackings, facts.zone).find((dated) => dated.work === work)!;
  const withAverage = { ...judgement, averageOf: [mondayOf(date)] };
  const before = judge(facts.trackings, user, withAverage);
  return judge(trackings, user, withAverage).filter(
    (expected) =>
      !before.some(
        (old) => old.rule === expected.rule && old.date === expected.date && old.valueSeconds === expected.valueSeconds,
      ),
  );
}

const workOf = (actor: WorkspaceActor, { input, span, breaks }: Accepted): RecordedWork => ({
  id: unstoredId,
  workspaceId: actor.workspace.id,
  from: secondsOfDate(span.starts_at),
  to: span.ends_at && secondsOfDate(span.ends_at),
  breaks: breaks.map((pause) => ({ from: secondsOfDate(pause.starts_at), to: secondsOfDate(pause.ends_at!) })),
  forcedBreak: input.force_custom_break_duration ? (input.break_duration ?? null) : null,
});
