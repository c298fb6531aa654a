import { distance } from 'fastest-levenshtein';

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
