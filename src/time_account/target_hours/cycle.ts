import type { components } from '../../../generated/v3.ts';
import { secondsOfHours } from '../../days/calendar/amounts.ts';
import { missing, type Problem } from '../../platform/core/errors.ts';
import { numericId } from '../../platform/core/ids.ts';

/* A free rhythm: a cycle of days that begins on the first day of its target hour and repeats. */

type Schemas = components['schemas'];

export type CycleInput = readonly Schemas['TargetWorkingDayChange'][];

/** A day of the cycle. A day without an id is new. */
export interface CycleDay {
  readonly id?: number;
  readonly day_type: 'workday' | 'freeday';
  readonly hours_s: number;
}

export type StoredCycleDay = CycleDay & { readonly id: number };

const name = 'target_working_days_attributes';

/**
 * The cycle after a change, and the problems of the change. The list replaces the cycle: days that it does not name are
 * removed. Without a list the cycle stays.
 */
export function changedCycle(
  stored: readonly StoredCycleDay[],
  input: CycleInput | undefined,
): { days: readonly CycleDay[]; problems: Problem[] } {
  if (input === undefined) return { days: stored, problems: stored.length === 0 ? [missing(name)] : [] };
  const ids = input.map(({ id }) => (id === undefined ? undefined : (numericId(id) ?? null)));
  const problems = ids.flatMap((id, index): Problem[] => {
    const pointer = `${name}/${index}/id`;
    if (id === undefined) return [];
    if (!stored.some((day) => day.id === id))
      return [
        {
          code: 'unknown_reference',
          pointer,
          title: `${pointer} names ${JSON.stringify(input[index]!.id)}, which is no day of this cycle.`,
        },
      ];
    return ids.indexOf(id) === index
      ? []
      : [{ code: 'duplicate', pointer, title: `${pointer} names the day ${id} a second time.` }];
  });
  const days = input.flatMap((change, index): CycleDay[] => {
    if (change._destroy === true) return [];
    const known = stored.find(({ id }) => id === ids[index]);
    const day_type = change.day_type ?? known?.day_type ?? 'workday';
    if (day_type === 'freeday') return [{ ...known, day_type, hours_s: 0 }];
    const isKnownWorkday = known?.day_type === 'workday';
    if (change.hours === undefined && !isKnownWorkday) problems.push(missing(`${name}/${index}/hours`));
    return [
      {
        ...known,
        day_type,
        hours_s: change.hours === undefined ? (known?.hours_s ?? 0) : secondsOfHours(change.hours),
      },
    ];
  });
  if (days.length === 0)
    problems.push({ code: 'too_few', pointer: name, title: `${name} must have at least 1 day, but none is left.` });
  return { days, problems };
}
