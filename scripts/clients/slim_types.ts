import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import type { Contract } from '../../src/platform/http/contract_document.ts';

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
  // Of responses. The client shows them as `fetch` does.
  'headers',
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

/** Schemas of the public API for ids in requests. It reads texts as well, which is how the client returns ids. */
const idsInRequests = { RecordId: { type: ['integer', 'string'] }, NamingId: { type: ['integer', 'string', 'null'] } };

function withTextIds({ components }: Contract): object {
  const schemas = components.schemas as Record<string, object>;
  const wider = Object.entries(idsInRequests).filter(([name]) => name in schemas);
  return { ...schemas, ...Object.fromEntries(wider) };
}

/** The types of a contract in a tenth of their size. They accept and refuse the same programs, except that ids may be texts. */
export async function slimTypes(contract: Contract): Promise<string> {
  const wider = { ...contract, components: { ...contract.components, schemas: withTextIds(contract) } };
  const types = astToString(await openapiTS(slim(wider) as never, { alphabetize: false }));
  return (
    COMMENT_HEADER +
    types
      .replaceAll(/^\s*\w+\?: never;\n/gm, '')
      .replaceAll(/^( *)headers: \{\n *\[name: string\]: unknown;\n\1\};\n/gm, '')
      .replaceAll(/^ *parameters: \{\n *\};\n/gm, '')
  );
}
