import { distance } from 'fastest-levenshtein';
import { invalid } from './errors.ts';

/** The names in a text with commas, each once. An unknown one is 400; `introduction` precedes the known names in its title. */
export function listedNames<Name extends string>(
  member: string,
  text: string,
  known: readonly Name[],
  introduction: string,
): Name[] {
  const given = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = given.filter((name) => !(known as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw invalid(
      'unknown_name',
      member,
      `${member} "${unknown.join(',')}" is unknown. ${introduction} ${known.join(', ')}.`,
      { allowed: [...known], ...meaning(unknown[0]!, known) },
    );
  return given as Name[];
}

/** Longer names are no typing mistakes. */
const maxLength = 200;

/** The known name that a misspelt one probably means: at most a third of its letters differ, whatever their case. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined;
  const given = name.toLowerCase();
  const [best] = known
    .map((candidate) => ({ candidate, differs: distance(given, candidate.toLowerCase()) }))
    .filter(({ differs }) => differs <= Math.ceil(given.length / 3))
    .sort((one, other) => one.differs - other.differs);
  return best?.candidate;
}

/** The member of a problem that names it. */
export function meaning(name: string, known: readonly string[]): { did_you_mean?: string } {
  const candidate = nearest(name, known);
  return candidate === undefined ? {} : { did_you_mean: candidate };
}
