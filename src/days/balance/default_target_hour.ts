import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf, type EventActor } from '../../platform/events/record.ts';

const targetHourEvents = eventsOf<{ id: number; user_id: number; start_date: string }>()('target_hour', ['start_date']);

interface AccountedUser {
  readonly account_id: number;
  readonly id: number;
  readonly start_of_accounting: string | null;
}

/**
 * Moves the target hour that the database gave a new user to another start of accounting. One that somebody has written stays,
 * and so does one that another target hour of the user precedes or would precede. The caller has locked the user.
 */
export async function moveDefaultTargetHour(
  tx: OpenTransaction,
  actor: EventActor,
  { account_id, id: user_id, start_of_accounting }: AccountedUser,
  start_date: string | undefined,
  now: Date,
): Promise<void> {
  if (start_date === undefined || start_date === start_of_accounting) return;
  const [first, second] = await tx
    .selectFrom('target_hours')
    .select(['id', 'user_id', 'start_date', 'updated_by_user_id'])
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .orderBy('start_date')
    .limit(2)
    .execute();
  if (!first || first.updated_by_user_id !== null || (second && second.start_date <= start_date)) return;
  await tx
    .updateTable('target_hours')
    .set({ start_date, updated_at: now })
    .where('account_id', '=', account_id)
    .where('id', '=', first.id)
    .execute();
  targetHourEvents.record(tx, actor, 'updated', { before: first, after: { ...first, start_date } }, now);
}
