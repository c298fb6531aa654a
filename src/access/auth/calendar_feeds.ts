import type { Selectable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf, recordEvents, type EventActor } from '../../platform/events/record.ts';

/** Without the hash, which only the look-up by secret reads. */
export const shownColumns = [
  'account_id',
  'id',
  'user_id',
  'name',
  'scope',
  'workspace_id',
  'area_id',
  'created_at',
] as const;

export type CalendarFeedRow = Pick<Selectable<DB['calendar_feeds']>, (typeof shownColumns)[number]>;

export const calendarFeedEvents = eventsOf<CalendarFeedRow>()('calendar_feed', ['name', 'scope', 'area_id']);

/** Revokes the secrets of all calendar feeds of a user. */
export async function revokeCalendarFeedsOf(
  tx: OpenTransaction,
  actor: EventActor,
  userId: number,
  now: Date,
): Promise<void> {
  await tx
    .deleteFrom('directory_calendar_feeds')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .execute();
  const revoked = await tx
    .deleteFrom('calendar_feeds')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .returning(shownColumns)
    .execute();
  const events = revoked.flatMap((before) => calendarFeedEvents.eventOf('deleted', before, null) ?? []);
  recordEvents(tx, actor, events, now);
}
