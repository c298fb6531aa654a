import { describe, expect, it } from 'vitest';
import { slugOf } from '../../../scripts/docs/guides.ts';
import { messagesOf, operationsOf, readContract } from '../../../src/platform/http/contract_document.ts';

/* What the contracts say in words is short enough to be read before a call, and names guides in the form that becomes a link. */

const contracts = [readContract('v3'), readContract('public')];
const operations = contracts.flatMap((contract) => [
  ...operationsOf(contract).map(({ operation }) => operation),
  ...messagesOf(contract),
]);
const texts = contracts.flatMap((contract) => {
  const found: string[] = [];
  JSON.stringify(contract, (key, value: unknown) => {
    if (key === 'description' || key === 'summary') found.push(String(value));
    return value;
  });
  return found;
});

describe('the description of an operation', () => {
  it('has at most 200 words', () => {
    const wordsIn = (text: string): number => text.trim().split(/\s+/).length;
    const long = operations.map(({ operationId, description = '' }) => [operationId, wordsIn(description)] as const);
    expect(long.filter(([, count]) => count > 200)).toEqual([]);
    expect(Math.max(...long.map(([, count]) => count))).toBeGreaterThan(100);
  });

  it('says what an update ignores: a few names, or how to find them', () => {
    const updates = operations.filter((operation) => 'x-read-only' in operation);
    for (const { operationId, description, 'x-read-only': marked } of updates) {
      const paragraph = description!.trim().split('\n\n').at(-1)!;
      expect(paragraph, operationId).toMatch(/read-only here, and ignored where sent/i);
      const names = marked === true || marked!.length > 8 ? [] : marked!;
      for (const name of names) expect(paragraph, operationId).toContain(name);
    }
    expect(updates.length).toBeGreaterThan(30);
  });
});

describe('a text of the contracts', () => {
  it('names guides in italics, which become links', () => {
    expect(texts.flatMap((text) => text.match(/\b(?:chapter|guide)s? (?!_)[A-Z`].{0,40}/g) ?? [])).toEqual([]);
  });

  it('names only guides that exist', () => {
    const tags = contracts.flatMap((contract) => (contract as unknown as { tags: { name: string }[] }).tags);
    const known = new Set(tags.map(({ name }) => slugOf(name)));
    const named = texts.flatMap((text) =>
      [...text.matchAll(/\bguides? (_[A-Z][^_]+_(?:(?:,| and) _[A-Z][^_]+_)*)/g)].flatMap(([, names]) =>
        [...names!.matchAll(/_([^_]+)_/g)].map(([, name]) => name!),
      ),
    );
    expect(named.filter((name) => !known.has(slugOf(name)))).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });
});
