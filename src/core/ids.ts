import { randomUUID } from 'node:crypto';
import type { Problem } from './errors.ts';

/** An id as it may come in a body or a path. */
export type Id = number | string;

/** The number behind an id, or undefined where it can be no id of ours. */
export function numericId(id: Id): number | undefined {
  const text = String(id);
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

let lastStamp = 0;

/** A UUID (version 7) greater than all that this process made before, so that rows sort in the order in which they were made. */
export function orderedUuid(): string {
  // Milliseconds, and a count of 12 bits within one, which flows over into the next.
  lastStamp = Math.max(Date.now() * 0x1000, lastStamp + 1);
  const stamp = lastStamp.toString(16).padStart(15, '0');
  // The end of a random UUID (version 4) is made alike, and drawn in advance.
  return `${stamp.slice(0, 8)}-${stamp.slice(8, 12)}-7${stamp.slice(12)}-${randomUUID().slice(19)}`;
}

/** The numbers behind a list of ids, each once, and the ids among them that can be none of ours. */
export function numericIds(ids: readonly Id[]): { numbers: number[]; impossible: Id[] } {
  const impossible = ids.filter((id) => numericId(id) === undefined);
  const numbers = ids.map(numericId).filter((id) => id !== undefined);
  return { numbers: [...new Set(numbers)], impossible };
}

/** One problem that names every id that leads nowhere. */
export function unknownIds(pointer: string, ids: readonly Id[], what: string): Problem[] {
  if (ids.length === 0) return [];
  const named =
    ids
      .slice(0, 10)
      .map((id) => JSON.stringify(id))
      .join(', ') + (ids.length > 10 ? ', …' : '');
  return [{ pointer, title: `${pointer} names ${named}, which is no ${what}.` }];
}
