import { describe, expect, it } from 'vitest';
import { publishedContract } from '../../../scripts/docs/publish.ts';
import { operationsOf, resolver } from '../../../src/platform/http/contract_document.ts';

/*
 * Many requests of the public API name a record by its id or by its external id. Readers and generated requests use the examples of
 * both, so these must belong to the same record.
 */

type Node = Record<string, unknown>;
const contract = publishedContract('public');
const resolve = resolver(contract);
const resolved = (node: unknown): Node => {
  const one = node as Node;
  return typeof one['$ref'] === 'string' ? { ...resolved(resolve(one['$ref'])), ...one } : one;
};
const exampleOf = (node: unknown): string => {
  const { example, schema } = resolved(node);
  return String(example ?? (schema ? exampleOf(schema) : undefined));
};

/** The places that name records by both, each with the examples by name. */
function places(): [place: string, examples: Record<string, string>][] {
  const found: [string, Record<string, string>][] = [];
  for (const { operation } of operationsOf(contract)) {
    const parameters = (operation.parameters ?? []).map(resolved);
    found.push([
      operation.operationId,
      Object.fromEntries(parameters.map((one) => [String(one['name']), exampleOf(one)])),
    ]);
  }
  const walk = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node as { properties?: Node };
    const isCondition = /\/(if|then)(\/|$)/.test(place);
    if (properties && !isCondition)
      found.push([
        place,
        Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, exampleOf(value)])),
      ]);
    for (const [name, child] of Object.entries(node)) if (name !== 'example') walk(child, `${place}/${name}`);
  };
  walk((contract as unknown as { components: { schemas: Node } }).components.schemas, '');
  return found;
}

describe('examples of ids and external ids in the public API', () => {
  it('name the same user, location and working area everywhere', () => {
    const records = { user: ['2', 'hr-1002'], location: ['1', 'berlin'], working_area: ['1', 'kitchen'] };
    const wrong: string[] = [];
    let count = 0;
    for (const [place, examples] of places()) {
      for (const [noun, [id, externalId]] of Object.entries(records)) {
        const [own, external] = [examples[`${noun}_id`], examples[`${noun}_external_id`]];
        if (own === undefined || external === undefined) continue;
        count++;
        if (own !== id || external !== externalId) wrong.push(`${place}: ${noun} ${own}, ${external}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(15);
  });

  it('belong to one record of their kind', () => {
    const kinds = new Map<string, Set<string>>();
    for (const [place, { id, external_id: externalId }] of places()) {
      if (id === undefined || externalId === undefined || place === '/PublicChange') continue;
      const kind = /^\/?(.*?)(Update|Reference|Deletion|Identification)?(\/|$)/.exec(place)![1]!;
      kinds.set(kind, (kinds.get(kind) ?? new Set()).add(`${id} is ${externalId}`));
    }
    const wrong = [...kinds].filter(([, pairs]) => {
      const [ids, externalIds] = [0, 1].map((side) => new Set([...pairs].map((pair) => pair.split(' is ')[side])));
      return ids!.size < pairs.size || externalIds!.size < pairs.size;
    });
    expect(wrong).toEqual([]);
    expect(kinds.size).toBeGreaterThan(5);
  });
});
