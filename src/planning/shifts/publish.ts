import { sql } from 'kysely';
import { invalid, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { endOfLocalDay, localForm, startOfLocalDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { plannedBy } from '../../platform/db/visibility.ts';
import { eventsOf, recordEvents, type Recorded } from '../../platform/events/record.ts';
import { notifyAll } from '../../platform/notifications/notifications.ts';
import { areaIdProblems } from './area_ids.ts';
import { overlapsRange } from './range.ts';

/** The drafts to publish. The contract asks for ids or both days. */
interface Publication {
  readonly ids?: readonly Id[];
  readonly from?: string;
  readonly to?: string;
  readonly working_area_ids?: readonly Id[];
}

interface PublishedShift {
  readonly id: number;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly user_ids: readonly number[];
}

/** Publishes drafts that the actor plans, and notifies the users on them. Returns how many became visible. */
export async function publishShifts(
  db: OpenTransaction,
  actor: WorkspaceActor,
  input: Publication,
  now: Date,
): Promise<number> {
  const { accountId, workspace } = actor;
  const ids = numericIds(input.ids ?? []);
  const areas = numericIds(input.working_area_ids ?? []);
  refuse([
    ...(await shiftIdProblems(db, actor, input.ids)),
    ...(await areaIdProblems(db, actor, input.working_area_ids)),
  ]);
  // One statement finds and publishes them, so that of two publications at once one counts each draft.
  const { rows } = await sql<PublishedShift>`
    update shifts set visible = true, edited = false, updated_at = ${now}
    where account_id = ${accountId} and workspace_id = ${workspace.id} and visible = false and ${plannedBy(actor)}
      and ${input.ids ? sql`id = any(${ids.numbers}::bigint[])` : sql`true`}
      and ${input.from && input.to ? overlapsRange(daysIn(input.from, input.to, workspace.time_zone)) : sql`true`}
      and ${input.working_area_ids ? sql`area_id = any(${areas.numbers}::bigint[])` : sql`true`}
    returning id, starts_at, ends_at, array(
      select assignment.user_id from assignments assignment
      join users assigned on assigned.account_id = ${accountId} and assigned.id = assignment.user_id and assigned.deleted_at is null
      where assignment.account_id = ${accountId} and assignment.shift_id = shifts.id and not assignment.application) as user_ids`.execute(
    db,
  );
  const events = rows.map(({ id }) => publicationOf({ id, workspace_id: workspace.id }));
  recordEvents(db, actor, events, now);
  await notifyAll(db, accountId, workspace.id, newsOf(actor, rows), now);
  return rows.length;
}

const publication = eventsOf<Recorded & { visible: boolean }>()('shift', ['visible']);
const publicationOf = (shift: Recorded) =>
  publication.eventOf('updated', { ...shift, visible: false }, { ...shift, visible: true })!;

/** The days from one to another. */
function daysIn(from: string, to: string, zone: string) {
  if (to < from) throw invalid('out_of_range', 'to', `to must not lie before from, which is ${from}, but was ${to}.`);
  return { from: startOfLocalDay(from, zone), to: new Date(endOfLocalDay(to, zone).getTime() + 1000) };
}

/** One notification for each user, about all their shifts. Nobody is told what they did themselves. */
function newsOf({ userId, workspace }: WorkspaceActor, shifts: readonly PublishedShift[]) {
  const byUser = new Map<number, PublishedShift[]>();
  for (const shift of [...shifts].sort((one, other) => one.starts_at.getTime() - other.starts_at.getTime()))
    for (const id of shift.user_ids) byUser.set(id, [...(byUser.get(id) ?? []), shift]);
  return [...byUser]
    .filter(([id]) => id !== userId)
    .map(([id, own]) => {
      const first = localForm(own[0]!.starts_at, workspace.time_zone);
      const message =
        own.length === 1
          ? `You are on a shift that was published. It starts at ${first}.`
          : `You are on ${own.length} shifts that were published. The first one starts at ${first}.`;
      return { user_id: id, title: 'Shifts published', message, owner: null };
    });
}

/** The problem of ids that are no shifts of the workspace that the actor plans. */
async function shiftIdProblems(db: Db, actor: WorkspaceActor, ids: readonly Id[] = []): Promise<Problem[]> {
  const { numbers, impossible } = numericIds(ids);
  const shifts = await db
    .selectFrom('shifts')
    .select('id')
    .where('account_id', '=', actor.accountId)
    .where('workspace_id', '=', actor.workspace.id)
    .where(isAnyOf('id', numbers))
    .where(plannedBy(actor))
    .execute();
  const known = new Set(shifts.map(({ id }) => id));
  const unknown = numbers.filter((id) => !known.has(id));
  return unknownIds('ids', [...impossible, ...unknown], 'shift of this workspace that you plan');
}
