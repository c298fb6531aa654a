import { sql } from 'kysely';
import { may, type Actor } from '../../../platform/core/permissions.ts';
import { actorIn, actorRows } from '../../../platform/db/actors.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { isAdminRole } from '../../../platform/db/visibility.ts';
import { notifyAll } from '../../../platform/notifications/notifications.ts';
import { spanInWords } from '../note_texts.ts';
import type { AbsenceRow } from '../rows.ts';

/** Notifies those who may decide about an absence that it waits for them. The actor, who may not, has requested or changed it. */
export async function notifyApprovers(
  db: Db,
  actor: Actor,
  absence: AbsenceRow,
  did: 'requested' | 'changed',
  now: Date,
): Promise<void> {
  if (may(actor, 'decide', 'absence', absence)) return;
  const title = did === 'requested' ? 'An absence was requested' : 'A confirmed absence was changed and is pending';
  const message = `${actor.username} ${did} "${absence.title}", ${spanInWords(absence, absence.user_time_zone)}.`;
  const notices = (await approversOf(db, absence)).map((user_id) => ({
    user_id,
    title,
    message,
    owner: { absence_id: absence.id },
  }));
  await notifyAll(db, absence.account_id, absence.workspace_id, notices, now);
}

/** The ids of the users who may decide about an absence. */
async function approversOf(db: Db, absence: AbsenceRow): Promise<number[]> {
  const admins = await actorRows(db, absence.account_id, absence.workspace_id)
    .where((eb) => eb.or([eb('user.is_account_admin', '=', true), isAdminRole(sql.ref('membership.role'))]))
    .where('user.id', '<>', absence.user_id)
    .orderBy('user.id')
    .execute();
  return admins.filter((row) => may(actorIn(row), 'decide', 'absence', absence)).map(({ user_id }) => user_id);
}
