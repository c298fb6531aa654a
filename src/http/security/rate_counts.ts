import { sql } from 'kysely';
import { tokenHash } from '../../core/secrets.ts';
import type { Db } from '../../db/connection.ts';

/*
 * How many requests each credential has made within its minute. A process counts in memory, so that no request costs a
 * statement; about once a second it adds what it counted to the counters that all processes share, and learns what the others
 * counted. Between two exchanges the processes together may let a few requests too many through.
 */

const windowMilliseconds = 60_000;

const keyOf = (credential: string): string => tokenHash(`rate\n${credential}`);

/** Where a credential stands after a request. */
export interface Standing {
  readonly isLetIn: boolean;
  readonly remaining: number;
  /** Seconds until the minute is over and all requests are free again. */
  readonly resetSeconds: number;
}

export interface RateCounts {
  /** Whether nothing is left, as far as this process knows. */
  isSpent(credential: string): boolean;
  /** Counts one more request, unless nothing is left: a refused one does not count. */
  take(credential: string): Standing;
  /** Exchanges counts with the other processes, once; `take` sees to it that this happens. */
  share(): Promise<void>;
}

interface Count {
  /** By all processes, as far as this one knows. */
  used: number;
  /** The part of it that the others do not know of yet. */
  unshared: number;
  endsAt: number;
}

export function rateCounts(
  db: Db,
  limit: number,
  options: { clock?: () => number; onError?: (error: unknown) => void } = {},
): RateCounts {
  const { clock = Date.now, onError = () => {} } = options;
  const counts = new Map<string, Count>();
  let isDue = false;

  const countOf = (credential: string): Count => {
    const key = keyOf(credential);
    const known = counts.get(key);
    if (known && known.endsAt > clock()) return known;
    const fresh = { used: 0, unshared: 0, endsAt: clock() + windowMilliseconds };
    counts.set(key, fresh);
    return fresh;
  };

  const share = async (): Promise<void> => {
    for (const [key, { endsAt }] of counts) if (endsAt <= clock()) counts.delete(key);
    const sent = [...counts]
      .filter(([, { unshared }]) => unshared > 0)
      .map(([key, count]) => ({ key, count, unshared: count.unshared }));
    if (sent.length === 0) return;
    const totals = new Map((await exchange(db, sent, new Date(clock()))).map((row) => [row.key, row]));
    for (const { key, count, unshared } of sent) {
      const { count: total, expires_at } = totals.get(key)!;
      count.unshared -= unshared;
      count.used = total + count.unshared;
      count.endsAt = expires_at.getTime();
    }
  };

  const shareSoon = (): void => {
    if (isDue) return;
    isDue = true;
    const run = async (): Promise<void> => {
      await share().catch(onError);
      isDue = false;
      if ([...counts.values()].some(({ unshared }) => unshared > 0)) shareSoon();
    };
    setTimeout(() => void run(), 1000).unref();
  };

  return {
    isSpent: (credential) => {
      const known = counts.get(keyOf(credential));
      return known !== undefined && known.endsAt > clock() && known.used >= limit;
    },
    take: (credential) => {
      const count = countOf(credential);
      const isLetIn = count.used < limit;
      if (isLetIn) {
        count.used++;
        count.unshared++;
        shareSoon();
      }
      return {
        isLetIn,
        remaining: Math.max(0, limit - count.used),
        resetSeconds: Math.ceil((count.endsAt - clock()) / 1000),
      };
    },
    share,
  };
}

/** Adds to the shared counters and returns them. In order of their keys, so that two processes never wait for each other in a circle. */
async function exchange(db: Db, sent: readonly { key: string; count: Count; unshared: number }[], now: Date) {
  const [keys, numbers] = [sent.map(({ key }) => key), sent.map(({ unshared }) => unshared)];
  const ends = sent.map(({ count }) => new Date(count.endsAt).toISOString());
  const { rows } = await sql<{ key: string; count: number; expires_at: Date }>`
    insert into attempts (key, count, expires_at)
    select * from unnest(${keys}::text[], ${numbers}::integer[], ${ends}::timestamptz[]) order by 1
    on conflict (key) do update set
      count = case when attempts.expires_at <= ${now} then excluded.count else attempts.count + excluded.count end,
      expires_at = case when attempts.expires_at <= ${now} then excluded.expires_at else attempts.expires_at end
    returning key, count, expires_at`.execute(db);
  return rows;
}
