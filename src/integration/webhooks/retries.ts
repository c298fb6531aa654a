const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** How long to wait after the first failure, the second, and so on. The last one repeats. */
const delaysMs = [5 * seconds, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours, 10 * hours, 24 * hours];

/** How long a delivery is tried, and how long a webhook may fail before it is switched off. */
export const patienceMs = 5 * 24 * hours;

/**
 * When a delivery that has just failed is to be tried again, or null if its time is over. Up to a tenth of the delay is added at
 * random, so that what failed together does not come back together. The last attempt is made at the very end of the time.
 */
export function nextAttempt(
  failures: number,
  { firstAt, now, random = Math.random() }: { readonly firstAt: Date; readonly now: Date; readonly random?: number },
): Date | null {
  const end = firstAt.getTime() + patienceMs;
  if (now.getTime() >= end) return null;
  const delayMs = delaysMs[Math.min(failures, delaysMs.length) - 1]! * (1 + random / 10);
  return new Date(Math.min(now.getTime() + delayMs, end));
}
