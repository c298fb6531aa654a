import { describe, expect, it } from 'vitest';
import type { ReadId } from '../../../../src/platform/http/contract.ts';
import { operationsOf, readContract } from '../../../../src/platform/http/contract_document.ts';

const isReadId = (operationId: string): operationId is ReadId => /^(get|list|find)|^ping$/.test(operationId);

describe('ReadId', () => {
  it.each(['v3', 'public'] as const)('names the operations with the method GET that do not write: %s', (api) => {
    const operations = operationsOf(readContract(api));
    const reads = operations.filter(
      ({ method, operation }) => method.toUpperCase() === 'GET' && !operation['x-writes'],
    );
    const named = operations.filter(({ operation }) => isReadId(operation.operationId));
    expect(named.map(({ operation }) => operation.operationId)).toEqual(
      reads.map(({ operation }) => operation.operationId),
    );
  });
});
