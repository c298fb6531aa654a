import type { Response } from 'supertest';
import { vi } from 'vitest';
import type { RequestOptions } from '../client.ts';
import { onAllServers } from '../database/distribution.ts';
import { service } from '../service.ts';

export interface ShownEvent {
  readonly id: string;
  readonly type: string;
  readonly attributes: {
    readonly name: string;
    readonly record_type: string;
    readonly record_id: string;
    readonly external_id: string | null;
    readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
  };
  readonly relationships: object;
}

interface Caller {
  call(operationId: string, options?: RequestOptions): Promise<Response>;
}

export const changes = (caller: Caller, query: Record<string, string> = {}, options: RequestOptions = {}) =>
  caller.call('getChanges', { ...options, query });

/** The cursor from which on the feed has what happens next. */
export async function cursorNow(caller: Caller): Promise<string> {
  await olderWritersEnd();
  return (await changes(caller)).body.meta.next_cursor;
}

/** Waits for the transactions that write now. Other tests have some on the same server, and a cursor lies before the oldest. */
async function olderWritersEnd(): Promise<void> {
  const { db } = (await service()).database;
  const numbers = await onAllServers(db, 'select pg_current_xact_id()');
  const haveEnded = async () => {
    const oldest = await onAllServers(db, 'select pg_snapshot_xmin(pg_current_snapshot())');
    return numbers.every((number, server) => BigInt(oldest[server]!) > BigInt(number));
  };
  await vi.waitUntil(haveEnded, { timeout: 120_000 });
}

/**
 * Follows the feed until it has so many events. Other tests share the server of the database, and their transactions delay the
 * feed.
 */
export async function follow(
  caller: Caller,
  query: Record<string, string>,
  count: number,
): Promise<{ events: ShownEvent[]; cursor: string }> {
  const events: ShownEvent[] = [];
  let next = query;
  for (let tries = 0; tries < 100 && events.length < count; tries++) {
    const { status, body } = await changes(caller, next, { headers: { Prefer: 'wait=5' } });
    if (status !== 200) throw new Error(JSON.stringify(body));
    events.push(...body.data);
    const { from: _, ...rest } = query;
    next = { ...rest, cursor: body.meta.next_cursor };
  }
  return { events, cursor: next['cursor']! };
}

export const namesIn = (events: readonly ShownEvent[]): string[] => events.map(({ attributes }) => attributes.name);
