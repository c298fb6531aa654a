import { sql } from 'kysely';
import { tokenHash } from '../../core/secrets.ts';
import type { Db } from '../../db/connection.ts';

/*
 * Counts the requests of each credential in a window of one minute. A process counts in memory, so that no request costs a
 * query. About once a second it adds its counts to counters in the database, which all processes share, and reads the totals.
 * Between two exchanges, the processes together may allow a few requests too many.
 */

const windowMs = 60_000;
const exchangeIntervalMs = 1_000;

const keyOf = (credential: string): string => tokenHash(`rate\n${credential}`);

/** The status of a credential after a request. */
export interface RateStatus {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until the window ends and the count starts again. */
  readonly resetSeconds: number;
}

export interface RateCounts {
  /** Whether the credential has no requests left, as far as this process knows. */
  isExhausted(credential: string): boolean;
  /** Counts a request if one is left. A refused request does not count. */
  take(credential: string): RateStatus;
  /** Exchanges counts with the other processes. `take` schedules this. */
  exchange(): Promise<void>;
}

interface Count {
  /** Requests counted by all processes, as far as this one knows. */
  used: number;
  /** The part of `used` that is not in the database yet. */
  unshared: number;
  endsAtMs: number;
}

export function rateCounts(
  db: Db,
  limit: number,
  options: { clock?: () => number; onError?: (error: unknown) => void } = {},
): RateCounts {
  const { clock = Date.now, onError = () => {} } = options;
  const counts = new Map<string, Count>();
  let isScheduled = false;

  const countOf = (credential: string): Count => {
    const key = keyOf(credential);
    const known = counts.get(key);
    if (known && known.endsAtMs > clock()) return known;
    const started = { used: 0, unshared: 0, endsAtMs: clock() + windowMs };
    counts.set(key, started);
    return started;
  };

  const exchange = async (): Promise<void> => {
    for (const [key, { endsAtMs }] of counts) if (endsAtMs <= clock()) counts.delete(key);
    const sent = [...counts]
      .filter(([, { unshared }]) => unshared > 0)
      .map(([key, count]) => ({ key, count, unshared: count.unshared }));
    if (sent.length === 0) return;
    const totals = new Map((await addToTotals(db, sent, new Date(clock()))).map((row) => [row.key, row]));
    for (const { key, count, unshared } of sent) {
      const { count: total, expires_at } = totals.get(key)!;
      count.unshared -= unshared;
      count.used = total + count.unshared;
      count.endsAtMs = expires_at.getTime();
    }
  };

  const scheduleExchange = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    const run = async (): Promise<void> => {
      await exchange().catch(onError);
      isScheduled = false;
      if ([...counts.values()].some(({ unshared }) => unshared > 0)) scheduleExchange();
    };
    setTimeout(() => void run(), exchangeIntervalMs).unref();
  };

  return {
    isExhausted: (credential) => {
      const known = counts.get(keyOf(credential));
      return known !== undefined && known.endsAtMs > clock() && known.used >= limit;
    },
    take: (credential) => {
      const count = countOf(credential);
      const isAllowed = count.used < limit;
      if (isAllowed) {
        count.used++;
        count.unshared++;
        scheduleExchange();
      }
      return {
        isAllowed,
        remaining: Math.max(0, limit - count.used),
        resetSeconds: Math.ceil((count.endsAtMs - clock()) / 1000),
      };
    },
    exchange,
  };
}

/** Adds to the counters in the database and returns the totals. In order of the keys, so that two processes cannot deadlock. */
async function addToTotals(db: Db, sent: readonly { key: string; count: Count; unshared: number }[], now: Date) {
  const [keys, numbers] = [sent.map(({ key }) => key), sent.map(({ unshared }) => unshared)];
  const ends = sent.map(({ count }) => new Date(count.endsAtMs).toISOString());
  const { rows } = await sql<{ key: string; count: number; expires_at: Date }>`
    insert into attempts (key, count, expires_at)
    select * from unnest(${keys}::text[], ${numbers}::integer[], ${ends}::timestamptz[]) order by 1
    on conflict (key) do update set
      count = case when attempts.expires_at <= ${now} then excluded.count else attempts.count + excluded.count end,
      expires_at = case when attempts.expires_at <= ${now} then excluded.expires_at else attempts.expires_at end
    returning key, count, expires_at`.execute(db);
  return rows;
}
