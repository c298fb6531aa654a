import { gone, invalid } from '../../../platform/core/errors.ts';
import type { Actor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { cursorsWith } from './cursors.ts';
import { readChanges, type Page, type Start } from './read.ts';
import { openWaits } from './waits.ts';
import { wantedNamesAmong } from './wanted_names.ts';

/** The longest wait that a request may ask for. The contract names it. */
const maxWaitSeconds = 30;

/** The parameters of a request of either API. */
interface Asked {
  readonly db: Db;
  readonly actor: Pick<Actor, 'accountId'>;
  readonly query: { readonly cursor?: string; readonly from?: 'beginning'; readonly types?: string };
  header(name: string): string | undefined;
  isAborted(): boolean;
  /** Throws if the credential has been revoked, or may not read the feed any more. */
  readmit(): Promise<unknown>;
}

/** One answer of the feed. */
export interface Changes extends Pick<Page, 'rows'> {
  readonly paging: { readonly next_cursor: string; readonly has_more: boolean };
  readonly headers?: Record<string, string>;
}

/** Reads the change feed, and waits for news where the request asks for that. */
export type ChangeFeed = (asked: Asked) => Promise<Changes>;

interface Parts {
  readonly sign: (purpose: string, text: string) => string;
  readonly isStopping: () => boolean;
  /** The names of all events that the contract knows. */
  readonly eventNames: readonly string[];
}

/** The change feed of this process, which both APIs serve. */
export function changeFeed({ sign, isStopping, eventNames }: Parts): ChangeFeed {
  const { cursorOf, positionOf } = cursorsWith(sign);
  const wantedNames = wantedNamesAmong(eventNames);
  const waits = openWaits(isStopping);

  return async ({ db, actor: { accountId }, query, header, isAborted, readmit }) => {
    const names = wantedNames(query.types);
    const read = async (start: Start): Promise<Page> => {
      const page = await readChanges(db, accountId, start, names);
      if (!page) throw gone('cursor', incomplete);
      return page;
    };
    const waitSeconds = wantedWait(header('Prefer'));
    const leave = waitSeconds > 0 ? waits.enter(accountId) : undefined;
    const untilMs = performance.now() + waitSeconds * 1000;
    const readOrWait = async (): Promise<Page> => {
      const first = await read(startOf(query, (cursor) => positionOf(accountId, cursor)));
      let page = first;
      while (leave && page.rows.length === 0 && performance.now() < untilMs && !isAborted() && !isStopping()) {
        if (!page.hasMore) await waits.forNews({ db, accountId, since: page.next, untilMs, isAborted });
        page = await read(page.next);
      }
      if (page !== first) await readmit();
      return page;
    };
    const page = await readOrWait().finally(leave);
    return {
      rows: page.rows,
      paging: { next_cursor: cursorOf(accountId, page.next), has_more: page.hasMore },
      ...(leave ? { headers: { 'Preference-Applied': `wait=${waitSeconds}` } } : {}),
    };
  };
}

const incomplete =
  'The events after this cursor are incomplete: some were removed after their retention, or an older state of the database was restored. Begin anew without cursor, or with from=beginning, and read the records that you need once more.';

function startOf({ cursor, from }: Asked['query'], positionOf: (cursor: string) => Start): Start {
  if (cursor !== undefined && from !== undefined)
    throw invalid('contradiction', 'from', 'from cannot be combined with cursor. Send one of the two.');
  return cursor === undefined ? (from ?? 'now') : positionOf(cursor);
}

/** The seconds of `wait` in the header `Prefer` (RFC 7240). 0 if there is none. */
function wantedWait(header: string | undefined): number {
  const seconds = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[;,]|$)/i.exec(header ?? '')?.[1];
  return Math.min(Number(seconds ?? 0), maxWaitSeconds);
}
