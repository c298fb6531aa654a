import type { Request } from 'express';
import type { Logger } from 'pino';
import { tooManyRequests } from '../../core/errors.ts';
import type { Db } from '../../db/connection.ts';
import { rateCounts, type Standing } from './rate_counts.ts';

/** Finds out who a credential belongs to, and counts the request against its limit once that is known. */
export type RateLimit = <T>(req: Request, credential: string | undefined, authenticate: () => Promise<T>) => Promise<T>;

const unlimited: RateLimit = (_req, _credential, authenticate) => authenticate();

/** The limit on the requests of one credential in a minute; 0 turns it off. */
export function rateLimit(db: Db, perMinute: number, log: Logger): RateLimit {
  if (perMinute === 0) return unlimited;
  const counts = rateCounts(db, perMinute, {
    onError: (error) => log.warn({ err: error }, 'the counts of requests could not be shared; trying again'),
  });
  const count = (req: Request, credential: string): void => {
    const standing = counts.take(credential);
    req.res!.set(headersOf(perMinute, standing));
    if (!standing.isLetIn)
      throw tooManyRequests(standing.resetSeconds, `This credential may make ${perMinute} requests a minute.`);
  };
  return async (req, credential, authenticate) => {
    // Whoever has nothing left is not worth a look into the database.
    if (credential !== undefined && counts.isSpent(credential)) count(req, credential);
    const actor = await authenticate();
    // Only credentials that exist are counted: nobody fills the memory with invented ones.
    if (credential !== undefined) count(req, credential);
    return actor;
  };
}

export const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

const headersOf = (
  perMinute: number,
  { remaining, resetSeconds }: Standing,
): Record<(typeof rateLimitHeaders)[number], string> => ({
  'RateLimit-Limit': String(perMinute),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});
