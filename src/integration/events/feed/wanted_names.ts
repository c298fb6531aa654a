import { refuse, type Problem } from '../../../platform/core/errors.ts';
import { meaning } from '../../../platform/core/known_names.ts';

/**
 * Returns the function that reads the parameter `types`: types of records and names of events. It returns the names of the wanted
 * events, null for all.
 */
export function wantedNamesAmong(allNames: readonly string[]): (types: string | undefined) => string[] | null {
  const allTypes = [...new Set(allNames.map(typeOf))];
  const namesOf = (wanted: string): string[] => allNames.filter((name) => name === wanted || typeOf(name) === wanted);
  const unknownType = (text: string): Problem => {
    const type = typeOf(text);
    const allowed = allTypes.includes(type)
      ? `${type}, ${namesOf(type).join(', ')}`
      : `${allTypes.join(', ')}, or names of their events, such as ${allNames[0]}`;
    return {
      code: 'unknown_name',
      pointer: 'types',
      title: `types does not know "${text}". Allowed: ${allowed}.`,
      meta: meaning(text, [...allTypes, ...allNames]),
    };
  };
  return (types) => {
    if (types === undefined) return null;
    const wanted = types.split(',').map((text) => text.trim());
    refuse(wanted.filter((text) => namesOf(text).length === 0).map(unknownType));
    return wanted.flatMap(namesOf);
  };
}

const typeOf = (name: string): string => name.split('.', 1)[0]!;
