import { storedAttributes } from '../../platform/core/pick.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf } from '../../platform/events/record.ts';
import type { ShiftRow } from './rows.ts';

interface ShiftState extends Omit<ShiftRow, 'uuid' | 'area_id'> {
  readonly working_area_id: number | null;
}

/** The attributes that are stored as they come. */
export const stored = storedAttributes({
  table: 'shifts',
  schemas: ['ShiftCreation', 'ShiftUpdate'],
  handled: ['working_area_id', 'tag_ids', 'force'],
});

/** The users on a shift are no part of its events: their assignments have their own. */
const shiftEvents = eventsOf<ShiftState>()('shift', [...stored, 'working_area_id', 'edited', 'tag_ids']);

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
