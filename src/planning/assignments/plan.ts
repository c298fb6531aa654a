import type { DateRange, LocalDate } from '../../days/calendar/dates.ts';
import { localDateOf, localDaySpan, secondsIn } from '../../days/calendar/local_pieces.ts';
import type { Db } from '../../platform/db/connection.ts';

/** A user and the zone whose days count. */
interface PlannedUser {
  readonly userId: number;
  readonly zone: string;
}

/** How long the published shifts of a user in existing workspaces last in all, by the day on which they begin, in seconds. Days without a shift have no entry. */
export async function plannedSeconds(
  db: Db,
  accountId: number,
  { userId, zone }: PlannedUser,
  { from, to }: DateRange,
): Promise<ReadonlyMap<LocalDate, number>> {
  const shifts = await db
    .selectFrom('assignments')
    .innerJoin('shifts', (join) =>
      join.on('shifts.account_id', '=', accountId).onRef('shifts.id', '=', 'assignments.shift_id'),
    )
    .innerJoin('workspaces', (join) =>
      join
        .on('workspaces.account_id', '=', accountId)
        .onRef('workspaces.id', '=', 'shifts.workspace_id')
        .on('workspaces.deleted_at', 'is', null),
    )
    .select(['assignments.starts_at', 'assignments.ends_at'])
    .where('assignments.account_id', '=', accountId)
    .where('assignments.user_id', '=', userId)
    .where('assignments.application', '=', false)
    .where('assignments.starts_at', '>=', localDaySpan(from, zone).starts_at)
    .where('assignments.starts_at', '<', localDaySpan(to, zone).ends_at)
    .where('shifts.visible', 'is distinct from', false)
    .execute();
  const days = new Map<LocalDate, number>();
  for (const shift of shifts) {
    const day = localDateOf(shift.starts_at, zone);
    days.set(day, (days.get(day) ?? 0) + secondsIn(shift));
  }
  return days;
}
