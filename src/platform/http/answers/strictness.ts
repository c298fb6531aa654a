import { AppError, type Problem } from '../../core/errors.ts';
import { meaning } from '../../core/known_names.ts';
import { ignoredIn, parametersOf, type IgnoredParameter } from '../../db/list/ignored_parameters.ts';
import type { ApiDefinition } from '../api_definition.ts';
import type { Handle } from '../handlers.ts';
import type { Route } from '../route.ts';

/*
 * A list ignores parameters that it does not know, and names them in its response. With `Prefer: handling=strict` (RFC 7240) it
 * refuses them. The frame looks at the names of parameters here, and the list itself at filters and sorting. What a body has
 * beside the contract is found when it is read: see requests/unknown_members.ts.
 */

/** Whether the request prefers to be refused where parameters would be ignored. */
export function prefersStrict(header: string | undefined): boolean {
  // Commas separate preferences, but not inside of quotes. The first one of a name counts.
  const preferences = header?.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? [];
  const handling = preferences.map((text) => /^\s*handling\s*=\s*"?([\w-]*)"?\s*(;|$)/i.exec(text)).find(Boolean);
  return handling?.[1]?.toLowerCase() === 'strict';
}

/** A handler that says in its response that the body was read strictly, where the request asked for that. */
export const readStrictly =
  (handle: Handle): Handle =>
  async (call) => {
    const result = await handle(call);
    return prefersStrict(call.header('Prefer')) ? { ...result, headers: { ...result?.headers, ...applied } } : result;
  };

const applied = { 'Preference-Applied': 'handling=strict' };

/** A handler of a list that tells of unknown parameters: it names the ignored ones, or refuses them where the request is strict. */
export function asPreferred({ hasMeta }: Pick<ApiDefinition, 'hasMeta'>, route: Route, handle: Handle): Handle {
  const names = route.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return async (call) => {
    const unknown = unknownParameters('The list', call.query, names);
    if (prefersStrict(call.header('Prefer'))) {
      const result = await withRefused(unknown, () =>
        handle({ ...call, queryOptions: { ...call.queryOptions, isStrict: true } }),
      );
      const applied = ['handling=strict', result?.headers?.['Preference-Applied'] ?? []].flat().join(', ');
      return { ...result, headers: { ...result?.headers, 'Preference-Applied': applied } };
    }
    const result = await handle(call);
    if (!hasMeta || unknown.length === 0) return result;
    const { ignored = [], did_you_mean } = ignoredIn(unknown);
    const { meta } = result ?? {};
    const meanings = { ...did_you_mean, ...meta?.did_you_mean };
    return {
      ...result,
      meta: {
        ...meta,
        ignored: [...ignored, ...(meta?.ignored ?? [])],
        ...(Object.keys(meanings).length > 0 && { did_you_mean: meanings }),
      },
    };
  };
}

/** Runs the handler of a list. One error has all its problems: the unknown parameters, and what the handler itself refuses. */
async function withRefused<T>(refused: readonly Problem[], handle: () => Promise<T>): Promise<T> {
  if (refused.length === 0) return handle();
  const others = await handle().then(() => [], problemsIn);
  throw new AppError(400, [...refused, ...others]);
}

function problemsIn(error: unknown): readonly Problem[] {
  if (error instanceof AppError && error.status === 400) return error.problems;
  throw error;
}

/** The parameters of a query that are not among the known names. */
export function unknownParameters(
  subject: 'The list' | 'The operation',
  query: Readonly<Record<string, unknown>>,
  names: readonly string[],
): IgnoredParameter[] {
  const isFilter = (name: string): boolean =>
    name === 'filter' && isNested(query[name]) && names.some((known) => known.startsWith('filter['));
  return (
    Object.entries(query)
      // The validator adds a filter without a value where the request has none.
      .filter(([name, value]) => value !== undefined && !names.includes(name) && !isFilter(name))
      .map(([name, value]) => ({
        code: 'unknown_name',
        pointer: name,
        title: `${subject} does not know the parameter "${name.slice(0, 100)}". It takes: ${names.join(', ') || 'none'}.`,
        meta: { allowed: [...names], ...meaning(name, names) },
        parameters: parametersOf(name, value),
      }))
  );
}

const isNested = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);
