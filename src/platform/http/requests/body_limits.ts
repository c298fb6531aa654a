import { invalid, type Problem } from '../../core/errors.ts';
import { partsOf, propertyOf, resolveSchema, type Schema } from '../contract_document.ts';
import type { Route } from '../route.ts';
import { pointerTo, subjectOf } from './pointers.ts';

/*
 * Problems of a body that must be found before the validator sees it. Ajv collects all errors of a list that is too long (issue 1816
 * of ajv), and copies those found so far for each wrong item that is described by a reference: 10,000 items take 0.5 s of CPU
 * time, 40,000 take 15 s. test/meta/validator_faults.test.ts fails once it copies them no more. PostgreSQL cannot store NUL.
 */

/** No body of the contracts is half as deep as this. */
export const maxDepth = 32;

/** Nobody reads more problems of one kind. */
const maxProblems = 20;

type Bounds = Pick<Route, 'bodySchema' | 'envelopes' | 'resolve'>;

/** One problem for each list or object that has more members than the contract allows, and for each text that contains NUL. */
export function limitProblems(body: unknown, { bodySchema, envelopes, resolve }: Bounds): Problem[] {
  const problems: Problem[] = [];
  const path: string[] = [];
  const refuse = (code: Problem['code'], words: string, meta?: Problem['meta']): void => {
    const title = `${subjectOf(path)} must ${words}.`;
    problems.push({ code, pointer: pointerTo(path, envelopes), title, ...(meta && { meta }) });
  };

  const look = (value: unknown, schema: Schema | undefined): void => {
    if (typeof value === 'string' && value.includes('\0')) refuse('invalid_format', 'not contain the NUL character');
    if (typeof value !== 'object' || value === null) return;
    if (path.length >= maxDepth)
      throw invalid('malformed_request', 'base', `The body is nested more than ${maxDepth} levels deep.`);
    const own = schema && resolveSchema(schema, resolve);
    const parts = own ? partsOf(own, resolve) : [];
    const [length, unit, maxima] = Array.isArray(value)
      ? [value.length, 'items', parts.flatMap(({ maxItems = [] }) => maxItems)]
      : [Object.keys(value).length, 'members', parts.flatMap(({ maxProperties = [] }) => maxProperties)];
    // A branch may allow more than another one.
    const maximum = maxima.length > 0 ? Math.max(...maxima) : Infinity;
    if (length > maximum)
      return refuse('too_many', `have at most ${maximum} ${unit}, but had ${length}`, { max_items: maximum });
    for (const [name, member] of Object.entries(value)) {
      if (problems.length >= maxProblems) return;
      path.push(name);
      if (typeof member !== 'object' || !own) look(member, undefined);
      else look(member, Array.isArray(value) ? own.items : propertyOf(own, name, resolve));
      path.pop();
    }
  };
  look(body, bodySchema);
  return problems;
}
