import type { Problem } from '../../core/errors.ts';
import { partsOf, propertyOf, resolveSchema, type Resolve, type Schema } from '../contract_document.ts';
import { pointerTo } from './pointers.ts';

/*
 * The lengths that the contract allows, checked before the validator runs. Ajv collects all errors of a list that is too long
 * (issue 1816 of ajv), and copies those found so far for each wrong item that is described by a reference: 10,000 items take
 * 0.5 s of CPU time, 40,000 take 15 s. test/http/faults.test.ts fails once it copies them no more.
 */

interface Context {
  readonly envelopes: ReadonlySet<string>;
  readonly resolve: Resolve;
}

/** Nobody reads more problems of one kind. */
const maxLengthProblems = 20;

/** One problem for each list or object that has more members than the contract allows. */
export function lengthProblems(body: unknown, schema: Schema | undefined, context: Context): Problem[] {
  const problems: Problem[] = [];
  collect(body, schema, [], { ...context, problems });
  return problems;
}

function collect(
  value: unknown,
  schema: Schema | undefined,
  path: readonly string[],
  context: Context & { readonly problems: Problem[] },
): void {
  const { envelopes, resolve, problems } = context;
  if (typeof value !== 'object' || value === null || !schema || problems.length >= maxLengthProblems) return;
  const own = resolveSchema(schema, resolve);
  const length = Array.isArray(value) ? value.length : Object.keys(value).length;
  const maximum = maximumOf(own, Array.isArray(value) ? 'maxItems' : 'maxProperties', resolve);
  if (length > maximum) {
    const members = Array.isArray(value) ? 'items' : 'members';
    const title = `${path.at(-1) ?? 'The body'} must have at most ${maximum} ${members}, but had ${length}.`;
    problems.push({ code: 'too_many', pointer: pointerTo(path, envelopes), title, meta: { max_items: maximum } });
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'object') continue;
    const memberSchema = Array.isArray(value) ? own.items : propertyOf(own, name, resolve);
    collect(member, memberSchema, [...path, name], context);
  }
}

/** The greatest length that any branch of the schema allows. */
function maximumOf(schema: Schema, keyword: 'maxItems' | 'maxProperties', resolve: Resolve): number {
  const maxima = partsOf(schema, resolve).flatMap((part) => part[keyword] ?? []);
  return maxima.length > 0 ? Math.max(...maxima) : Infinity;
}
