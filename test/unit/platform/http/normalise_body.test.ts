import { describe, expect, it } from 'vitest';
import { operationsOf, readContract, resolver, type Schema } from '../../../../src/platform/http/contract_document.ts';
import { limitProblems, maxDepth } from '../../../../src/platform/http/requests/body_limits.ts';
import { normaliseBody } from '../../../../src/platform/http/requests/normalise_body.ts';
import { envelopesOf, pointerTo } from '../../../../src/platform/http/requests/pointers.ts';

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
    area: { $ref: '#/reference' },
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
  '#/reference': {
    type: 'object',
    properties: {
      data: { type: ['object', 'null'], properties: { id: { type: ['integer', 'string'] }, type: { type: 'string' } } },
    },
  },
  '#/part': { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
};

const normalised = (given: object, isCreate: boolean, isLenient = false): unknown => {
  const body = normaliseBody({ data: { attributes: given } }, schema, {
    isCreate,
    isLenient,
    resolve: (reference) => definitions[reference]!,
  });
  return (body as { data: { attributes: unknown } }).data.attributes;
};

describe('on create', () => {
  it('null and blank mean "not given", for every type', () => {
    expect(
      normalised(
        { named: ' ', colour: '', number: '', flag: null, ids: '', parts: null, either: '', number_: '' },
        true,
      ),
    ).toEqual({});
  });

  it('they are null where null is a value', () => {
    expect(normalised({ nullable_flag: '', date: ' ', nullable_text: null }, true)).toEqual({
      nullable_flag: null,
      date: null,
      nullable_text: null,
    });
  });

  it('text keeps them', () => {
    expect(normalised({ text: '', nullable_text: ' ' }, true)).toEqual({ text: '', nullable_text: ' ' });
  });
});

describe('on update', () => {
  it('they are null, which clears what can be cleared and is refused otherwise', () => {
    const cleared = { named: null, colour: null, date: null, number: null, flag: null, nullable_flag: null };
    expect(normalised({ named: '', colour: ' ', date: '', number: '', flag: '', nullable_flag: '' }, false)).toEqual(
      cleared,
    );
    expect(normalised(cleared, false)).toEqual(cleared);
  });

  it('null is not sent where the operation says so, and blank still clears', () => {
    const given = {
      named: null,
      number: null,
      nullable_flag: null,
      nullable_text: null,
      parts: [{ at: null }],
      date: '',
    };
    expect(normalised(given, false, true)).toEqual({ parts: [{}], date: null });
  });

  it('text keeps them', () => {
    expect(normalised({ text: '', nullable_text: '' }, false)).toEqual({ text: '', nullable_text: '' });
  });
});

describe('always', () => {
  it('values stay as they are, falsy ones too', () => {
    const values = { text: 'x', number: 0, flag: false, ids: [1, '2', ''], either: 'a', date: '2026-01-30' };
    expect(normalised(values, true)).toEqual(values);
    expect(normalised(values, false)).toEqual(values);
  });

  it.each(['', '  ', null])('a relationship with the id %j is not given', (id) => {
    for (const isCreate of [true, false]) {
      expect(normalised({ area: { data: { type: 'area', id } }, text: 'x' }, isCreate)).toEqual({ text: 'x' });
    }
  });

  it('a relationship with an id, or without a record, stays', () => {
    for (const area of [{ data: { type: 'area', id: '5' } }, { data: { type: 'area', id: 0 } }, { data: null }]) {
      expect(normalised({ area }, false)).toEqual({ area });
    }
    expect(normalised({ area: { data: { type: 'area' } } }, true)).toEqual({ area: { data: { type: 'area' } } });
  });

  it('the elements of lists are normalised too', () => {
    expect(normalised({ parts: [{ at: '' }, { at: 'x' }] }, true)).toEqual({ parts: [{}, { at: 'x' }] });
  });

  it('members that the contract does not know are dropped, unless it leaves their names open', () => {
    expect(
      normalised(
        { text: 'x', password_hash: 'y', __proto: 1, parts: [{ at: 'x', more: 1 }], open: { any: 'z' } },
        true,
      ),
    ).toEqual({
      text: 'x',
      parts: [{ at: 'x' }],
      open: { any: 'z' },
    });
  });

  it('a body that is no object passes, for the validator to refuse', () => {
    for (const body of [null, 5, 'x', [], [{}]])
      expect(normaliseBody(body, schema, { isCreate: true, isLenient: false, resolve: () => ({}) })).toEqual(body);
  });
});

describe('limitProblems', () => {
  const problemsOf = (body: unknown) =>
    limitProblems(body, { bodySchema: undefined, envelopes: new Set(), resolve: () => ({}) });

  it('names every text that contains NUL, by its bare name', () => {
    const body = { data: { attributes: { name: 'a\0b', parts: [{ at: '\0' }], number: 5, empty: null } } };
    expect(problemsOf(body).map(({ pointer }) => pointer)).toEqual(['name', 'parts/0/at']);
    expect(problemsOf({ data: { attributes: { name: 'plain' } } })).toEqual([]);
  });

  it('names every list that is too long, together with texts that contain NUL', () => {
    const list = { items: {}, maxItems: 2 };
    const bodySchema = { properties: { ids: list, more: { oneOf: [list, { ...list, maxItems: 3 }] } } };
    const bounds = { bodySchema, envelopes: new Set<string>(), resolve: () => ({}) };
    expect(limitProblems({ ids: [1, 2, 3], more: [1, 2, 3], names: ['\0'] }, bounds)).toEqual([
      {
        code: 'too_many',
        pointer: 'ids',
        title: 'ids must have at most 2 items, but had 3.',
        meta: { max_items: 2 },
      },
      {
        code: 'invalid_format',
        pointer: 'names/0',
        title: 'An item of names must not contain the NUL character.',
      },
    ]);
  });

  it('stops after enough problems', () => {
    expect(problemsOf(Array.from({ length: 100_000 }, () => '\0'))).toHaveLength(20);
  });

  it('refuses bodies that are nested too deeply', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(problemsOf(nested(maxDepth))).toEqual([]);
    expect(() => problemsOf(nested(maxDepth + 2))).toThrow();
    expect(() => problemsOf(nested(100_000))).toThrow();
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
    expect(pointerTo(path, new Set(['data', 'user']))).toBe(pointer);
  });
});

describe('envelopesOf', () => {
  it.each(['v3', 'public'] as const)(
    'finds at most one member that wraps a record, in every operation of %s',
    (api) => {
      const contract = readContract(api);
      const envelopes = operationsOf(contract).map(({ operation }) => [...envelopesOf(operation, resolver(contract))]);
      expect(envelopes.filter((names) => names.length > 1)).toEqual([]);
      expect(envelopes.flat()).toContain(api === 'v3' ? 'data' : 'user');
    },
  );
});
