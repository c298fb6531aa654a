import { refuse, type Problem } from '../../platform/core/errors.ts';
import { requireRange } from '../../days/balance/ranges.ts';
import type { Asked } from './request.ts';

/* What each type of export can be asked for. The contract cannot say which member fits which type. */

/** The formats of each type. */
export const formats: Readonly<Record<string, readonly string[]>> = {
  list: ['csv', 'xlsx'],
  sum: ['csv', 'xlsx'],
  timesheet: ['csv', 'xlsx', 'pdf'],
  datev_lodas: ['txt'],
  datev_lug: ['txt'],
};

/** The types that are made of time accounts, and the filters that they know: those that select users. */
const userFilters: Readonly<Record<string, readonly string[]>> = {
  timesheet: ['user_id', 'area_id'],
  datev_lodas: [],
  datev_lug: [],
};

/** Refuses what does not fit the type of an export, together with the problems that are known already. */
export function requireFitting(
  { export_type, format, ids, from, to }: Asked & { readonly export_type: string; readonly format: string },
  filter: Readonly<Record<string, unknown>>,
  others: readonly Problem[] = [],
): void {
  const allowed = formats[export_type]!;
  const problems: Problem[] = [...others];
  if (!allowed.includes(format))
    problems.push({
      code: 'contradiction',
      pointer: 'format',
      title: `format must be one of ${allowed.join(', ')} for export_type ${export_type}, but was ${format}.`,
      meta: { allowed: [...allowed] },
    });
  const known = userFilters[export_type];
  if (known) {
    for (const [pointer, value] of Object.entries({ from, to }))
      if (value === undefined)
        problems.push({ code: 'required', pointer, title: `${pointer} is required for export_type ${export_type}.` });
    for (const name of [...(ids ? ['ids'] : []), ...otherFilters(filter, known)])
      problems.push({
        code: 'contradiction',
        pointer: name,
        title: `${name} does not fit export_type ${export_type}, which covers whole days. Send from, to, user_ids or area_ids.`,
      });
  }
  refuse(problems);
  if (export_type !== 'list' && from !== undefined && to !== undefined) requireRange({ from, to });
}

const otherFilters = (filter: Readonly<Record<string, unknown>>, known: readonly string[]): string[] =>
  Object.keys(filter)
    .filter((name) => !known.includes(name))
    .map((name) => `filter[${name}]`);
