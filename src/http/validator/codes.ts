import type { AllowedValues, ErrorCode } from '../../core/errors.ts';

/** The details that Ajv gives with an error, by the keyword that failed. */
export interface KeywordDetails {
  readonly limit?: number;
  readonly type?: string | readonly string[];
  readonly allowedValues?: AllowedValues['allowed'];
  readonly format?: string;
  readonly pattern?: string;
  readonly multipleOf?: number;
}

interface Kind {
  readonly code: ErrorCode;
  readonly meta?: (details: KeywordDetails) => AllowedValues;
}

/** What clients are told about each keyword of a schema. */
const kinds: Readonly<Record<string, Kind>> = {
  required: { code: 'required' },
  type: { code: 'invalid_type', meta: ({ type = [] }) => ({ types: [type].flat() }) },
  format: { code: 'invalid_format', meta: ({ format }) => ({ format: format! }) },
  pattern: { code: 'invalid_format', meta: ({ pattern }) => ({ pattern: pattern! }) },
  enum: { code: 'invalid_value', meta: ({ allowedValues }) => ({ allowed: allowedValues! }) },
  multipleOf: { code: 'invalid_value', meta: ({ multipleOf }) => ({ multiple_of: multipleOf! }) },
  minimum: { code: 'out_of_range', meta: ({ limit }) => ({ minimum: limit! }) },
  maximum: { code: 'out_of_range', meta: ({ limit }) => ({ maximum: limit! }) },
  exclusiveMinimum: { code: 'out_of_range', meta: ({ limit }) => ({ exclusive_minimum: limit! }) },
  exclusiveMaximum: { code: 'out_of_range', meta: ({ limit }) => ({ exclusive_maximum: limit! }) },
  minLength: { code: 'too_short', meta: ({ limit }) => ({ min_length: limit! }) },
  maxLength: { code: 'too_long', meta: ({ limit }) => ({ max_length: limit! }) },
  minItems: { code: 'too_few', meta: ({ limit }) => ({ min_items: limit! }) },
  minProperties: { code: 'too_few', meta: ({ limit }) => ({ min_items: limit! }) },
  maxItems: { code: 'too_many', meta: ({ limit }) => ({ max_items: limit! }) },
  maxProperties: { code: 'too_many', meta: ({ limit }) => ({ max_items: limit! }) },
  uniqueItems: { code: 'duplicate' },
  additionalProperties: { code: 'unknown_name' },
  unevaluatedProperties: { code: 'unknown_name' },
};

/** The code of a value that violates a keyword, and what the keyword allows. */
export function codeOf(keyword: string, details: KeywordDetails = {}): { code: ErrorCode; meta?: AllowedValues } {
  const { code, meta } = kinds[keyword] ?? { code: 'invalid_value' };
  return meta ? { code, meta: meta(details) } : { code };
}
