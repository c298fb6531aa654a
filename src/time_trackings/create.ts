import { sql } from 'kysely';
import { refuse, type Problem } from '../core/errors.ts';
import { numericId, unknownIds, type Id } from '../core/ids.ts';
import { authorize, may, type WorkspaceActor } from '../core/permissions.ts';
import { localForm, parseTime } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { statement } from '../db/statement.ts';
import { together } from '../db/pipeline.ts';
import { tagProblems } from '../tags/tags.ts';
import { insertTimeTracking, type NewTimeTracking } from './insert.ts';
import { areaProblems, externalIdProblems, findMember, runningProblems, type Member } from './references.ts';
import type { TimeTrackingRow } from './rows.ts';
import { breakProblems, customBreakProblems, spanProblems } from './time_problems.ts';
import { readTimeTracking } from './time_trackings.ts';
import { takeTurns } from '../working_time_rules/warnings.ts';
import type { Span } from '../calendar/worked_time.ts';

/** Records working time: finished where it has an end, otherwise running from now on. */
export async function createTimeTracking(
  db: Db,
  actor: WorkspaceActor,
  input: NewTimeTracking,
  now: Date,
): Promise<TimeTrackingRow> {
  const plan = planOf(actor, input);
  const { id, user, problems } = await lookUp(db, actor, input, plan);
  if (user) authorize(actor, 'record_time', 'user', user);
  if (user && input.tag_ids?.length)
    authorize(actor, 'tag', 'time_tracking', { user_id: user.id, area_ids: user.area_ids });
  const isConfirmed = input.confirmed === true && user !== undefined && may(actor, 'confirm', 'time_tracking', user);
  refuse([...timeProblems(actor, input, plan, now), ...problems, ...contradictions(actor, input, isConfirmed)]);

  const [, row] = await together([
    insertTimeTracking(
      db,
      actor,
      { ...input, ...plan.span, id, userId: user!.id, breaks: plan.breaks, isConfirmed },
      now,
    ),
    readTimeTracking(db, actor, id),
  ]);
  return row;
}

interface Plan {
  /** Whose time it is to be. */
  readonly userRef: Id;
  readonly span: Span;
  readonly breaks: readonly Span[];
}

const planOf = (actor: WorkspaceActor, input: NewTimeTracking): Plan => ({
  userRef: input.user_id ?? actor.userId ?? 0,
  span: {
    starts_at: parseTime(input.starts_at),
    ends_at: input.ends_at === undefined ? null : parseTime(input.ends_at),
  },
  breaks: (input.breaks_attributes ?? []).map(({ starts_at, ends_at }) => ({
    starts_at: parseTime(starts_at),
    ends_at: parseTime(ends_at),
  })),
});

interface Found {
  /** Of the new tracking, should it come to one. */
  readonly id: number;
  readonly user: Member | undefined;
  readonly problems: readonly Problem[];
}

/** Looks up, in one message, all that a new tracking names or may not come beside. */
async function lookUp(db: Db, actor: WorkspaceActor, input: NewTimeTracking, { userRef, span }: Plan): Promise<Found> {
  const runningOf = span.ends_at === null ? numericId(userRef) : undefined;
  const [user, [next], area, tags, externalId, , running] = await together([
    findMember(db, actor, userRef),
    nextId(db, {}),
    input.area_id === undefined ? [] : areaProblems(db, actor, input.area_id),
    tagProblems(db, actor, 'tags', input.tag_ids ?? []),
    externalIdProblems(db, actor, input.external_id),
    // A punch of the same user waits here; at the index it would hold what is needed to go on.
    runningOf !== undefined && takeTurns(db, { accountId: actor.accountId, userIds: [runningOf] }),
    runningOf === undefined ? [] : runningProblems(db, actor, runningOf, null, shownTo(actor)),
  ]);
  const person = user ? running : unknownIds('user', [userRef], 'user of this workspace');
  return { id: next!.id, user, problems: [...person, ...area, ...tags, ...externalId] };
}

const nextId = statement(() => sql<{ id: number }>`select nextval('time_trackings_id_seq') as id`);

const shownTo =
  ({ workspace }: WorkspaceActor) =>
  (time: Date) =>
    localForm(time, workspace.time_zone);

/** What is wrong with the times and the breaks. */
function timeProblems(actor: WorkspaceActor, input: NewTimeTracking, { span, breaks }: Plan, now: Date): Problem[] {
  const show = shownTo(actor);
  const placed = breaks.map((pause, index) => ({ ...pause, at: `breaks_attributes/${index}/` }));
  return [
    ...spanProblems(span, show),
    ...breakProblems(span, placed, now, show),
    ...customBreakProblems(
      span,
      input.break_duration ?? null,
      input.force_custom_break_duration === true,
      'break_duration',
    ),
  ];
}

/** What of an input does not go with the rest of it, or with the address. */
function contradictions(
  { workspace }: WorkspaceActor,
  { ends_at, company_id }: NewTimeTracking,
  isConfirmed: boolean,
): Problem[] {
  const problems: Problem[] = [];
  if (isConfirmed && ends_at === undefined) {
    problems.push({
      pointer: 'confirmed',
      title: 'confirmed must not be true without ends_at: only a finished time tracking can be confirmed.',
    });
  }
  if (company_id !== undefined && String(company_id) !== String(workspace.id)) {
    const title = `company_id must be ${workspace.id}, the workspace in the address, but was ${JSON.stringify(company_id)}.`;
    problems.push({ pointer: 'company_id', title });
  }
  return problems;
}
