import type { Problem } from '../../core/errors.ts';
import { pointerTo } from './pointers.ts';

/** No body of the contracts is half as deep as this. */
export const maxDepth = 32;

/** Whether a body is nested too deeply. It is checked without recursion, which a deep body would exhaust. */
export function isTooDeep(body: unknown): boolean {
  let level = [body].filter(isObject);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxDepth) return true;
    const next: object[] = [];
    for (const value of level) for (const member of Object.values(value)) if (isObject(member)) next.push(member);
    level = next;
  }
  return false;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** More problems of one kind help no reader. */
const maxNulProblems = 20;

/** One problem for each text that contains NUL, which PostgreSQL cannot store. */
export function nulProblems(value: unknown, envelopes: ReadonlySet<string>, path: readonly string[] = []): Problem[] {
  if (!hasNul(value)) return [];
  if (typeof value === 'string') {
    const pointer = pointerTo(path, envelopes);
    return [{ code: 'invalid_format', pointer, title: `${pointer} must not contain the NUL character.` }];
  }
  const problems: Problem[] = [];
  for (const [name, member] of Object.entries(value as object)) {
    problems.push(...nulProblems(member, envelopes, [...path, name]));
    if (problems.length >= maxNulProblems) break;
  }
  return problems.slice(0, maxNulProblems);
}

/** Comes first and collects no paths: a batch has thousands of members, and hardly any of them contains NUL. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
}
