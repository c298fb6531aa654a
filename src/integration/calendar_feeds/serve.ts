import { Router } from 'express';
import { networkOf } from '../../platform/core/client_network.ts';
import { notFound } from '../../platform/core/errors.ts';
import type { Db } from '../../platform/db/connection.ts';
import { readForAccount } from '../../platform/db/transactions.ts';
import { textTag } from '../../platform/http/answers/etag.ts';
import type { RateLimit } from '../../platform/http/security/rate_limits.ts';
import { calendarFor } from './entries.ts';
import { writeCalendar } from './icalendar.ts';
import { feedWithSecret, readerOf, type Feed } from './reader.ts';

interface Parts {
  readonly dbFor: (accountId: number | undefined) => Db;
  readonly limited: RateLimit;
  readonly clock: () => Date;
  /** Whether reads have row-level security too. */
  readonly securesReads: boolean;
}

/** Serves calendars by their secret addresses. */
export function calendarsRouter({ dbFor, limited, clock, securesReads }: Parts): Router {
  const calendarOf = (feed: Feed) => {
    const db = dbFor(feed.accountId);
    const read = async (handle: Db) => {
      const reader = await readerOf(handle, feed);
      return reader && calendarFor(handle, reader, clock());
    };
    return securesReads ? readForAccount(db, feed.accountId, read) : read(db);
  };
  const router = Router();
  router.get('/calendars/:secret.ics', async (req, res) => {
    // Counted before the look-up, so that wrong guesses count too.
    await limited(req, `calendars\n${networkOf(req.ip ?? '')}`, async () => null, 'This IP address');
    const feed = await feedWithSecret(dbFor(undefined), req.params.secret);
    const calendar = feed && (await calendarOf(feed));
    if (!calendar) throw notFound('calendar');
    const text = await writeCalendar(calendar.title, calendar.entries);
    res.set({
      'Content-Type': 'text/calendar; charset=utf-8',
      // Without a name, browsers would name the file by its secret.
      'Content-Disposition': 'attachment; filename="calendar.ics"',
      'Cache-Control': 'private, no-cache',
      ETag: textTag(text),
    });
    // 304 if the client has it already.
    res.send(text);
  });
  return router;
}
