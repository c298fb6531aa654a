import { sql, type RawBuilder } from 'kysely';

/** From one moment to another; without an end where that is null. */
export interface MomentRange {
  readonly from: Date;
  readonly to: Date | null;
}

/** How long a shift may be. The limit lets an index on the start find the shifts that overlap a range. */
export const maxShiftDays = 14;

export const maxShiftMs = maxShiftDays * 86_400_000;

/** Whether a shift overlaps a range. One that ends when the range begins does not. */
export function overlapsRange({ from, to }: MomentRange): RawBuilder<boolean> {
  const earliest = new Date(from.getTime() - maxShiftMs);
  const isBeforeEnd = to === null ? sql`true` : sql`shifts.starts_at < ${to}`;
  return sql<boolean>`(shifts.starts_at >= ${earliest} and shifts.ends_at > ${from} and ${isBeforeEnd})`;
}
