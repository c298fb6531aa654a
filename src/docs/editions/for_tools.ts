import type { Contract } from '../../http/contract_document.ts';
import { divided, mapSchemas, without, type Json } from './schemas.ts';

/**
 * The contract in a form that generators of clients read well. It says the same as the contract that the server validates with:
 *
 * - An array that may also be something else is one of several alternatives, not one of several types.
 * - A value that may be null is one of two alternatives if it has a list of allowed values, so that null is not in the list.
 * - A short list has no `maxItems`, for which some generators write out every possible length.
 */
export const forTools = (contract: Contract): Contract => mapSchemas(contract, readable);

function readable(schema: Json): Json {
  const types = Array.isArray(schema['type']) ? (schema['type'] as string[]) : [];
  if (types.includes('array')) {
    const others = types.filter((type) => type !== 'array');
    const { common, branches } = divided(schema, [others, ['array']]);
    return { ...common, anyOf: branches };
  }
  const values = schema['enum'] as unknown[] | undefined;
  if (types.includes('null') && values?.includes(null)) {
    const { common, branches } = divided(schema, [types.filter((type) => type !== 'null')]);
    const allowed = { ...branches[0], enum: values.filter((value) => value !== null) };
    return { ...without(common, ['enum']), anyOf: [allowed, { type: 'null' }] };
  }
  return isShortList(schema) ? without(schema, ['maxItems']) : schema;
}

const longestWrittenOut = 31;

const isShortList = ({ minItems, maxItems }: Json): boolean =>
  typeof maxItems === 'number' && maxItems <= longestWrittenOut && maxItems !== minItems;
