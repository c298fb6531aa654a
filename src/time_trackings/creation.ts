import { forbidden, refuse, type Problem } from '../core/errors.ts';
import { numericId, numericIds, unknownIds, type Id } from '../core/ids.ts';
import { assumedRole, mayAdminister, mayRecordTimeFor, mayTag, type WorkspaceActor } from '../core/permissions.ts';
import { localForm, parseTime } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { tagProblems } from '../tags/tags.ts';
import { noteOf } from './changes.ts';
import { recordChanges } from './effects.ts';
import { areaProblems, externalIdProblems, findMember, runningProblems, type Member } from './references.ts';
import type { TimeTrackingRow } from './rows.ts';
import { insertBreaks } from './stored_breaks.ts';
import { addTags } from './tags.ts';
import { breakProblems, customBreakProblems, spanProblems } from './time_rules.ts';
import { readTimeTracking } from './time_trackings.ts';
import { judgeAround, takeTurns } from './warnings.ts';
import { secondsOfBreaks, type Span } from './worked_time.ts';

/** What can be said about a new time tracking; times as the request gives them. */
export interface NewTimeTracking {
  starts_at: string;
  ends_at?: string;
  breaks_attributes?: readonly { starts_at: string; ends_at: string }[];
  break_duration?: number;
  force_custom_break_duration?: boolean;
  default_break_duration?: number;
  confirmed?: boolean;
  created_by?: string;
  external_id?: string;
  assignment_id?: Id;
  start_signature_id?: Id;
  end_signature_id?: Id;
  company_id?: Id;
  import_id?: Id;
  limited?: boolean;
  planned?: boolean;
  /** The actor where none is named. */
  user_id?: Id;
  area_id?: Id;
  tag_ids?: readonly Id[];
}

/** Records working time: finished where it has an end, otherwise running from now on. */
export async function createTimeTracking(db: Db, actor: WorkspaceActor, input: NewTimeTracking, now: Date): Promise<TimeTrackingRow> {
  const user = await findMember(db, actor, input.user_id ?? actor.userId ?? 0);
  if (user && !mayRecordTimeFor(actor, user)) throw forbidden();
  if (user && input.tag_ids?.length && !mayTag(actor, { user_id: user.id, area_ids: user.area_ids })) throw forbidden();
  const span = { starts_at: parseTime(input.starts_at), ends_at: input.ends_at === undefined ? null : parseTime(input.ends_at) };
  const breaks = (input.breaks_attributes ?? []).map(({ starts_at, ends_at }) => ({ starts_at: parseTime(starts_at), ends_at: parseTime(ends_at) }));
  const isConfirmed = input.confirmed === true && user !== undefined && mayAdminister(actor, user);
  refuse(await problemsWith(db, actor, input, { user, span, breaks, isConfirmed }, now));

  // A punch of the same user waits here; at the index it would hold what is needed to go on.
  if (span.ends_at === null) await takeTurns(db, { accountId: actor.accountId, userIds: [user!.id] });
  const createdBy = input.created_by || assumedRole(actor.rank);
  const { id } = await db
    .insertInto('time_trackings')
    .values({
      ...columnsOf(input),
      ...span,
      account_id: actor.accountId,
      workspace_id: actor.workspace.id,
      user_id: user!.id,
      area_id: input.area_id === undefined ? null : numericId(input.area_id)!,
      actual_starts_at: span.starts_at,
      actual_ends_at: span.ends_at,
      breaks_s: secondsOfBreaks(breaks, now),
      confirmed: isConfirmed,
      created_by: createdBy,
      last_editor_id: actor.userId,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertBreaks(db, actor.accountId, { id, created_by: createdBy }, breaks, now);
  await addTags(db, actor.accountId, [id], numericIds(input.tag_ids ?? []).numbers);
  const firstBreaks = breaks.length > 0 ? [noteOf.firstBreaks(actor.username, breaks, actor.workspace.time_zone)] : [];
  const notes = [noteOf.creation(actor.username), ...firstBreaks];
  await recordChanges(db, actor, [{ tracking: { id, follower_ids: [] }, notes }], now);
  await judgeAround(db, actor, [{ ...span, user_id: user!.id }], now);
  return readTimeTracking(db, actor, id);
}

const textOf = (id: Id | undefined): string | null => (id === undefined || id === '' ? null : String(id));

/** The columns that are stored as they come. */
const columnsOf = (input: NewTimeTracking) => ({
  custom_break_s: input.break_duration ?? null,
  force_custom_break_duration: input.force_custom_break_duration ?? false,
  default_break_duration: input.default_break_duration ?? 0,
  external_id: input.external_id ?? null,
  assignment_id: textOf(input.assignment_id),
  start_signature_id: textOf(input.start_signature_id),
  end_signature_id: textOf(input.end_signature_id),
  import_id: textOf(input.import_id),
  limited: input.limited ?? false,
  planned: input.planned ?? false,
});

interface Plan {
  readonly user: Member | undefined;
  readonly span: Span;
  readonly breaks: readonly Span[];
  readonly isConfirmed: boolean;
}

/** Everything that speaks against a new tracking, at once. */
async function problemsWith(db: Db, actor: WorkspaceActor, input: NewTimeTracking, { user, span, breaks, isConfirmed }: Plan, now: Date): Promise<Problem[]> {
  const show = (time: Date): string => localForm(time, actor.workspace.time_zone);
  const problems = [
    ...spanProblems(span, show),
    ...breakProblems(
      span,
      breaks.map((pause, index) => ({ ...pause, at: `breaks_attributes/${index}/` })),
      now,
      show,
    ),
    ...customBreakProblems(span, input.break_duration ?? null, input.force_custom_break_duration === true, 'break_duration'),
    ...(user ? [] : unknownIds('user', [input.user_id ?? actor.userId ?? 0], 'user of this workspace')),
    ...(input.area_id === undefined ? [] : await areaProblems(db, actor, input.area_id)),
    ...(await tagProblems(db, actor, 'tags', input.tag_ids ?? [])),
    ...(await externalIdProblems(db, actor, input.external_id)),
    ...(user && span.ends_at === null ? await runningProblems(db, actor, user.id, null, show) : []),
  ];
  if (isConfirmed && span.ends_at === null) {
    problems.push({ pointer: 'confirmed', title: 'confirmed must not be true without ends_at: only a finished time tracking can be confirmed.' });
  }
  if (input.company_id !== undefined && String(input.company_id) !== String(actor.workspace.id)) {
    problems.push({
      pointer: 'company_id',
      title: `company_id must be ${actor.workspace.id}, the workspace in the address, but was ${JSON.stringify(input.company_id)}.`,
    });
  }
  return problems;
}
