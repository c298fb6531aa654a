import { propertyOf, resolveSchema, type ContractOperation, type Resolve, type Schema } from '../contract_document.ts';

/**
 * The body as JSON:API has it. Clients send some bodies as plain attributes, without `data`. The contract marks these operations
 * with `x-flat-body`.
 */
export function withData(body: unknown, operation: ContractOperation, schema: Schema | undefined, resolve: Resolve) {
  if (operation['x-flat-body'] !== true || schema === undefined) return body;
  if (typeof body !== 'object' || body === null || Array.isArray(body) || Object.hasOwn(body, 'data')) return body;
  const data = propertyOf(resolveSchema(schema, resolve), 'data', resolve);
  const type = data && propertyOf(data, 'type', resolve);
  return { data: { type: type?.const ?? type?.enum?.[0], attributes: body } };
}
