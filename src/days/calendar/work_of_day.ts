import type { LocalDate } from './dates.ts';

/** An amount that takes all finished work into account, and one that takes confirmed work only. */
export interface Figures {
  readonly all: number;
  readonly confirmed: number;
}

/** The finished work that begins on one local day. */
export interface WorkOfDay {
  /** Net seconds. */
  readonly worked: Figures;
  readonly breaks: number;
  /** Whether all of it is confirmed. */
  readonly isConfirmed: boolean;
  readonly timeTrackingIds: readonly string[];
}

/** A time tracking that has ended, with its seconds. */
export interface FinishedTracking {
  readonly id: string;
  readonly starts_at: Date;
  readonly net: number;
  readonly breaks: number;
  readonly isConfirmed: boolean;
}

export const noWork: WorkOfDay = {
  worked: { all: 0, confirmed: 0 },
  breaks: 0,
  isConfirmed: true,
  timeTrackingIds: [],
};

/** The work of each day, given the day of a time tracking. */
export function groupWorkByDate<Tracking extends FinishedTracking>(
  trackings: readonly Tracking[],
  dateOf: (tracking: Tracking) => LocalDate,
): Map<LocalDate, WorkOfDay> {
  const days = new Map<LocalDate, WorkOfDay>();
  for (const tracking of trackings) {
    const date = dateOf(tracking);
    days.set(date, withTracking(days.get(date) ?? noWork, tracking));
  }
  return days;
}

const withTracking = (day: WorkOfDay, { id, net, breaks, isConfirmed }: FinishedTracking): WorkOfDay => ({
  worked: { all: day.worked.all + net, confirmed: day.worked.confirmed + (isConfirmed ? net : 0) },
  breaks: day.breaks + breaks,
  isConfirmed: day.isConfirmed && isConfirmed,
  timeTrackingIds: [...day.timeTrackingIds, id],
});
