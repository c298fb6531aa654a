import type { Ref } from '../../platform/core/names.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { addSystemNotes } from '../../platform/notes/notes.ts';
import { notify, notifyFollowers } from '../../platform/notifications/notifications.ts';
import { findAbsence, lockAbsence } from './absences.ts';
import { recordDecision } from './events.ts';
import type { AbsenceRow } from './rows.ts';
import { spanInWords } from './note_texts.ts';

/** The state that a decision leads to. The two APIs have different operations for it. */
export type Decision = 'confirmed' | 'rejected' | 'pending';

const did: Record<Decision, string> = { confirmed: 'confirmed', rejected: 'rejected', pending: 'set back to pending' };

/** Decides about an absence in any state. Of two decisions at the same time the later one is kept, and both leave a note. */
export async function decideAbsence(
  db: OpenTransaction,
  actor: Actor,
  ref: Ref,
  decision: Decision,
  now: Date,
): Promise<AbsenceRow> {
  const absence = await lockAbsence(db, actor, ref);
  authorize(actor, 'decide', 'absence', absence);
  return storeDecision(db, actor, absence, decision, now);
}

/** Stores a decision, adds a note, and notifies the user and the followers. The caller has locked the absence and checked the right. */
export async function storeDecision(
  db: OpenTransaction,
  actor: Actor,
  absence: AbsenceRow,
  decision: Decision,
  now: Date,
): Promise<AbsenceRow> {
  const isConfirmed = decision === 'confirmed';
  await db
    .updateTable('absences')
    .set({
      confirmation_status: decision,
      confirmed_at: isConfirmed ? now : null,
      confirmed_by_user_id: isConfirmed ? actor.userId : null,
      updated_at: now,
    })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', absence.id)
    .execute();

  const owner = { absence_id: absence.id };
  const what = `"${absence.title}", ${spanInWords(absence, absence.user_time_zone)}`;
  const content = `${actor.username} ${saying(decision, 'the absence')}.`;
  await addSystemNotes(db, actor.accountId, [{ owner, content }], now);
  const title = `Your absence was ${did[decision]}`;
  await notify(
    db,
    actor.accountId,
    absence.workspace_id,
    {
      user_id: absence.user_id,
      title,
      message: `${actor.username} ${saying(decision, `your absence ${what}`)}.`,
      owner,
    },
    now,
  );
  await notifyFollowers(
    db,
    actor,
    `An absence was ${did[decision]}`,
    [{ owner, message: `${actor.username} ${saying(decision, `the absence ${what}`)}.` }],
    now,
  );
  const after = await findAbsence(db, actor, absence.id);
  recordDecision(db, actor, { before: absence, after }, now);
  return after;
}

const saying = (decision: Decision, what: string): string =>
  decision === 'pending' ? `set ${what} back to pending` : `${did[decision]} ${what}`;
