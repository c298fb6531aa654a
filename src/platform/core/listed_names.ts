import { invalid } from './errors.ts';
import { meaning } from './nearest.ts';

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
