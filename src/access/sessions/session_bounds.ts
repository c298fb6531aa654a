import type { Config } from '../../platform/config.ts';

/** How long sessions last, in days. 0 for no bound. */
export type SessionBounds = Config['sessions'];

const dayMs = 86_400_000;

const daysBefore = (now: Date, days: number): Date => new Date(days === 0 ? 0 : now.getTime() - days * dayMs);

/** A session is open if it was used and begun since these moments. */
export const openSince = ({ idleDays, maxDays }: SessionBounds, now: Date) => ({
  usedSince: daysBefore(now, idleDays),
  begunSince: daysBefore(now, maxDays),
});

/** The seconds after which a new session ends, however much it is used; null for never. */
export const lifetimeSeconds = ({ maxDays }: SessionBounds): number | null =>
  maxDays === 0 ? null : maxDays * (dayMs / 1000);
