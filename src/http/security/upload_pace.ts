import { unavailable } from '../../core/errors.ts';
import { recentlyUsed } from '../../core/remember.ts';

/*
 * To read and store a form takes the process and the database time in proportion to its size, and the garbage it leaves stops
 * the process for moments. So each sender has a number of bytes per second. A form starts at once if the earlier forms of its
 * sender are paid off, and otherwise waits before it is read: only its first bytes are in memory meanwhile.
 */

/** Returns how long a form of so many bytes has to wait before it is read, in ms; 503 where that is too long. */
export type UploadPace = (sender: string | number, bytes: number) => number;

const maxWaitMs = 30_000;
/** Senders that were forgotten start again without a wait. */
const maxSenders = 10_000;

/** A limit on the bytes of forms that this process reads per second for one sender. 0 turns it off. */
export function uploadPace(bytesPerSecond: number, { clock = () => performance.now() } = {}): UploadPace {
  if (bytesPerSecond === 0) return () => 0;
  const paidOffAtMs = recentlyUsed<string | number, number>(maxSenders);
  return (sender, bytes) => {
    const now = clock();
    const startsAt = Math.max(now, paidOffAtMs.get(sender) ?? 0);
    if (startsAt - now > maxWaitMs) throw unavailable();
    paidOffAtMs.set(sender, startsAt + (bytes / bytesPerSecond) * 1_000);
    return startsAt - now;
  };
}
