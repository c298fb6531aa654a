import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DB } from '../../../../../generated/db.ts';
import type { Db } from '../../../../../src/platform/db/connection.ts';
import { boolean, city, day, idsIn, number, text, time, uuid } from '../../../../../src/platform/db/list/filters.ts';
import { list, pagingOf, type Collection, type Selection } from '../../../../../src/platform/db/list/list.ts';
import { newWorld } from '../../../../support/world.ts';

/*
 * Every matcher on every kind of column, on three rows: Ann has small values, Bob has large ones, and Cy has none.
 */

let db: Db;
let account_id: number;
let users: Collection<'users', DB, 'users', { username: string }>;
let tokens: Collection<'api_tokens', DB, 'api_tokens', { name: string }>;
const [idOfOne, idOfTwo] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

const columns = {
  id: number('users.id'),
  username: text('users.username'),
  staff_number: text('users.staff_number'),
  time_zone: city('users.time_zone'),
  saldo_type: number('users.saldo_type'),
  salary: number('users.salary'),
  checkin_complete: boolean('users.checkin_complete'),
  created_at: time('users.created_at'),
  birthday: day('users.birthday'),
};

const own = [
  {
    username: 'Ann',
    staff_number: 'a_1%',
    saldo_type: 1,
    salary: 1.5,
    checkin_complete: true,
    birthday: '1990-05-01',
    time_zone: 'America/New_York',
  },
  {
    username: 'Bob',
    staff_number: 'B\\2',
    saldo_type: 2,
    salary: 20,
    checkin_complete: false,
    birthday: '2000-01-31',
    time_zone: 'UTC',
  },
  { username: 'Cy', staff_number: '', saldo_type: 3, salary: 0 },
];
const created = ['2026-01-01T08:00:00Z', '2026-02-01T08:00:00Z', '2026-03-01T08:00:00Z'];

beforeAll(async () => {
  const world = await newWorld();
  ({ db, accountId: account_id } = world);
  const rows = own.map((row, index) => ({
    ...row,
    account_id,
    created_in_workspace: true,
    start_of_accounting: '2026-01-01',
    recognition_color_variant: 1,
    created_at: created[index]!,
    updated_at: created[index]!,
  }));
  await db.insertInto('users').values(rows).execute();
  const mine = db
    .selectFrom('users')
    .where('users.account_id', '=', account_id)
    .where('users.username', 'in', ['Ann', 'Bob', 'Cy']);
  users = { visible: mine, rows: mine.select('username'), id: 'users.id', columns, timeZone: 'UTC' };

  const token = (id: string, name: string) => ({
    id,
    account_id,
    name,
    hash: `${account_id}-${name}`,
    last_four: '1234',
    created_at: created[0]!,
  });
  await db
    .insertInto('api_tokens')
    .values([token(idOfOne, 'one'), token(idOfTwo, 'two')])
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ account_id }))
    .execute();
  const issued = db
    .selectFrom('api_tokens')
    .where('api_tokens.account_id', '=', account_id)
    .where('api_tokens.name', 'in', ['one', 'two']);
  tokens = {
    visible: issued,
    rows: issued.select('name'),
    id: 'api_tokens.id',
    columns: { id: uuid('api_tokens.id') },
    timeZone: 'UTC',
  };
});

const everything: Selection = { page: 1, items: 20, outset: 0, sort: [], filter: {} };
const found = async (filter: Selection['filter'], others: Partial<Selection> = {}): Promise<string> => {
  const { rows, paging } = await list(db, users, { ...everything, filter, ...others });
  if (!others.items) expect(paging.total_count).toBe(rows.length);
  return rows.map(({ username }) => username[0]).join('');
};

/** Each value selects the rows with these initials. ABC are all rows, as without the filter. */
// prettier-ignore
const cases: Record<string, Record<string, string>> = {
  username: {
    'eq:Ann': 'A', 'eq:ann': '', '!eq:Ann': 'BC', 'gt:Ann': 'BC', 'gte:Bob': 'BC', 'lt:Bob': 'A', 'lte:Bob': 'AB', 'in:Ann,Cy,Nobody': 'AC',
    'pre:a': 'A', 'suf:B': 'B', 'ct:N': 'A', '!ct:n': 'BC', 'present:true': 'ABC', 'present:false': '', 'present:yes': 'ABC', 'eq:': '', 'ct:': 'ABC',
    'pre:%': '', 'ct:ANN': 'A', 'nope:Ann': 'ABC', Ann: 'ABC', ':': 'ABC', '': 'ABC', 'eq:\0': '', '!eq:\0': '', 'ct:a\0': '', 'in:Ann,\0': '', 'eq:it\'s "quoted"; --': '',
  },
  staff_number: {
    'ct:_': 'A', 'ct:%': 'A', 'ct:\\': 'B', 'pre:a_': 'A', 'pre:A%': '', 'suf:1%': 'A', 'suf:_': '', '!ct:_': 'BC', 'eq:': 'C', 'present:true': 'AB', 'present:false': 'C',
  },
  time_zone: { 'eq:New York': 'A', 'eq:America/New_York': '', 'eq:UTC': 'B', '!eq:UTC': 'AC', '!ct:york': 'BC', 'present:false': 'C', 'gt:UTC': '' },
  saldo_type: {
    'eq:2': 'B', '!eq:2': 'AC', 'gt:1': 'BC', 'gte:2': 'BC', 'lt:2': 'A', 'lte:2': 'AB', 'in:1, 3,x': 'AC', 'in:x': 'ABC', 'present:true': 'ABC', 'eq:abc': 'ABC', 'gt:': 'ABC',
    'eq:2.0': 'B', 'gt:1.5': 'BC', 'eq:-1': '', 'ct:2': 'ABC', 'pre:2': 'ABC', 'eq:1e3': 'ABC', 'eq:99999999999999999999999': '', 'lt:99999999999999999999999': 'ABC',
    'gt:-99999999999999999999999': 'ABC', 'eq:NaN': 'ABC', 'eq:Infinity': 'ABC', 'eq:0x1': 'ABC', 'eq:1\0': '', 'in:999999999999999999999,2': 'B',
    [`eq:${'9'.repeat(500)}`]: 'ABC',
  },
  salary: { 'eq:1.5': 'A', 'gt:1.49999': 'AB', 'lte:1.5': 'AC', 'in:1.50,20': 'AB', 'eq:20': 'B' },
  checkin_complete: {
    'eq:true': 'A', 'eq:1': 'A', 'eq:false': 'B', 'eq:0': 'B', '!eq:true': 'BC', 'in:true,false': 'AB', 'present:true': 'AB', 'present:false': 'C', 'eq:yes': 'ABC', 'gt:false': 'ABC', 'ct:t': 'ABC',
  },
  created_at: {
    'eq:2026-02-01T08:00:00Z': 'B', 'eq:2026-02-01T09:00:00+01:00': 'B', 'eq:2026-02-01T09:00:00+0100': 'B', 'eq:2026-02-01t08:00z': 'B', '!eq:2026-02-01T08:00:00Z': 'AC', 'gt:2026-02-01T08:00:00Z': 'C',
    'gte:2026-02-01T08:00:00Z': 'BC', 'lt:2026-02-01T08:00:00.5Z': 'AB', 'lt:2026-02-01': 'A', 'gte:2026-02-01': 'BC', 'in:2026-01-01T08:00:00Z,2026-03-01T08:00:00Z': 'AC', 'present:true': 'ABC',
    'gt:2026-02-30': 'ABC', 'gt:2026-02-01T08:00:00': 'ABC', 'gt:yesterday': 'ABC', 'gt:2026-02-01T25:00:00Z': 'ABC', 'gt:0000-01-01': 'ABC', 'lt:0001-01-01': '', 'gt:9999-12-31': '',
    'eq:2026-02-01': 'B', '!eq:2026-02-01': 'AC', 'lte:2026-02-01': 'AB', 'gt:2026-02-01': 'C', 'in:2026-01-01,2026-03-01T08:00:00Z': 'AC', 'gte:2026-02-01T09:00:00 01:00': 'BC',
    'gt:9999-12-31T23:59:59-12:00': 'ABC', 'lt:0001-01-01T00:00:00+14:00': 'ABC', 'eq:now': 'ABC', 'eq:infinity': 'ABC', 'ct:2026': 'ABC',
  },
  birthday: {
    'eq:1990-05-01': 'A', '!eq:1990-05-01': 'BC', 'gt:1990-05-01': 'B', 'gte:1990-05-01': 'AB', 'lt:2000-01-31': 'A', 'lte:2000-01-31': 'AB', 'in:1990-05-01,2000-01-31': 'AB', 'present:false': 'C',
    'gt:2023-02-29': 'ABC', 'gt:1990-05-01T00:00:00Z': 'ABC', 'lt:1800-01-01': '', 'lt:0000-01-01': 'ABC', 'pre:1990': 'ABC',
  },
  nothing: { 'eq:1': 'ABC', '\0': 'ABC' },
  constructor: { 'eq:1': 'ABC' },
};

describe.each(Object.entries(cases))('filter[%s]', (field, values) => {
  it.each(Object.entries(values))('=%j', async (value, initials) => {
    expect(await found({ [field]: value })).toBe(initials);
  });
});

describe('filter', () => {
  it('by several fields wants all of them', async () => {
    expect(await found({ username: 'in:Ann,Bob', salary: 'gt:10' })).toBe('B');
  });

  it('takes a list as a repeated parameter, however long', async () => {
    expect(await found({ username: ['Ann', 'Cy'] })).toBe('AC');
    expect(await found({ username: ['in:Ann', 'eq:Cy'] })).toBe('AC');
    expect(await found({ saldo_type: ['1', 'x', '2'] })).toBe('AB');
    expect(
      await found({
        username: Object.fromEntries(Array.from({ length: 150 }, (_, index) => [index, index === 140 ? 'Bob' : 'x'])),
      }),
    ).toBe('B');
    expect(await found({ username: [] })).toBe('ABC');
    expect(await found({ username: ['Ann', '\0'] })).toBe('');
  });

  it('takes several matchers for one field, all of which must match', async () => {
    expect(await found({ salary: ['gt:1', 'lt:10'] })).toBe('A');
    expect(await found({ username: ['Ann', 'Bob', '!eq:Bob'] })).toBe('A');
    expect(await found({ salary: ['gt:abc', 'fly:1'] })).toBe('ABC');
  });

  it('of an invalid shape is ignored', async () => {
    for (const value of [5, null, undefined, { eq: 'Ann' }, { a: { b: 'c' } }, [['x']]])
      expect(await found({ username: value })).toBe('ABC');
  });

  it('by UUID matches what is one, and nothing otherwise', async () => {
    const names = async (value: unknown) =>
      (await list(db, tokens, { ...everything, filter: { id: value } })).rows.map(({ name }) => name).join();
    expect(await names(`eq:${idOfOne}`)).toBe('one');
    expect(await names(`eq:${idOfOne.toUpperCase()}`)).toBe('one');
    expect(await names(`!eq:${idOfOne}`)).toBe('two');
    expect(await names(`in:${idOfOne},abc,${idOfTwo}`)).toBe('one,two');
    expect(await names('eq:abc')).toBe('');
    expect(await names('!eq:abc')).toBe('one,two');
    expect(await names('in:abc')).toBe('');
    expect(await names('gt:abc')).toBe('one,two');
    expect(await names('present:true')).toBe('one,two');
  });

  it('with a parser gets the bare value', async () => {
    const seen: string[] = [];
    const named = { areas: { parse: (value: string) => void seen.push(value), where: () => sql<boolean>`true` } };
    for (const value of ['1,2', 'in:1,2', 'eq:1', ['1', '2'], ['eq:1', '2'], 'a\0'])
      await list(db, { ...users, named }, { ...everything, filter: { areas: value } });
    expect(seen).toEqual(['1,2', '1,2', '1', '1,2', '1,2']);
    expect((await list(db, { ...users, named }, { ...everything, filter: { areas: 'a\0' } })).rows).toEqual([]);
  });
});

describe('sort', () => {
  it.each([
    [['username'], 'ABC'],
    [['-username'], 'CBA'],
    [['+salary'], 'CAB'],
    [['-salary'], 'BAC'],
    [['birthday'], 'ABC'],
    [['-birthday'], 'CBA'],
    [['checkin_complete'], 'BAC'],
    [['time_zone'], 'ABC'],
    [['nothing', '-username'], 'CBA'],
    [['nothing'], 'ABC'],
    [['\0', '--username'], 'ABC'],
    [['staff_number'], 'CBA'],
  ])('%j', async (sort, initials) => {
    expect(await found({}, { sort })).toBe(initials);
  });

  it('breaks ties by id, also going down', async () => {
    await db
      .updateTable('users')
      .set({ hour_holidays: true })
      .where('account_id', '=', account_id)
      .where('username', '=', 'Bob')
      .execute();
    const columnsWithTies = { ...columns, hour_holidays: boolean('users.hour_holidays') };
    const { rows } = await list(
      db,
      { ...users, columns: columnsWithTies },
      { ...everything, sort: ['-hour_holidays'] },
    );
    expect(rows.map(({ username }) => username)).toEqual(['Bob', 'Ann', 'Cy']);
  });

  it('without a choice is the default of the collection', async () => {
    const { rows } = await list(db, { ...users, defaultSort: ['salary'] }, everything);
    expect(rows.map(({ username }) => username)).toEqual(['Cy', 'Ann', 'Bob']);
  });
});

describe('page', () => {
  const page = async (selection: Partial<Selection>) => {
    const { rows, paging } = await list(db, users, { ...everything, ...selection });
    return [
      rows.map(({ username }) => username[0]).join(''),
      paging.current_page,
      paging.page_items,
      paging.total_pages,
      paging.total_count,
    ];
  };

  it('is a part of the whole', async () => {
    expect(await page({ items: 2 })).toEqual(['AB', 1, 2, 2, 3]);
    expect(await page({ items: 2, page: 2 })).toEqual(['C', 2, 2, 2, 3]);
  });

  it('past the last one is empty, and says so', async () => {
    expect(await page({ items: 2, page: 100_000_000, outset: 100_000_000 })).toEqual(['', 100_000_000, 2, 1, 0]);
    expect(await page({ items: 2, page: 9 })).toEqual(['', 9, 2, 2, 3]);
  });

  it('begins after the skipped rows, which do not count', async () => {
    expect(await page({ items: 2, outset: 1 })).toEqual(['BC', 1, 2, 1, 2]);
    expect(await page({ items: 1, outset: 1, page: 2 })).toEqual(['C', 2, 1, 2, 2]);
  });

  it('is the only one if there are no rows', () => {
    expect(pagingOf({ page: 1, items: 20, outset: 0 }, 0)).toEqual({
      link: 0,
      current_page: 1,
      page_items: 20,
      total_pages: 1,
      total_count: 0,
    });
  });
});

describe('idsIn', () => {
  it('keeps what can be an id', () => {
    expect(idsIn('1, 2,abc,,-3,99999999999999999999')).toEqual([1, 2]);
    expect(idsIn('')).toEqual([]);
  });
});
