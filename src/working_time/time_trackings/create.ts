import type { components } from '../../../generated/v3.ts';
import { nearestAssignmentQuery } from './assignment_links.ts';
import type { Span } from '../../days/calendar/worked_time.ts';
import { alreadyUsed, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, numericIds, type Id } from '../../platform/core/ids.ts';
import { authorize, may, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { assumedRole } from '../../platform/core/ranks.ts';
import { localForm, parseTime } from '../../platform/core/time.ts';
import { isExternalId } from '../../platform/db/names.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { lookUp } from '../../platform/db/transactions.ts';
import { problemsWithTags, tagsQuery } from '../../organisation/tags/tags.ts';
import { insertTimeTracking } from './insert.ts';
import {
  areaProblems,
  givenAreaLock,
  breakProblems,
  customBreakProblems,
  limitProblems,
  givenMemberLock,
  runningProblems,
  runningQuery,
  manualPauseProblems,
  spanProblems,
  timesIn,
  unfinishedProblems,
  unknownUser,
} from './problems.ts';
import { readTimeTracking, type TimeTrackingRow } from './rows.ts';

/** The attributes of a new time tracking, as the request gives them, and the records that it refers to. */
export type NewTimeTracking = components['schemas']['TimeTrackingCreation']['data']['attributes'] & {
  /** The actor if absent. */
  user_id?: Id;
  /** The same user, named by a relationship. */
  related_user_id?: Id;
  area_id?: Id;
  tag_ids?: readonly Id[];
  /** A break without times beside those that have them. Only the public API knows it. */
  manual_pause_min?: number;
};

/** The input of a request. */
export function newTimeTracking({ data }: components['schemas']['TimeTrackingCreation']): NewTimeTracking {
  const { attributes, relationships: { area, tags, user } = {} } = data;
  return {
    ...attributes,
    related_user_id: user?.data?.id,
    area_id: area?.data?.id,
    tag_ids: tags?.data.map((tag) => tag.id),
  };
}

/** Records working time: finished if the input has an end, otherwise running. */
export async function createTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  input: NewTimeTracking,
  now: Date,
): Promise<TimeTrackingRow> {
  const id = await storeTimeTracking(tx, actor, await lookUpReferences(tx, actor, input), now);
  return readTimeTracking(tx, actor, id);
}

/** Checks and records a time tracking, whose references are locked. Returns its id. */
export async function storeTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  references: References,
  now: Date,
): Promise<number> {
  const accepted = await acceptTimeTracking(tx, actor, references, now);
  const {
    breaks,
    input: { tag_ids = [] },
  } = accepted;
  const parts = { breaks, tagIds: numericIds(tag_ids).numbers, needsJudgement: true };
  return (await insertTimeTracking(tx, actor, rowOf(actor, accepted, now), parts, now)).id;
}

/** Locks what a new time tracking refers to, and reads everything that its checks ask for. */
export async function lookUpReferences(tx: OpenTransaction, actor: WorkspaceActor, input: NewTimeTracking) {
  const userRef = input.related_user_id ?? input.user_id ?? actor.userId ?? 0;
  const span = { starts_at: parseTime(input.starts_at), ends_at: input.ends_at ? parseTime(input.ends_at) : null };
  const userId = numericId(userRef) ?? 0;
  const [[user], areas, tags, [sameExternalId], running, [nearest]] = await lookUp(tx, [
    givenMemberLock(tx, actor, userRef),
    givenAreaLock(tx, actor, input.area_id),
    tagsQuery(tx, actor, input.tag_ids ?? []),
    externalIdQuery(tx, actor, input.external_id),
    span.ends_at === null ? runningQuery(tx, actor, userId, null) : undefined,
    nearestAssignmentQuery(tx, {
      accountId: actor.accountId,
      workspaceId: actor.workspace.id,
      userId,
      startsAt: span.starts_at,
    }),
  ]);
  return { input, userRef, span, user, areas, tags, sameExternalId, running, nearestAssignmentId: nearest!.id };
}

type References = Awaited<ReturnType<typeof lookUpReferences>>;

/** The time tracking that would be recorded, or an error with everything that is wrong with it. */
export async function acceptTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  { input, userRef, span, user, areas, tags, sameExternalId, running, nearestAssignmentId }: References,
  now: Date,
): Promise<Accepted> {
  const show = (time: Date): string => localForm(time, actor.workspace.time_zone);
  const breaks = breaksIn(input);
  if (user) authorize(actor, 'record_time', 'user', user);
  const facts = user && { user_id: user.id, user_rank: user.rank, area_ids: user.area_ids };
  if (facts && input.tag_ids?.length) authorize(actor, 'tag', 'time_tracking', facts);
  const isConfirmed = input.confirmed === true && !!facts && may(actor, 'confirm', 'time_tracking', facts);
  const recordedBy = facts && !may(actor, 'exceed_limits', 'time_tracking', facts) ? 'employee' : 'admin';
  refuse([
    ...spanProblems(span, recordedBy, show),
    ...(user && recordedBy === 'employee' ? await limitProblems(tx, actor, user.id, timesIn(span), now) : []),
    ...breakProblems(span, breaks, now, show),
    ...customBreakProblems(span, {
      seconds: input.break_duration ?? null,
      isForced: input.force_custom_break_duration === true,
      pointer: 'break_duration',
    }),
    ...manualPauseProblems(span, { minutes: input.manual_pause_min ?? null, pointer: 'manual_pause' }, now),
    ...(user ? runningProblems(running, show) : unknownUser(userRef, 'user')),
    ...areaProblems(input.area_id, areas),
    ...problemsWithTags('tags', input.tag_ids ?? [], tags),
    ...externalIdProblems(input.external_id, sameExternalId),
    ...contradictionProblems(actor, input),
    ...unfinishedProblems(span, isConfirmed),
  ]);

  const assignmentId = textOf(input.assignment_id) ?? nearestAssignmentId;
  return { input, span, breaks, userId: user!.id, assignmentId, isConfirmed, recordedBy };
}

const breaksIn = ({ breaks_attributes = [] }: NewTimeTracking) =>
  breaks_attributes.map(({ starts_at, ends_at }, index) => ({
    starts_at: parseTime(starts_at),
    ends_at: parseTime(ends_at),
    pointerPrefix: `breaks_attributes/${index}/`,
  }));

/** The query for the time tracking that has this external id. */
const externalIdQuery = (tx: OpenTransaction, { accountId }: WorkspaceActor, externalId: string | undefined) =>
  externalId
    ? tx
        .selectFrom('time_trackings')
        .select(['id', 'user_id', 'starts_at', 'ends_at'])
        .where('account_id', '=', accountId)
        .where(isExternalId('external_id', externalId))
    : undefined;

const externalIdProblems = (externalId: string | undefined, found: object | undefined): Problem[] =>
  found ? [alreadyUsed('external_id', externalId!, 'time tracking of this account')] : [];

/** Input that contradicts the rest of the request or its address. */
function contradictionProblems(
  { workspace }: WorkspaceActor,
  { company_id, user_id, related_user_id }: { company_id?: Id; user_id?: Id; related_user_id?: Id },
): Problem[] {
  const problems: Problem[] = [];
  if (company_id !== undefined && String(company_id) !== String(workspace.id)) {
    const title = `company_id must be ${workspace.id}, the workspace in the address, but was ${JSON.stringify(company_id)}.`;
    problems.push({ code: 'contradiction', pointer: 'company_id', title });
  }
  if (user_id !== undefined && related_user_id !== undefined && String(user_id) !== String(related_user_id)) {
    const title = `user_id must be ${related_user_id}, the user in the relationships, but was ${JSON.stringify(user_id)}.`;
    problems.push({ code: 'contradiction', pointer: 'user_id', title });
  }
  return problems;
}

/** Input that was accepted: every record that it refers to exists. */
export interface Accepted {
  readonly input: NewTimeTracking;
  readonly span: Span;
  readonly breaks: readonly Span[];
  readonly userId: number;
  readonly assignmentId: string | null;
  readonly isConfirmed: boolean;
  readonly recordedBy: 'employee' | 'admin';
}

const textOf = (id: Id | undefined): string | null => (id === undefined || id === '' ? null : String(id));

const rowOf = (
  actor: WorkspaceActor,
  { input, span, userId, assignmentId, isConfirmed, recordedBy }: Accepted,
  now: Date,
) => ({
  user_id: userId,
  area_id: input.area_id === undefined ? null : numericId(input.area_id)!,
  starts_at: span.starts_at,
  ends_at: span.ends_at,
  actual_starts_at: span.starts_at,
  actual_ends_at: span.ends_at,
  custom_break_s: input.break_duration ?? null,
  manual_pause_min: input.manual_pause_min ?? null,
  force_custom_break_duration: input.force_custom_break_duration ?? false,
  default_break_duration: input.default_break_duration ?? 0,
  confirmed: isConfirmed,
  created_by: (recordedBy === 'admin' && input.created_by) || assumedRole(actor.rank),
  external_id: input.external_id ?? null,
  assignment_id: assignmentId,
  start_signature_id: textOf(input.start_signature_id),
  end_signature_id: textOf(input.end_signature_id),
  import_id: textOf(input.import_id),
  limited: input.limited ?? false,
  planned: input.planned ?? false,
  created_at: now,
  updated_at: now,
});
