import { Serializer } from 'jsonapi-serializer';
import { describe, expect, it } from 'vitest';
import { many, one, presenter, type Resource } from '../../src/http/answers/jsonapi.ts';

interface Thing extends Resource {
  type: 'thing';
  attributes: { name: string; size?: number | null; parts?: { id: string }[]; colours?: string[] };
  relationships: { owner: ReturnType<typeof one>; parts: ReturnType<typeof many> };
}

const present = presenter<Thing>('thing');
const relationships = { owner: one('user', 7), parts: many('part', [1, 2]) };

describe('presenter', () => {
  it.each<Thing['attributes']>([
    { name: 'a', size: 1, parts: [{ id: '1' }], colours: ['red', 'blue'] },
    { name: '', size: null, parts: [], colours: [] },
    { name: 'bare' },
  ])('shows a record as jsonapi-serializer does: %j', (attributes) => {
    const serializer = new Serializer('thing', {
      attributes: Object.keys(attributes),
      pluralizeType: false,
      keyForAttribute: ((name: string) => name) as never,
    });
    const expected = (serializer.serialize({ id: 5, ...attributes }) as { data: object }).data;
    expect(JSON.stringify(present({ id: 5, attributes, relationships }))).toBe(
      JSON.stringify({ ...expected, relationships }),
    );
  });
});
