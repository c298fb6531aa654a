import { invalid } from '../../platform/core/errors.ts';
import type { Id } from '../../platform/core/ids.ts';

/*
 * Turns a request for an export into filters of the list that it covers. The members of the body narrow what the filters of
 * the query leave.
 */

export type Resource = 'time_trackings' | 'absences';

/** The members of the body that select records. */
export interface Asked {
  readonly ids?: readonly Id[];
  readonly from?: string;
  readonly to?: string;
  readonly user_ids?: readonly Id[];
  readonly area_ids?: readonly Id[];
}

/** The scope of a file. It is stored as JSON until a job makes the file. */
export interface Coverage {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly sort: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly user_ids?: readonly number[];
}

type Filter = Readonly<Record<string, unknown>>;

/** The filters of the query together with what the body asks for; 400 for what contradicts itself. */
export function coverageOf(resource: Resource, filter: Filter, sort: readonly string[], asked: Asked): Coverage {
  const { from, to } = asked;
  if (from !== undefined && to !== undefined && to < from)
    throw invalid('out_of_range', 'to', `to must not lie before from, which is ${from}, but was ${to}.`);
  const added = { ...idFilters(asked), ...dayFilters[resource](asked) };
  for (const [name, { value, member }] of Object.entries(added)) {
    // Times take several conditions, all of which hold. The others would be read as one list of alternatives.
    if (name !== 'starts_at' && filter[name] !== undefined)
      throw invalid(
        'contradiction',
        member,
        `${member} cannot be combined with filter[${name}], but both were sent. Send one of them.`,
      );
    added[name] = { member, value: filter[name] === undefined ? value : [filter[name], value].flat() };
  }
  const merged = { ...filter, ...Object.fromEntries(Object.entries(added).map(([name, { value }]) => [name, value])) };
  const { user_ids } = asked;
  return {
    filter: merged,
    sort,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(user_ids && { user_ids: user_ids.map(Number) }),
  };
}

/** A filter, and the member of the body that it stands for. */
type Added = Record<string, { readonly value: unknown; readonly member: string }>;

const idFilters = ({ ids, user_ids, area_ids }: Asked): Added => ({
  ...(ids && { id: { value: `in:${ids.join(',')}`, member: 'ids' } }),
  ...(user_ids && { user_id: { value: user_ids.join(','), member: 'user_ids' } }),
  ...(area_ids && { area_id: { value: area_ids.join(','), member: 'area_ids' } }),
});

/** Work counts on the day on which it starts, and an absence on every day that it touches. */
const dayFilters: Readonly<Record<Resource, (asked: Asked) => Added>> = {
  time_trackings: ({ from, to }): Added => {
    const value = [...(from === undefined ? [] : [`gte:${from}`]), ...(to === undefined ? [] : [`lte:${to}`])];
    return value.length === 0 ? {} : { starts_at: { value, member: 'from' } };
  },
  absences: ({ from, to }): Added => {
    if (from === undefined) return to === undefined ? {} : { starts_at: { value: [`lte:${to}`], member: 'to' } };
    const value = to === undefined ? from : `${from}_${to}`;
    return { overlapping_with_range: { value, member: 'from' } };
  },
};
