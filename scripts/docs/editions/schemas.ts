export type Json = Record<string, unknown>;

type Change = (node: unknown) => unknown;

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const single = ['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'];
const lists = ['allOf', 'anyOf', 'oneOf'];
const named = ['properties', 'patternProperties', 'dependentSchemas'];

/** Members of a contract that hold data of the API, not descriptions of it. */
const data = ['example', 'examples', 'x-codeSamples'];

const mapped = (node: object, change: (key: string, value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(key, value)]));

export const isObject = (node: unknown): node is Json =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/** A copy of a contract in which every schema is changed, the inner ones first. */
export function mapSchemas<T extends object>(contract: T, change: (schema: Json) => Json): T {
  const inSchema: Change = (node) => {
    if (!isObject(node)) return node;
    return change(
      mapped(node, (key, value) => {
        if (single.includes(key)) return inSchema(value);
        if (lists.includes(key)) return (value as unknown[]).map(inSchema);
        return named.includes(key) ? mapped(value as object, (_name, one) => inSchema(one)) : value;
      }),
    );
  };
  const inContract: Change = (node) => {
    if (Array.isArray(node)) return node.map(inContract);
    if (!isObject(node)) return node;
    return mapped(node, (key, value) => {
      if (data.includes(key)) return value;
      if (key === 'schema') return inSchema(value);
      return key === 'schemas' ? mapped(value as object, (_name, one) => inSchema(one)) : inContract(value);
    });
  };
  return inContract(contract) as T;
}

const numberKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** The keywords that only concern values of one type. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
  ],
  string: ['format', 'pattern', 'minLength', 'maxLength'],
  integer: numberKeywords,
  number: numberKeywords,
};

/** Divides a schema of several types into alternatives with these types each, and what they have in common. */
export function divided(schema: Json, groups: readonly (readonly string[])[]): { common: Json; branches: Json[] } {
  const branches = groups.map((types) => ({
    type: types.length === 1 ? types[0] : types,
    ...pick(
      schema,
      types.flatMap((type) => keywordsOf[type] ?? []),
    ),
  }));
  const moved = ['type', ...groups.flat().flatMap((type) => keywordsOf[type] ?? [])];
  return { common: without(schema, moved), branches };
}

const pick = (schema: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));

export const without = (schema: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
