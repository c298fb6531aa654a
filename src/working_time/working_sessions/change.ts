import type { components } from '../../../generated/public.ts';
import { notFound, refuse } from '../../platform/core/errors.ts';
import { refuseOtherExternalId } from '../../platform/core/external_ids.ts';
import type { Names } from '../../platform/core/names.ts';
import type { Actor, WorkspaceActor } from '../../platform/core/permissions.ts';
import { parseTime } from '../../platform/core/time.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { confirmTimeTracking } from '../time_trackings/confirm.ts';
import { deleteTimeTracking } from '../time_trackings/delete.ts';
import { timesIn } from '../time_trackings/problems.ts';
import { lockTimeTracking } from '../time_trackings/time_trackings.ts';
import { updateTimeTracking } from '../time_trackings/update.ts';
import { inWorkspace, workspaceNamed } from '../../organisation/workspaces/workspaces.ts';
import { overlapProblems } from './overlaps.ts';
import { areaIn } from './references.ts';
import { findSession, readSession, type SessionRow } from './rows.ts';

export type SessionChange = Omit<components['schemas']['WorkingSessionUpdate']['working_session'], 'id'>;

interface Located {
  readonly id: number;
  /** The actor in the location of the working session. */
  readonly local: WorkspaceActor;
}

async function locate(tx: OpenTransaction, actor: Actor, names: Names): Promise<Located> {
  const { id, workspace_id } = await findSession(tx, actor, names);
  const location = await workspaceNamed(tx, actor, workspace_id);
  if (!location) throw notFound('working session');
  return { id, local: inWorkspace(actor, location) };
}

/** Changes a working session. New times overlap no other one of its user. */
export async function updateWorkingSession(
  tx: OpenTransaction,
  actor: Actor,
  names: Names,
  change: SessionChange,
  now: Date,
): Promise<SessionRow> {
  const { prefix } = names;
  const { id, local } = await locate(tx, actor, names.id === undefined ? names : { id: names.id, prefix });
  const row = await lockTimeTracking(tx, local, id);
  refuseOtherExternalId(names, row, 'working session');
  const { areaId, problems } = await areaIn(tx, local, change);
  const { starts_at, ends_at, manual_pause, external_id } = change;
  const span = {
    starts_at: starts_at === undefined ? row.starts_at : parseTime(starts_at),
    ends_at: ends_at === undefined ? row.ends_at : parseTime(ends_at),
  };
  const isMoved = Object.keys(timesIn(span, row)).length > 0;
  const planned = { userId: row.user_id, starts_at: span.starts_at, ends_at: span.ends_at ?? now, exceptId: id };
  refuse([...problems, ...(isMoved ? await overlapProblems(tx, local, planned, now) : [])]);
  const wanted = { starts_at, ends_at, area_id: areaId, manual_pause_min: manual_pause, external_id };
  await updateTimeTracking(tx, local, id, wanted, now);
  return readSession(tx, actor, id);
}

/** Confirms a finished working session. A confirmed one stays as it is. */
export async function confirmWorkingSession(
  tx: OpenTransaction,
  actor: Actor,
  names: Names,
  now: Date,
): Promise<SessionRow> {
  const { id, local } = await locate(tx, actor, names);
  await confirmTimeTracking(tx, local, id, now, 400);
  return readSession(tx, actor, id);
}

/** Takes back the confirmation of a working session. An unconfirmed one stays as it is. */
export async function resetWorkingSession(
  tx: OpenTransaction,
  actor: Actor,
  names: Names,
  now: Date,
): Promise<SessionRow> {
  const { id, local } = await locate(tx, actor, names);
  await updateTimeTracking(tx, local, id, { confirmed: false }, now);
  return readSession(tx, actor, id);
}

/** Deletes a working session, also a confirmed one. It can be restored. */
export async function deleteWorkingSession(tx: OpenTransaction, actor: Actor, names: Names, now: Date): Promise<void> {
  const { id, local } = await locate(tx, actor, names);
  await deleteTimeTracking(tx, local, id, now);
}
