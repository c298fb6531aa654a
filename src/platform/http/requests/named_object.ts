import { propertyOf, resolveSchema, type Resolve, type Schema } from '../contract_document.ts';

/**
 * What belongs into the named object of a body is also understood at the top level where that object is missing or null:
 * `{title: "Late"}` then means `{filter: {title: "Late"}}`.
 */
export function withNamedObject(body: unknown, schema: Schema | undefined, resolve: Resolve): unknown {
  if (!schema || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const own = resolveSchema(schema, resolve);
  const named = (own.required ?? []).find((name) => isObject(propertyOf(own, name, resolve), resolve));
  if (named === undefined || ((body as Record<string, unknown>)[named] ?? null) !== null) return body;
  const object = propertyOf(own, named, resolve)!;
  const members = Object.entries(body).filter(([name]) => propertyOf(object, name, resolve) !== undefined);
  if (members.length === 0) return body;
  const others = Object.entries(body).filter(
    ([name]) => propertyOf(own, name, resolve) !== undefined || !members.some(([moved]) => moved === name),
  );
  return { ...Object.fromEntries(others), [named]: Object.fromEntries(members) };
}

const isObject = (schema: Schema | undefined, resolve: Resolve): boolean =>
  schema !== undefined && resolveSchema(schema, resolve).type === 'object';
