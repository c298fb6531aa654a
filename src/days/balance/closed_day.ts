import type { LedgerDay } from '../calendar/day_ledger.ts';
import type { Sums } from './period_sums.ts';

/** A day of a closed month, with everything that is shown of it. It is stored as JSON. */
export interface ClosedDay extends LedgerDay, Omit<Sums, 'totals'> {
  /** The absence that gives the vacation credit. */
  readonly vacationId: number | null;
  /** When something of the day was last changed before the closing: an ISO time. */
  readonly changedAt: string;
}
