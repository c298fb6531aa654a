import { operationsOf, type Contract } from '../../src/platform/http/contract_document.ts';

/*
 * The chapter "Upcoming changes" is made from the contract: a table of everything that it calls deprecated.
 */

interface Deprecated {
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly 'x-deprecated-since'?: string;
  readonly 'x-sunset'?: string;
}

interface Row extends Deprecated {
  readonly name: string;
}

const chapterName = 'Upcoming changes';

/** Appends the table to the description of the chapter. */
export function addUpcomingChanges(contract: Contract): Contract {
  const { tags = [] } = contract as { tags?: { name: string; description: string }[] };
  const chapter = tags.find(({ name }) => name === chapterName);
  if (chapter) chapter.description = `${chapter.description.trimEnd()}\n\n${tableOf(rowsOf(contract))}\n`;
  return contract;
}

function tableOf(rows: readonly Row[]): string {
  if (rows.length === 0) return 'At present nothing is deprecated.';
  const lines = rows.map(
    ({ name, description = '', 'x-deprecated-since': since = '', 'x-sunset': sunset = 'not decided' }) =>
      `| ${name} | ${since} | ${sunset} | ${description
        .replaceAll('\n', ' ')
        .replaceAll('|', String.raw`\|`)
        .trim()} |`,
  );
  return ['| what | deprecated since | served until | description |', '|---|---|---|---|', ...lines].join('\n');
}

const rowsOf = (contract: Contract): Row[] => [
  ...operationsOf(contract).flatMap(({ method, path, operation }) =>
    deprecatedIn(operation, `${method.toUpperCase()} ${path}`),
  ),
  ...Object.entries(contract.paths).flatMap(([path, item]) => deprecatedIn(item.parameters, path)),
  ...Object.values(contract.components).flatMap((parts) =>
    Object.entries(parts as object).flatMap(([name, part]) => deprecatedIn(part, name)),
  ),
];

/** Parts that show values. A value may have a member `deprecated` of its own. */
const values = ['example', 'examples', 'enum', 'const', 'default'];

/** Everything deprecated in a part of the contract: the part itself, its parameters and its members. */
function deprecatedIn(part: unknown, place: string, member?: string): Row[] {
  if (typeof part !== 'object' || part === null) return [];
  const { name, in: position } = part as { name?: string; in?: string };
  const own = position === undefined ? member : name;
  const title = own === undefined ? `\`${place}\`` : `\`${own}\` of \`${place}\``;
  const inside = Object.entries(part)
    .filter(([key]) => !values.includes(key))
    .flatMap(([key, value]) =>
      key === 'properties'
        ? Object.entries(value as object).flatMap(([property, schema]) => deprecatedIn(schema, place, property))
        : deprecatedIn(value, place, own),
    );
  return (part as Deprecated).deprecated === true ? [{ ...(part as Deprecated), name: title }, ...inside] : inside;
}
