import { requestBodySchema } from '../../../src/platform/http/contract_document.ts';
import type { RequestParts } from '../../support/contract/valid_requests.ts';
import type { Resolve, Schema } from './fitting_values.ts';
import { resolvers, type ApiOperation } from '../../support/contract/operations.ts';

/*
 * The numbers in requests: in the query and in the body. Read from the contracts, so that a new number is tested at once.
 */

export type Step = string | 0;
type Json = Record<string, unknown>;

export interface NumberPlace {
  readonly where: 'query' | 'body';
  /** The steps to it. 0 means an item of a list. */
  readonly steps: readonly Step[];
  readonly schema: Schema;
}

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat();
const isNumber = (schema: Schema): boolean => typesOf(schema).some((type) => type === 'integer' || type === 'number');

/** Every number that a request can contain. */
export function numbersOf({ api, allParameters, ...operation }: ApiOperation): NumberPlace[] {
  const resolve = resolvers[api] as Resolve;
  const inQuery = (allParameters as readonly { in: string; name: string; schema?: Schema }[])
    .filter((parameter) => parameter.in === 'query' && parameter.schema)
    .map(({ name, schema }) => ({ where: 'query' as const, steps: [name], schema: resolved(schema!, resolve) }))
    .filter(({ schema }) => isNumber(schema));
  const body = operation.requestBody && (requestBodySchema(operation, undefined, resolve) as Schema);
  return [...inQuery, ...(body ? numbersIn(body, [], resolve) : [])];
}

function numbersIn(schema: Schema, steps: readonly Step[], resolve: Resolve): NumberPlace[] {
  const own = resolved(schema, resolve);
  const branches = [...(own.allOf ?? []), ...(own.anyOf ?? []), ...(own.oneOf ?? [])];
  return [
    ...(isNumber(own) ? [{ where: 'body' as const, steps, schema: own }] : []),
    ...branches.flatMap((branch) => numbersIn(branch, steps, resolve)),
    ...Object.entries(own.properties ?? {}).flatMap(([name, member]) => numbersIn(member, [...steps, name], resolve)),
    ...(own.items ? numbersIn(own.items, [...steps, 0], resolve) : []),
  ];
}

function resolved(schema: Schema, resolve: Resolve): Schema {
  return schema.$ref ? resolved(resolve(schema.$ref), resolve) : schema;
}

/** The forms in which a client can send the number: the public API accepts text, and an id can be a number or text. */
export function formsOf({ api }: ApiOperation, { where, schema }: NumberPlace, number: number): (number | string)[] {
  const isText = where === 'query' || api === 'public' || typesOf(schema).includes('string');
  return [...(where === 'query' ? [] : [number]), ...(isText ? [String(number)] : [])];
}

/** Whether the contract allows the value there. It allows any text without a pattern, and any number without bounds. */
export function isAllowed({ schema }: NumberPlace, value: number | string): boolean {
  if (typeof value === 'string' && typesOf(schema).includes('string'))
    return schema.pattern === undefined || new RegExp(schema.pattern).test(value);
  if (schema.enum) return schema.enum.includes(value);
  const { minimum = -Infinity, maximum = Infinity } = schema;
  return Number(value) >= minimum && Number(value) <= maximum;
}

/** The same request with the value there, and with the objects and lists around it. */
export function withNumber(draft: RequestParts, { where, steps }: NumberPlace, value: number | string): RequestParts {
  const copy = structuredClone(draft);
  if (where === 'query') return { ...copy, query: { ...copy.query, [steps[0] as string]: value } };
  return { ...copy, body: placed(copy.body, steps, value) as RequestParts['body'] };
}

/** The body with the value at the end of the steps, and with the objects and lists around it. */
export function placed(node: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  if (step === undefined) return value;
  if (step === 0) return [placed(Array.isArray(node) ? node[0] : undefined, rest, value)];
  const members = typeof node === 'object' && node !== null && !Array.isArray(node) ? (node as Json) : {};
  return { ...members, [step]: placed(members[step], rest, value) };
}
