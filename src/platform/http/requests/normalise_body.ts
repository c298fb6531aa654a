import { meantMoment, meantTime } from '../../core/lenient_times.ts';
import { branchesOf, partsOf, propertyOf, resolveSchema, type Resolve, type Schema } from '../contract_document.ts';

export interface NormaliseOptions {
  /** On create, null and blank mean "not given". Otherwise blank means null, which clears the attribute. */
  readonly isCreate: boolean;
  /**
   * Clients of the public API send numbers and booleans as text, numbers as names, and times in other spellings. Null means
   * "not given" there in an update too, so that only blank clears.
   */
  readonly isLenient: boolean;
  readonly resolve: Resolve;
}

/**
 * Rewrites a body to what its sender means, before it is validated, so that the schemas need not describe every spelling.
 * Members that mean "not given" are removed, and a blank text becomes null except where plain text is expected. Members that
 * the contract does not name are removed too: they are ignored, and no verb receives a value that no schema has checked.
 */
export function normaliseBody(value: unknown, schema: Schema | undefined, options: NormaliseOptions): unknown {
  const own = schema && resolveSchema(schema, options.resolve);
  if (Array.isArray(value)) {
    const items = own?.items && resolveSchema(own.items, options.resolve);
    const types = items && typesOf(items, options.resolve);
    return value.map((item) => normaliseBody(types ? converted(item, types, options) : item, items, options));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const memberSchema = own && propertyOf(own, name, options.resolve);
    if (!memberSchema && own && isClosed(own, options.resolve)) continue;
    const isRefused =
      member === null && memberSchema && [own, resolveSchema(memberSchema, options.resolve)].some(refusesNull);
    const meant = isRefused
      ? null
      : memberSchema
        ? withoutBlankReferences(meaningOf(member, memberSchema, options), memberSchema, options.resolve)
        : member;
    if (meant !== undefined) members.push([name, normaliseBody(meant, memberSchema, options)]);
  }
  return Object.fromEntries(members);
}

/** Whether null is refused, and not "not given": without its filter, a batch would be about every record. */
const refusesNull = (schema: Schema | undefined): boolean => schema?.['x-null'] === 'refused';

/**
 * A relationship without the records that have a blank id, `{type, id: ""}`: they count as not given. Undefined where only such
 * records are given. Members that are no relationships stay as they are.
 */
function withoutBlankReferences(member: unknown, schema: Schema, resolve: Resolve): unknown {
  const given = objectIn(member)?.['data'];
  const records = [given].flat();
  const named = records.filter((record) => !hasBlankId(record));
  if (named.length === records.length || !refersToRecords(schema, resolve)) return member;
  return named.length > 0 ? { ...objectIn(member), data: named } : undefined;
}

function hasBlankId(record: unknown): boolean {
  const id = objectIn(record)?.['id'];
  return id === null || (typeof id === 'string' && id.trim() === '');
}

function refersToRecords(schema: Schema, resolve: Resolve): boolean {
  const data = propertyOf(schema, 'data', resolve);
  return (
    data !== undefined &&
    propertyOf(data.items ? resolveSchema(data.items, resolve) : data, 'id', resolve) !== undefined
  );
}

const objectIn = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

/** The meaning of a member: undefined for "not given". */
function meaningOf(member: unknown, schema: Schema, options: NormaliseOptions): unknown {
  if (member === null && options.isLenient) return undefined;
  const types = typesOf(schema, options.resolve);
  // In the public API a blank text clears whatever can be cleared; here, plain text may also be blank.
  const isCleared = options.isLenient && types.has('null');
  const isBlank = typeof member === 'string' && member.trim() === '' && (isCleared || !isPlainText(schema, types));
  if (member === null || isBlank) {
    if (types.has('null') || types.size === 0) return null;
    return options.isCreate ? undefined : null;
  }
  const value = converted(member, types, options);
  if (!options.isLenient || typeof value !== 'string') return value;
  const formats = formatsOf(schema, options.resolve);
  if (!formats.has('date-time')) return value;
  return formats.has('date') ? meantTime(value) : meantMoment(value);
}

/** The value in the type that the schema expects, where the API is lenient. */
function converted(value: unknown, types: ReadonlySet<string>, { isLenient }: NormaliseOptions): unknown {
  if (!isLenient) return value;
  if (typeof value === 'number' && types.has('string') && !types.has('number') && !types.has('integer'))
    return String(value);
  if (typeof value !== 'string' || types.has('string')) return value;
  const text = value.trim();
  if ((types.has('integer') || types.has('number')) && /^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  return types.has('boolean') && /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value;
}

const isPlainText = (schema: Schema, types: ReadonlySet<string>): boolean =>
  types.has('string') &&
  branchesOf(schema).length === 0 &&
  [...types].every((type) => type === 'string' || type === 'null') &&
  // A file arrives beside the body. The body has only its name.
  (!schema.format || schema.format === 'binary') &&
  !schema.pattern &&
  !schema.minLength &&
  !schema.enum &&
  schema.const === undefined;

/** Schemas never change, so a result is kept for as long as its schema exists. */
function cachedBySchema<T>(compute: (parts: readonly Schema[]) => T): (schema: Schema, resolve: Resolve) => T {
  const cache = new WeakMap<Schema, T>();
  return (schema, resolve) => {
    if (!cache.has(schema)) cache.set(schema, compute(partsOf(schema, resolve)));
    return cache.get(schema)!;
  };
}

const formatsOf = cachedBySchema((parts): ReadonlySet<string> => new Set(parts.flatMap((part) => part.format ?? [])));

const typesOf = cachedBySchema((parts): ReadonlySet<string> => new Set(parts.flatMap((part) => part.type ?? [])));

/** Whether the schema names all of its members. */
export const isClosed = cachedBySchema(
  (parts): boolean =>
    parts.some((part) => part.properties) && parts.every((part) => part.additionalProperties === undefined),
);
