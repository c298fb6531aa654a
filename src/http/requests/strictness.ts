import type { Request } from 'express';
import { AppError, type Problem } from '../../core/errors.ts';
import { parametersOf, type Unfit } from '../../db/list/unfit.ts';
import { operationsOf, operationsWith, resolver, type Contract, type Parameter } from '../contract_document.ts';

/*
 * A list ignores parameters that it does not know, and names them in its response. With `Prefer: handling=strict` (RFC 7240) it
 * refuses them. The frame looks at the names of parameters here, and the list itself at filters and sorting.
 */

/** Whether the request prefers to be refused where parameters would be ignored. */
export function prefersStrict(header: string | undefined): boolean {
  // Commas separate preferences, but not inside of quotes. The first one of a name counts.
  const preferences = header?.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? [];
  const handling = preferences.map((text) => /^\s*handling\s*=\s*"?([\w-]*)"?\s*(;|$)/i.exec(text)).find(Boolean);
  return handling?.[1]?.toLowerCase() === 'strict';
}

/** How a request wants its unknown parameters handled. */
export interface Handling {
  readonly isStrict: boolean;
  /** The unknown parameters, as they were sent. Empty if the request is strict. */
  readonly ignored: readonly string[];
  /** The problems of unknown parameters. Empty unless the request is strict. */
  readonly refused: readonly Problem[];
}

const notAList: Handling = { isStrict: false, ignored: [], refused: [] };

/** The handling of requests, for the operations whose contract has the header `Prefer`. */
export function handlingOf(contract: Contract): (req: Request, operationId: string) => Handling {
  const parametersOfLists = listParameters(contract);
  return (req, operationId) => {
    const known = parametersOfLists.get(operationId);
    if (known === undefined) return notAList;
    const isStrict = prefersStrict(req.get('Prefer'));
    const unknown = unknownIn(req.query, known);
    return isStrict
      ? { isStrict, ignored: [], refused: unknown }
      : { isStrict, ignored: unknown.flatMap(({ parameters }) => parameters), refused: [] };
  };
}

/** Runs the handler of a list. One error has all its problems: the unknown parameters, and what the handler itself refuses. */
export async function withRefused<T>(refused: readonly Problem[], handle: () => Promise<T>): Promise<T> {
  if (refused.length === 0) return handle();
  const others = await handle().then(() => [], problemsIn);
  throw new AppError(400, [...refused, ...others]);
}

function problemsIn(error: unknown): readonly Problem[] {
  if (error instanceof AppError && error.status === 400) return error.problems;
  throw error;
}

function unknownIn(query: Request['query'], { names, hasFilters }: ListParameters): Unfit[] {
  const isKnown = (name: string): boolean =>
    names.includes(name) || (name === 'filter' && hasFilters && isNested(query[name]));
  return (
    Object.entries(query)
      // The validator adds a filter without a value where the request has none.
      .filter(([name, value]) => value !== undefined && !isKnown(name))
      .map(([name, value]) => ({
        code: 'unknown_name',
        pointer: name,
        title: `The list does not know the parameter "${name.slice(0, 100)}". It takes: ${names.join(', ')}.`,
        meta: { allowed: [...names] },
        parameters: parametersOf(name, value),
      }))
  );
}

const isNested = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);

interface ListParameters {
  readonly names: readonly string[];
  readonly hasFilters: boolean;
}

/** The names of the parameters in the query of each list. */
function listParameters(contract: Contract): Map<string, ListParameters> {
  const resolve = resolver(contract);
  const lists = operationsWith(contract, 'Prefer');
  return new Map(
    operationsOf(contract)
      .filter(({ operation }) => lists.has(operation.operationId))
      .map(({ operation, item }) => {
        const names = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
          .map((parameter) => ('$ref' in parameter ? (resolve(parameter.$ref) as Parameter) : parameter))
          .filter((parameter) => parameter.in === 'query')
          .map(({ name }) => name);
        const hasFilters = names.some((name) => name.startsWith('filter['));
        return [operation.operationId, { names, hasFilters }];
      }),
  );
}
