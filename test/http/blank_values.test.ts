import { describe, expect, it } from 'vitest';
import { deepest, isTooDeep, nulProblems, pointerTo, tidy, type Schema } from '../../src/http/requests/blank_values.ts';

const attributes: Schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    nullable_text: { type: ['string', 'null'] },
    named: { type: 'string', minLength: 1 },
    colour: { type: 'string', pattern: '^#' },
    date: { type: ['string', 'null'], format: 'date' },
    number: { type: 'number' },
    flag: { type: 'boolean' },
    nullable_flag: { type: ['boolean', 'null'] },
    ids: { type: 'array', items: { type: ['integer', 'string'] } },
    parts: { type: 'array', items: { $ref: '#/part' } },
    either: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    open: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
const schema: Schema = {
  type: 'object',
  properties: {
    data: { type: 'object', allOf: [{ type: 'object', properties: { attributes: { $ref: '#/attributes' } } }] },
  },
};
const definitions: Record<string, Schema> = {
  '#/attributes': attributes,
  '#/part': { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
};

const tidied = (given: object, isCreate: boolean): unknown => {
  const body = tidy({ data: { attributes: given } }, schema, {
    isCreate,
    isLenient: false,
    resolve: (reference) => definitions[reference]!,
  });
  return (body as { data: { attributes: unknown } }).data.attributes;
};

describe('on create', () => {
  it('null and blank mean "not given", for every type', () => {
    expect(
      tidied({ named: ' ', colour: '', number: '', flag: null, ids: '', parts: null, either: '', number_: '' }, true),
    ).toEqual({});
  });

  it('they are null where null is a value', () => {
    expect(tidied({ nullable_flag: '', date: ' ', nullable_text: null }, true)).toEqual({
      nullable_flag: null,
      date: null,
      nullable_text: null,
    });
  });

  it('text keeps them', () => {
    expect(tidied({ text: '', nullable_text: ' ' }, true)).toEqual({ text: '', nullable_text: ' ' });
  });
});

describe('on update', () => {
  it('they are null, which clears what can be cleared and is refused otherwise', () => {
    const cleared = { named: null, colour: null, date: null, number: null, flag: null, nullable_flag: null };
    expect(tidied({ named: '', colour: ' ', date: '', number: '', flag: '', nullable_flag: '' }, false)).toEqual(
      cleared,
    );
    expect(tidied(cleared, false)).toEqual(cleared);
  });

  it('text keeps them', () => {
    expect(tidied({ text: '', nullable_text: '' }, false)).toEqual({ text: '', nullable_text: '' });
  });
});

describe('always', () => {
  it('values stay as they are, falsy ones too', () => {
    const values = { text: 'x', number: 0, flag: false, ids: [1, '2', ''], either: 'a', date: '2026-01-30' };
    expect(tidied(values, true)).toEqual(values);
    expect(tidied(values, false)).toEqual(values);
  });

  it('the elements of lists are tidied too', () => {
    expect(tidied({ parts: [{ at: '' }, { at: 'x' }] }, true)).toEqual({ parts: [{}, { at: 'x' }] });
  });

  it('members that the contract does not know are dropped, unless it leaves their names open', () => {
    expect(
      tidied({ text: 'x', password_hash: 'y', __proto: 1, parts: [{ at: 'x', more: 1 }], open: { any: 'z' } }, true),
    ).toEqual({
      text: 'x',
      parts: [{ at: 'x' }],
      open: { any: 'z' },
    });
  });

  it('a body that is no object passes, for the validator to refuse', () => {
    for (const body of [null, 5, 'x', [], [{}]])
      expect(tidy(body, schema, { isCreate: true, isLenient: false, resolve: () => ({}) })).toEqual(body);
  });
});

describe('nulProblems', () => {
  it('names every text that holds NUL, by its bare name', () => {
    const body = { data: { attributes: { name: 'a\0b', parts: [{ at: '\0' }], number: 5, empty: null } } };
    expect(nulProblems(body).map(({ pointer }) => pointer)).toEqual(['name', 'parts/0/at']);
    expect(nulProblems({ data: { attributes: { name: 'plain' } } })).toEqual([]);
  });

  it('stops where nobody reads on', () => {
    expect(nulProblems(Array.from({ length: 100_000 }, () => '\0'))).toHaveLength(20);
  });
});

describe('isTooDeep', () => {
  it('tells bodies that are nested beyond reason', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(isTooDeep(nested(deepest))).toBe(false);
    expect(isTooDeep(nested(deepest + 2))).toBe(true);
    expect(isTooDeep(nested(100_000))).toBe(true);
  });
});

describe('pointerTo', () => {
  it.each([
    [['data', 'attributes', 'email'], 'email'],
    [['data', 'attributes', 'breaks_attributes', '0', 'ends_at'], 'breaks_attributes/0/ends_at'],
    [['data', 'relationships', 'area', 'data', 'id'], 'area/data/id'],
    [['data', 'type'], 'type'],
    [['data'], 'base'],
    [['data', 'attributes'], 'base'],
    [['user', 'email'], 'email'],
    [['user'], 'user'],
    [['api_token'], 'api_token'],
    [[], 'base'],
  ])('%j is %s', (path, pointer) => {
    expect(pointerTo(path)).toBe(pointer);
  });
});
