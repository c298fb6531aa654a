import type { AllowedValues, ErrorCode } from '../../core/errors.ts';

/** The details that Ajv gives with an error, by the keyword that failed. */
export interface KeywordDetails {
  readonly limit?: number;
  readonly type?: string | readonly string[];
  readonly allowedValue?: unknown;
  readonly allowedValues?: AllowedValues['allowed'];
  readonly format?: string;
  readonly pattern?: string;
  readonly multipleOf?: number;
}

/** What clients are told about a keyword: a code, what the keyword allows, and what a value must be. */
interface Kind {
  readonly code: ErrorCode;
  readonly meta?: (details: KeywordDetails) => AllowedValues;
  readonly words?: (details: KeywordDetails) => string;
}

const bound = (code: ErrorCode, name: keyof AllowedValues, words: string, unit = ''): Kind => ({
  code,
  meta: ({ limit }) => ({ [name]: limit! }),
  words: ({ limit }) => `must ${words} ${limit}${unit}`,
});

const unknown: Kind = {
  code: 'unknown_name',
  words: () => 'must be left out, because nothing of that name is known here',
};

const shapeless: Kind = { code: 'invalid_value', words: () => 'has none of the shapes that are allowed here' };

const kinds: Readonly<Record<string, Kind>> = {
  required: { code: 'required', words: () => 'is required' },
  type: {
    code: 'invalid_type',
    meta: ({ type = [] }) => ({ types: [type].flat() }),
    words: ({ type = [] }) => `must be ${[type].flat().map(nameOfType).join(' or ')}`,
  },
  format: {
    code: 'invalid_format',
    meta: ({ format }) => ({ format: format! }),
    words: ({ format }) => formats[format!] ?? `must match format "${format}"`,
  },
  pattern: { code: 'invalid_format', meta: ({ pattern }) => ({ pattern: pattern! }) },
  enum: {
    code: 'invalid_value',
    meta: ({ allowedValues }) => ({ allowed: allowedValues! }),
    words: ({ allowedValues = [] }) => oneOf(allowedValues),
  },
  const: {
    code: 'invalid_value',
    meta: ({ allowedValue }) => ({ allowed: [allowedValue] as NonNullable<AllowedValues['allowed']> }),
    words: ({ allowedValue }) => oneOf([allowedValue]),
  },
  multipleOf: { code: 'invalid_value', meta: ({ multipleOf }) => ({ multiple_of: multipleOf! }) },
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
  additionalProperties: unknown,
  unevaluatedProperties: unknown,
};

const nameOfType = (type: string): string =>
  ({
    string: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
  })[type] ?? type;

const formats: Readonly<Record<string, string>> = {
  'date-time': 'must be an ISO 8601 time with an offset, like 2026-01-30T08:00:00+01:00, of a day that exists',
  date: 'must be a day that exists, like 2026-01-30',
  email: 'must be an e-mail address',
  uuid: 'must be a UUID',
};

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be "${String(values[0])}"` : `must be one of ${values.join(', ')}`;

/** The code of a value that violates a keyword, and what the keyword allows. */
export function codeOf(keyword: string, details: KeywordDetails = {}): { code: ErrorCode; meta?: AllowedValues } {
  const { code, meta }: Kind = kinds[keyword] ?? { code: 'invalid_value' };
  return meta ? { code, meta: meta(details) } : { code };
}

/** What a value that violates a keyword must be, as a person would say it. Undefined where only the contract can say it. */
export const wordsOf = (keyword: string, details: KeywordDetails): string | undefined =>
  kinds[keyword]?.words?.(details);
