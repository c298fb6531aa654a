import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { isListed, readErrorCatalogue } from '../../scripts/error_catalogue.ts';
import { readContract, wordsOf } from '../../src/platform/http/contract_document.ts';

/*
 * The guide "Error codes" has a section for each code of the contract. scripts/covered.ts compares its titles with those that the
 * tests got.
 */

const contract = readContract('v3');
const codes = wordsOf(contract, 'ErrorCode');
const catalogue = readErrorCatalogue();

describe('the codes of errors', () => {
  it('are the same in both contracts, and described', () => {
    expect(wordsOf(readContract('public'), 'ErrorCode')).toEqual(codes);
    const { ErrorCode } = contract.components.schemas as { ErrorCode: { 'x-enumDescriptions': object } };
    expect(Object.keys(ErrorCode['x-enumDescriptions'])).toEqual(codes);
  });

  it('have a section each in the guide, in the order of the contract', () => {
    expect(catalogue.map(({ code }) => code)).toEqual(codes);
  });

  it.each(catalogue)('$code has a cause, a fix and titles', ({ cause, fix, titles }) => {
    expect(cause).toMatch(/\.$/);
    expect(fix).toMatch(/\.$/);
    expect(titles.length).toBeGreaterThan(0);
  });

  const isProblem = new Ajv2020({ strict: false })
    .addSchema(contract, 'contract')
    .compile({ $ref: 'contract#/components/schemas/Problem' });

  it.each(catalogue)('$code has an example with one of its titles', ({ code, example }) => {
    const problem = JSON.parse(example!) as { status: string; code: string; title: string };
    expect(isProblem(problem), JSON.stringify(isProblem.errors)).toBe(true);
    expect(problem.code).toBe(code);
    const statuses = catalogue.find((section) => section.code === code)!.titles.map(({ status }) => status);
    expect(statuses.some((status) => isListed(catalogue, { ...problem, status }))).toBe(true);
  });
});
