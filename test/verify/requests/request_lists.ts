import { branchesOf, requestBodySchema, resolveSchema } from '../../../src/platform/http/contract_document.ts';
import type { Resolve, Schema } from './fitting_values.ts';
import { resolvers, type ApiOperation } from '../../support/contract/operations.ts';
import type { Step } from './request_numbers.ts';

/** A list in the JSON body of a request. */
export interface ListPlace {
  /** The steps to it. 0 means an item of a list. */
  readonly steps: readonly Step[];
  readonly maxItems: number | undefined;
}

/** Every list that the JSON body of a request can contain. Read from the contract, so that a new list is tested at once. */
export function listsOf({ api, ...operation }: ApiOperation): ListPlace[] {
  const content = operation.requestBody?.content;
  if (!content || !Object.hasOwn(content, 'application/json')) return [];
  const resolve = resolvers[api] as Resolve;
  return listsIn(requestBodySchema(operation, 'application/json', resolve) as Schema, [], resolve);
}

function listsIn(schema: Schema, steps: readonly Step[], resolve: Resolve): ListPlace[] {
  const own = resolveSchema(schema, resolve) as Schema & { readonly maxItems?: number };
  return [
    ...(own.items ? [{ steps, maxItems: own.maxItems }, ...listsIn(own.items as Schema, [...steps, 0], resolve)] : []),
    ...branchesOf(own).flatMap((branch) => listsIn(branch as Schema, steps, resolve)),
    ...Object.entries(own.properties ?? {}).flatMap(([name, member]) =>
      listsIn(member as Schema, [...steps, name], resolve),
    ),
  ];
}
