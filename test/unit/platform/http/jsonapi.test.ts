import { describe, expect, it } from 'vitest';
import { many, one, resource, type Linkage, type Resource } from '../../../../src/platform/http/answers/jsonapi.ts';

interface Thing extends Resource {
  type: 'thing';
  attributes: { name?: string; size?: number | null; type?: string; made_on?: object; parts?: unknown[] };
  relationships: { owner: { data: Linkage | null }; parts: { data: Linkage[] }; maker?: { data: Linkage | null } };
}

const thing = resource<Thing>('thing', {
  attributes: ['name', 'size', 'type', 'made_on', 'parts'],
  relationships: ['owner', 'parts', 'maker'],
});
const linkages = { owner: one('user', 7), parts: many('part', [1, 2]) };

describe('resource', () => {
  it('shows a record in the order of the contract', () => {
    expect(
      JSON.stringify(thing({ size: 1, name: 'a', id: 5 }, { parts: many('part', []), owner: one('user', null) })),
    ).toBe(
      '{"type":"thing","id":"5","attributes":{"name":"a","size":1},"relationships":{"owner":{"data":null},"parts":{"data":[]}}}',
    );
  });

  it.each<Thing['attributes']>([
    { name: '', size: 0 },
    { size: null, parts: [] },
    { parts: [{ id: 1, inMilli_Metres: [1, null] }, { id: 2 }] },
    { parts: ['red', null, 3] },
    { made_on: { 'a-key': { another_Key: false } } },
    // Not the type of the record.
    { type: 'UserNote' },
  ])('leaves values and the names in them as they are: %j', (attributes) => {
    expect(thing({ id: 5, ...attributes }, linkages).attributes).toEqual(attributes);
  });

  it('keeps an attribute apart from the relationship of the same name', () => {
    expect(thing({ id: 5, parts: [{ id: '1' }] }, linkages)).toEqual({
      type: 'thing',
      id: '5',
      attributes: { parts: [{ id: '1' }] },
      relationships: {
        owner: { data: { type: 'user', id: '7' } },
        parts: {
          data: [
            { type: 'part', id: '1' },
            { type: 'part', id: '2' },
          ],
        },
      },
    });
  });

  it('has attributes even where there are none', () => {
    expect(thing({ id: 5 }, linkages).attributes).toEqual({});
  });

  it('shows nothing that the contract does not name', () => {
    const row = { id: 5, name: 'a', secret: 'b' };
    expect(thing(row, linkages).attributes).toEqual({ name: 'a' });
  });

  it('has no relationships where the contract has none', () => {
    const bare = resource<{ id: string; type: 'bare'; attributes: { name: string } }>('bare', {
      attributes: ['name'],
      relationships: [],
    });
    expect(bare({ id: 'x', name: 'a' })).toEqual({ type: 'bare', id: 'x', attributes: { name: 'a' } });
  });

  it('refers to a record whose id is 0', () => {
    expect(thing({ id: 0 }, { owner: one('user', 0), parts: [] })).toMatchObject({
      id: '0',
      relationships: { owner: { data: { type: 'user', id: '0' } } },
    });
  });
});
