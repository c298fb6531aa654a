/*
 * A schema with everything that applies to the same value brought together: its own keywords, those of a schema that it refers to,
 * and those of all parts of `allOf`. Two contracts can then be compared, however each one arranges its schemas.
 */

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** A schema, and the name of its place in the contract, such as `Area.attributes`. */
export interface Placed {
  readonly schema: JsonSchema;
  readonly place: string;
}

export interface CollectedSchema {
  /** The types that the value may have. Undefined for any. */
  types?: ReadonlySet<string>;
  /** The values that it may have, as JSON. Undefined for any. */
  values?: ReadonlySet<string>;
  readonly bounds: Map<string, number>;
  /** Keywords whose meaning is compared as a whole, as JSON. */
  readonly others: Map<string, string>;
  /** The schemas of each member, all of which apply. */
  readonly members: Map<string, readonly Placed[]>;
  readonly required: Set<string>;
  /** Whether members without a schema are refused. */
  isClosed: boolean;
  readonly otherMembers: Placed[];
  readonly items: Placed[];
  /** Of each list of alternatives, at least one applies. */
  readonly alternatives: (readonly Placed[])[];
}

export const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
export const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];

/** Keywords that only explain, and those that this file reads one by one. */
const known = new Set([
  ...['$ref', 'title', 'description', 'example', 'examples', 'deprecated', '$comment', 'externalDocs', 'xml'],
  ...['type', 'enum', 'const', 'properties', 'patternProperties', 'required', 'items', 'prefixItems'],
  ...['additionalProperties', 'allOf', 'anyOf', 'oneOf', 'discriminator'],
  ...upperBounds,
  ...lowerBounds,
]);

/** Brings together what several schemas of one value say. `resolve` looks up references. */
export function collect(parts: readonly Placed[], resolve: (reference: string) => object): CollectedSchema {
  const collected: CollectedSchema = {
    bounds: new Map(),
    others: new Map(),
    members: new Map(),
    required: new Set(),
    isClosed: false,
    otherMembers: [],
    items: [],
    alternatives: [],
  };
  const seen = new Set<object>();
  const add = ({ schema, place }: Placed): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    if (schema.$ref !== undefined) add({ schema: resolve(schema.$ref) as JsonSchema, place: nameIn(schema.$ref) });
    for (const part of schema.allOf ?? []) add({ schema: part, place });
    addOwn(collected, schema, place);
  };
  for (const part of parts) add(part);
  return collected;
}

const nameIn = (reference: string): string => reference.split('/').at(-1)!;

function addOwn(collected: CollectedSchema, schema: JsonSchema, place: string): void {
  const { bounds, others, members, required, items, alternatives } = collected;
  if (schema.type !== undefined) collected.types = common(collected.types, [schema.type].flat() as string[]);
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values)
    collected.values = common(
      collected.values,
      values.map((value) => JSON.stringify(value)),
    );
  for (const [keyword, value] of Object.entries(schema)) {
    if (upperBounds.includes(keyword)) bounds.set(keyword, Math.min(bounds.get(keyword) ?? Infinity, Number(value)));
    if (lowerBounds.includes(keyword)) bounds.set(keyword, Math.max(bounds.get(keyword) ?? -Infinity, Number(value)));
    if (!known.has(keyword) && !keyword.startsWith('x-')) others.set(keyword, meaningOf(value));
  }
  const patterned = Object.entries(schema.patternProperties ?? {}).map(
    ([name, member]) => [`/${name}/`, member] as const,
  );
  for (const [name, member] of [...Object.entries(schema.properties ?? {}), ...patterned])
    members.set(name, [...(members.get(name) ?? []), { schema: member, place: `${place}.${name}` }]);
  for (const [index, item] of (schema.prefixItems ?? []).entries())
    members.set(String(index), [{ schema: item, place: `${place}.${index}` }]);
  for (const name of schema.required ?? []) required.add(name);
  if (schema.additionalProperties === false) collected.isClosed = true;
  else if (typeof schema.additionalProperties === 'object')
    collected.otherMembers.push({ schema: schema.additionalProperties, place: `${place}.*` });
  if (schema.items) items.push({ schema: schema.items, place: `${place}[]` });
  for (const list of [schema.anyOf, schema.oneOf])
    if (list) alternatives.push(list.map((one) => ({ schema: one, place })));
}

const common = (known: ReadonlySet<string> | undefined, more: readonly string[]): ReadonlySet<string> =>
  new Set(more.filter((one) => known === undefined || known.has(one)));

const explaining = new Set(['title', 'description', 'example', 'examples']);

/** A value as JSON, without what only explains it. */
const meaningOf = (value: unknown): string =>
  JSON.stringify(value, (key, part: unknown) => (explaining.has(key) ? undefined : part));
