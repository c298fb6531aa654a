import type { Request } from 'express';
import type { Logger } from 'pino';
import { tooManyRequests } from '../../core/errors.ts';
import type { Db } from '../../db/connection.ts';
import { rateCounts, type RateStatus } from './rate_counts.ts';

/** Authenticates a request, and counts it against the limit of its credential, or of whatever else it is counted by. */
export type RateLimit = <T>(
  req: Request,
  counted: string | undefined,
  authenticate: () => Promise<T>,
  name?: string,
) => Promise<T>;

const unlimited: RateLimit = (_req, _counted, authenticate) => authenticate();

/** A limit on the requests of each credential in a minute. 0 turns it off. */
export function rateLimit(db: Db, perMinute: number, log: Logger): RateLimit {
  if (perMinute === 0) return unlimited;
  const counts = rateCounts(db, perMinute, {
    onError: (error) => log.warn({ err: error }, 'could not share the request counts; retrying'),
  });
  const count = (req: Request, counted: string, name: string): void => {
    const status = counts.take(counted);
    req.res!.set(headersOf(perMinute, status));
    if (!status.isAllowed)
      throw tooManyRequests(status.resetSeconds, `${name} may make ${perMinute} requests a minute.`);
  };
  return async (req, counted, authenticate, name = 'This credential') => {
    // A credential with no requests left costs no query.
    if (counted !== undefined && counts.isExhausted(counted)) count(req, counted, name);
    const actor = await authenticate();
    // Only valid credentials are counted: invented ones must not fill the memory.
    if (counted !== undefined) count(req, counted, name);
    return actor;
  };
}

/** Each header of its own is older than the two of the draft of the IETF (httpapi-ratelimit-headers). */
export const rateLimitHeaders = [
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const;

const headersOf = (
  perMinute: number,
  { remaining, resetSeconds }: RateStatus,
): Record<(typeof rateLimitHeaders)[number], string> => ({
  'RateLimit-Policy': `"minute";q=${perMinute};w=60`,
  RateLimit: `"minute";r=${remaining};t=${resetSeconds}`,
  'RateLimit-Limit': String(perMinute),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});
