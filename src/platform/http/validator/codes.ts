import type { AllowedValues, ErrorCode } from '../../core/errors.ts';

/** The answer about a violated keyword: a code, what a value must be, and as `meta` what the keyword allows. */
interface Kind {
  readonly code: ErrorCode;
  readonly words?: (allowed: unknown) => string;
  /** The member of Ajv's details that says what is allowed. */
  readonly detail?: string;
  readonly meta?: keyof AllowedValues;
}

const bound = (code: ErrorCode, meta: keyof AllowedValues, words: string, unit = ''): Kind => ({
  code,
  words: (limit) => `must ${words} ${String(limit)}${unit}`,
  detail: 'limit',
  meta,
});

const oneOf = (values: unknown): string => {
  const allowed = [values].flat();
  return allowed.length === 1 ? `must be "${String(allowed[0])}"` : `must be one of ${allowed.join(', ')}`;
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
const types = (names: unknown): string =>
  `must be ${([names].flat() as string[]).map((name) => typeNames[name] ?? name).join(' or ')}`;

const formatNames: Readonly<Record<string, string>> = {
  'date-time': 'an ISO 8601 time with an offset, like 2026-01-30T08:00:00+01:00, of a day that exists',
  date: 'a day that exists, like 2026-01-30',
  email: 'an e-mail address',
  uuid: 'a UUID',
};
const formats = (name: unknown): string =>
  String(name) in formatNames ? `must be ${formatNames[String(name)]}` : `must match format "${String(name)}"`;

/** The words about a member that nothing knows, and what is known in its place. */
export const unknownMember = (known: readonly string[] = []): string => {
  const others = known.length > 0 ? `. There is ${known.join(', ')}` : '';
  return `must be left out, because nothing of that name is known here${others}`;
};

const unknownName: Kind = {
  code: 'unknown_name',
  words: (known) => unknownMember(known as readonly string[] | undefined),
  detail: 'known',
  meta: 'allowed',
};
const shapeless: Kind = { code: 'invalid_value', words: () => 'has none of the shapes that are allowed here' };

const kinds: Readonly<Record<string, Kind>> = {
  required: { code: 'required', words: () => 'is required' },
  type: { code: 'invalid_type', words: types, detail: 'type', meta: 'types' },
  format: { code: 'invalid_format', words: formats, detail: 'format', meta: 'format' },
  pattern: { code: 'invalid_format', detail: 'pattern', meta: 'pattern' },
  enum: { code: 'invalid_value', words: oneOf, detail: 'allowedValues', meta: 'allowed' },
  const: { code: 'invalid_value', words: oneOf, detail: 'allowedValue', meta: 'allowed' },
  multipleOf: { code: 'invalid_value', detail: 'multipleOf', meta: 'multiple_of' },
  oneOf: shapeless,
  anyOf: shapeless,
  minimum: bound('out_of_range', 'minimum', 'be at least'),
  maximum: bound('out_of_range', 'maximum', 'be at most'),
  exclusiveMinimum: bound('out_of_range', 'exclusive_minimum', 'be more than'),
  exclusiveMaximum: bound('out_of_range', 'exclusive_maximum', 'be less than'),
  minLength: bound('too_short', 'min_length', 'have at least', ' characters'),
  maxLength: bound('too_long', 'max_length', 'have at most', ' characters'),
  minItems: bound('too_few', 'min_items', 'have at least', ' items'),
  maxItems: bound('too_many', 'max_items', 'have at most', ' items'),
  minProperties: bound('too_few', 'min_items', 'have at least', ' members'),
  maxProperties: bound('too_many', 'max_items', 'have at most', ' members'),
  uniqueItems: { code: 'duplicate', words: () => 'must have every item once' },
  additionalProperties: unknownName,
  unevaluatedProperties: unknownName,
};

/** The message for each keyword that a value can violate. It is missing where only the contract has the words. */
export function violationOf(keyword: string, details: Readonly<Record<string, unknown>> = {}) {
  const { code, words, detail = '', meta }: Kind = kinds[keyword] ?? { code: 'invalid_value' };
  const allowed = details[detail];
  const isList = meta === 'types' || meta === 'allowed';
  const hasMeta = meta && [allowed].flat().length > 0;
  return { code, words: words?.(allowed), ...(hasMeta && { meta: { [meta]: isList ? [allowed].flat() : allowed } }) };
}
