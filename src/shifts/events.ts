import type { Actor } from '../core/permissions.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { eventsOf } from '../events/record.ts';
import type { ShiftRow } from './rows.ts';

interface ShiftState extends Omit<ShiftRow, 'uuid' | 'area_id'> {
  readonly working_area_id: number | null;
}

/** The users on a shift are no part of its events: their assignments have their own. */
const shiftEvents = eventsOf<ShiftState>()('shift', [
  'working_area_id',
  'starts_at',
  'ends_at',
  'number_of_employees',
  'note',
  'visible',
  'edited',
  'tag_ids',
]);

const stateOf = (row: ShiftRow | null): ShiftState | null => {
  if (row === null) return null;
  const { uuid: _, area_id, ...state } = row;
  return { ...state, working_area_id: area_id };
};

/** Records what a verb did to a shift. */
export const recordShift = (
  tx: OpenTransaction,
  actor: Actor,
  verb: 'created' | 'updated' | 'deleted',
  { before, after }: { before: ShiftRow | null; after: ShiftRow | null },
  now: Date,
): void => shiftEvents.record(tx, actor, verb, { before: stateOf(before), after: stateOf(after) }, now);
