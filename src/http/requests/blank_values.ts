import type { Problem } from '../../core/errors.ts';

/** The parts of JSON Schema that this file looks at. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

export interface Tidying {
  /** A create: null and blank mean "not given". Otherwise blank means null, which clears what can be cleared. */
  readonly isCreate: boolean;
  /** Clients of the public API send numbers and truth values as text, and numbers where a name of theirs is meant. */
  readonly isLenient: boolean;
  readonly resolve: (reference: string) => Schema;
}

/**
 * Makes a body say plainly what its sender meant, before it is validated, so that the published schemas stay clean: members
 * that mean "not given" go, and a blank where something other than plain text belongs becomes null. Members that the contract
 * does not know go too: they are ignored, and no verb shall meet what no schema has checked.
 */
export function tidy(value: unknown, schema: Schema | undefined, tidying: Tidying): unknown {
  const own = schema && resolved(schema, tidying);
  if (Array.isArray(value)) {
    const items = own?.items && resolved(own.items, tidying);
    const types = items && typesOf(items, tidying);
    return value.map((item) => tidy(types ? asMeant(item, types, tidying) : item, items, tidying));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const of = own && propertyOf(own, name, tidying);
    if (!of && own && isClosed(own, tidying)) continue;
    const meant = of ? meaning(member, of, tidying) : member;
    if (meant !== undefined) members.push([name, tidy(meant, of, tidying)]);
  }
  return Object.fromEntries(members);
}

/** What a member means: undefined where it means "not given". */
function meaning(member: unknown, schema: Schema, tidying: Tidying): unknown {
  const types = typesOf(schema, tidying);
  const isBlank = typeof member === 'string' && member.trim() === '' && !isPlainText(schema, types);
  if (member === null || isBlank) {
    if (types.has('null') || types.size === 0) return null;
    return tidying.isCreate ? undefined : null;
  }
  return asMeant(member, types, tidying);
}

/** The value in the type that the schema asks for, where the sender only wrote it differently. */
function asMeant(value: unknown, types: Set<string>, { isLenient }: Tidying): unknown {
  if (!isLenient) return value;
  if (typeof value === 'number' && types.has('string') && !types.has('number') && !types.has('integer'))
    return String(value);
  if (typeof value !== 'string' || types.has('string')) return value;
  const text = value.trim();
  if ((types.has('integer') || types.has('number')) && /^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  return types.has('boolean') && /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value;
}

const isPlainText = (schema: Schema, types: Set<string>): boolean =>
  types.has('string') &&
  branchesOf(schema).length === 0 &&
  [...types].every((type) => type === 'string' || type === 'null') &&
  // A file arrives beside the body, which only says that it is there.
  (!schema.format || schema.format === 'binary') &&
  !schema.pattern &&
  !schema.minLength &&
  !schema.enum &&
  schema.const === undefined;

function resolved(schema: Schema, { resolve }: Tidying): Schema {
  let current = schema;
  while (current.$ref) current = resolve(current.$ref);
  return current;
}

const branchesOf = (schema: Schema): readonly Schema[] => [
  ...(schema.allOf ?? []),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
];

function propertyOf(schema: Schema, name: string, tidying: Tidying): Schema | undefined {
  const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  if (own) return resolved(own, tidying);
  for (const branch of branchesOf(schema)) {
    const found = propertyOf(resolved(branch, tidying), name, tidying);
    if (found) return found;
  }
  return undefined;
}

/** Schemas stay as they are, so that what was found out about one is kept. */
function keeping<T>(find: (schema: Schema, tidying: Tidying) => T): (schema: Schema, tidying: Tidying) => T {
  const kept = new WeakMap<Schema, T>();
  return (schema, tidying) => {
    if (!kept.has(schema)) kept.set(schema, find(schema, tidying));
    return kept.get(schema)!;
  };
}

/** Whether the schema names every member it knows. */
const isClosed = keeping((schema, tidying): boolean => {
  const parts = partsOf(schema, tidying);
  return parts.some((part) => part.properties) && parts.every((part) => part.additionalProperties === undefined);
});

const partsOf = (schema: Schema, tidying: Tidying): Schema[] => [
  schema,
  ...branchesOf(schema).flatMap((branch) => partsOf(resolved(branch, tidying), tidying)),
];

const typesOf = keeping(
  (schema, tidying): Set<string> => new Set(partsOf(schema, tidying).flatMap((part) => part.type ?? [])),
);

/** No body of the contracts is half as deep as this. */
export const deepest = 32;

/** Looks without recursion, since a body made to be deep would exhaust the stack of whoever recurses into it. */
export function isTooDeep(body: unknown): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

/** Nobody reads more problems of one kind than this. */
const enough = 20;

/** PostgreSQL cannot store NUL in text, so no member may hold it. */
export function nulProblems(value: unknown, path: readonly string[] = []): Problem[] {
  if (!hasNul(value)) return [];
  if (typeof value === 'string') {
    const pointer = pointerTo(path);
    return [{ pointer, title: `${pointer} must not contain the NUL character.` }];
  }
  const problems: Problem[] = [];
  for (const [name, member] of Object.entries(value as object)) {
    problems.push(...nulProblems(member, [...path, name]));
    if (problems.length >= enough) break;
  }
  return problems.slice(0, enough);
}

/** Asked first, without a thought for where: a batch has thousands of members, and next to none has it. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
}

/** The bare name of an attribute, without the envelope it travels in. */
export function pointerTo(path: readonly string[]): string {
  let rest = path;
  if (rest[0] === 'data') rest = rest.slice(1);
  if (rest[0] === 'attributes' || rest[0] === 'relationships') rest = rest.slice(1);
  else if (rest.length > 1 && ['user', 'absence', 'working_area', 'vacation_times'].includes(rest[0]!))
    rest = rest.slice(1);
  return rest.join('/') || 'base';
}
