import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

/** Members of a schema that types do not show, or that fill their comments. */
const dropped = new Set([
  'example',
  'examples',
  'title',
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
]);

/** Members whose own members have free names. */
const named = new Set(['properties', 'schemas', 'parameters', 'responses', 'headers', 'paths']);

const firstSentence = (text: string): string => text.split(/(?<=[.:])\s/)[0]!.replace(/:$/, '.');

/** A copy with one sentence of each description, and without examples. */
function slim(value: unknown, hasFreeNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => slim(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => hasFreeNames || !dropped.has(name))
      .map(([name, item]: [string, unknown]) =>
        !hasFreeNames && name === 'description' && typeof item === 'string'
          ? [name, firstSentence(item)]
          : [name, slim(item, !hasFreeNames && named.has(name))],
      ),
  );
}

/** The types of a contract in a tenth of their size. They accept and refuse the same programs. */
export async function slimTypes(contract: object): Promise<string> {
  const types = astToString(await openapiTS(slim(contract) as never, { alphabetize: false }));
  return COMMENT_HEADER + types.replaceAll(/^\s*\w+\?: never;\n/gm, '');
}
