import { randomUUID } from 'node:crypto';
import type { Problem } from './errors.ts';

/** An id as bodies and paths give it. */
export type Id = number | string;

/** The id as a number, or undefined where no record can have it. */
export function numericId(id: Id): number | undefined {
  const text = String(id);
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/**
 * Stands for no workspace in a condition. No workspace has this id, and unlike `= null` the condition is not known to be false
 * beforehand: Citus refuses such conditions in outer joins.
 */
export const noWorkspaceId = 0;

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

let lastStamp = 0;

/** A UUID (version 7) greater than every earlier one of this process, so that rows sort in the order of their creation. */
export function orderedUuid(): string {
  // Milliseconds, followed by a counter of 12 bits. The counter overflows into the next millisecond.
  lastStamp = Math.max(Date.now() * 0x1000, lastStamp + 1);
  const stamp = lastStamp.toString(16).padStart(15, '0');
  // Versions 4 and 7 end alike. Node draws version 4 in advance, in batches.
  return `${stamp.slice(0, 8)}-${stamp.slice(8, 12)}-7${stamp.slice(12)}-${randomUUID().slice(19)}`;
}

/** The ids as numbers, without duplicates, and the ids that no record can have. */
export function numericIds(ids: readonly Id[]): { numbers: number[]; impossible: Id[] } {
  const impossible = ids.filter((id) => numericId(id) === undefined);
  const numbers = ids.map(numericId).filter((id) => id !== undefined);
  return { numbers: [...new Set(numbers)], impossible };
}

/** One problem that lists every unknown id. */
export function unknownIds(pointer: string, ids: readonly Id[], what: string): Problem[] {
  if (ids.length === 0) return [];
  const named =
    ids
      .slice(0, 10)
      .map((id) => JSON.stringify(id))
      .join(', ') + (ids.length > 10 ? ', …' : '');
  return [{ code: 'unknown_reference', pointer, title: `${pointer} names ${named}, which is no ${what}.` }];
}

/** The id of a time tracking that v3 shows. A punched one keeps its UUID for life. */
export const shownId = ({ uuid, id }: { readonly uuid: string | null; readonly id: number }): string =>
  uuid ?? String(id);
