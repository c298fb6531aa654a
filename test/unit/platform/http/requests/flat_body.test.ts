import { describe, expect, it } from 'vitest';
import { withData } from '../../../../../src/platform/http/requests/flat_body.ts';
import type { ContractOperation, Schema } from '../../../../../src/platform/http/contract_document.ts';

const schema: Schema = {
  properties: { data: { properties: { type: { const: 'user' }, attributes: { properties: { name: {} } } } } },
};
const operationWith = (flat: object) => ({ operationId: 'any', responses: {}, ...flat }) as ContractOperation;
const resolve = (): never => {
  throw new Error('There is nothing to resolve.');
};
const meant = (body: unknown, flat: object = { 'x-flat-body': true }) =>
  withData(body, operationWith(flat), schema, resolve);

describe('a flat body', () => {
  it('becomes a record of the type that the contract names', () => {
    expect(meant({ name: 'Kim' })).toEqual({ data: { type: 'user', attributes: { name: 'Kim' } } });
    expect(meant({})).toEqual({ data: { type: 'user', attributes: {} } });
  });

  it('stays as it is if it has data, is no object, or the contract does not allow it', () => {
    for (const body of [{ data: {} }, { data: null, name: 'Kim' }, ['Kim'], 'Kim', null, undefined])
      expect(meant(body)).toBe(body);
    const body = { name: 'Kim' };
    expect(meant(body, {})).toBe(body);
  });
});
