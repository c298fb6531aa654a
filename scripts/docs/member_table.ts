import { partsOf, resolveSchema, type Resolve, type Schema } from '../../src/platform/http/contract_document.ts';

/** A schema, with what it says to readers. */
type DescribedSchema = Schema & {
  readonly description?: string;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
};

const cell = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', String.raw`\|`);

export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

/** The type of a schema in a few words. */
export function typeOf(schema: Schema, resolve: Resolve): string {
  const parts = partsOf(resolveSchema(schema, resolve), resolve);
  const words = parts.find((part) => part.enum)?.enum;
  if (words) return words.map((word) => `\`${String(word)}\``).join(', ');
  const fixed = parts.find((part) => part.const !== undefined);
  if (fixed) return `\`${String(fixed.const)}\``;
  const types = [...new Set(parts.flatMap((part) => part.type ?? []))];
  const items = parts.find((part) => part.items)?.items;
  const format = parts.find((part) => part.format)?.format;
  return types
    .map((type) =>
      type === 'array' && items ? `array of ${typeOf(items, resolve)}` : type === 'string' && format ? format : type,
    )
    .join(' or ');
}

export const exampleOf = ({ example, examples }: Pick<DescribedSchema, 'example' | 'examples'>): string => {
  const value = example ?? examples?.[0];
  return value === undefined || typeof value === 'object' ? '' : `\`${String(value)}\``;
};

const maxDepth = 6;

/** A table of all members of a schema. Members of members are named by their path. Empty for a schema without members. */
export function memberTable(schema: Schema, resolve: Resolve): string {
  const rows = memberRows(schema, resolve, '', new Set(), 0);
  return rows.length === 0 ? '' : tableOf(['member', 'type', '', 'description', 'example'], rows);
}

function memberRows(
  schema: Schema,
  resolve: Resolve,
  prefix: string,
  above: ReadonlySet<Schema>,
  depth: number,
): string[][] {
  const own = resolveSchema(schema, resolve);
  if (above.has(own) || depth > maxDepth) return [];
  const parts = partsOf(own, resolve);
  const required = new Set([own, ...(own.allOf ?? [])].flatMap((part) => resolveSchema(part, resolve).required ?? []));
  const members = new Map(parts.flatMap((part) => Object.entries(part.properties ?? {})));
  const inside = new Set([...above, own]);
  const rows = [...members].flatMap(([name, member]) => {
    const resolved: DescribedSchema = resolveSchema(member, resolve);
    const described: DescribedSchema = { ...resolved, ...member };
    const row = [
      `\`${prefix}${name}\``,
      typeOf(member, resolve),
      required.has(name) ? 'required' : '',
      described.description ?? '',
      exampleOf(described),
    ];
    return [row, ...memberRows(member, resolve, `${prefix}${name}.`, inside, depth + 1)];
  });
  const items = parts.find((part) => part.items)?.items;
  if (!items) return rows;
  return [...rows, ...memberRows(items, resolve, `${prefix.replace(/\.$/, '')}[].`, inside, depth + 1)];
}
