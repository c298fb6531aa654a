import { describe, expect, it } from 'vitest';
import { complaintsAbout } from './compiler.ts';

/*
 * A plan is built once and used for the values of every call, so its builder must not depend on them. The compiler refuses
 * builders that do.
 */

const imports = `
  import { sql } from 'kysely';
  import type { Db } from './connection.ts';
  import { listPlanned, type Selection } from './list/list.ts';
  import { number } from './list/filters.ts';
  import type { Placeholders } from './placeholders.ts';
  import { statement } from './statement.ts';
  interface Values { accountId: number; userId: number | null; ids: readonly number[]; name: string; isActive: boolean }
`;
const builder = (body: string): string =>
  `export const built = statement((db, { accountId, userId, ids, name, isActive }: Placeholders<Values>) => { ${body} });`;
const where = (operand: string): string => `return sql<object>\`select \${${operand}}\`;`;

const refused: [string, string, RegExp][] = [
  ['compares a value', builder(`const is = accountId === 5; ${where('is')}`), /no overlap/],
  ['compares two values', builder(`const is = accountId === userId; ${where('is')}`), /no overlap/],
  ['orders a value', builder(`const is = accountId > 5; ${where('is')}`), /Operator '>' cannot be applied/],
  ['orders two values', builder(`const is = accountId < userId; ${where('is')}`), /Operator '<' cannot be applied/],
  ['adds to a value', builder(where('accountId + 1')), /Operator '\+' cannot be applied/],
  ['multiplies a value', builder(where('accountId * 2')), /must be of type/],
  ['branches on a value', builder(`if (isActive) { ${where('1')} } ${where('2')}`), /always return true/],
  ['chooses by a value', builder(where('isActive ? 1 : 2')), /always return true/],
  ['falls back from a value', builder(where('isActive && accountId')), /always return true/],
  ['counts a list', builder(`const isEmpty = ids.length === 0; ${where('isEmpty')}`), /no overlap/],
  ['branches on the length of a list', builder(where('ids.length ? 1 : 2')), /void.*truthiness/],
  ['goes through a list', builder(where('ids.map((id) => id)')), /Property 'map' does not exist/],
  ['reads a text', builder(where('name.toUpperCase()')), /Property 'toUpperCase' does not exist/],
  ['hands a value to a function of numbers', builder(where('Math.abs(accountId)')), /not assignable/],
];

const lists: [string, string, RegExp][] = [
  [
    'branches on a value',
    'if (values.userId) return { ...users, visible: users.visible.where("users.id", "=", 1) };',
    /always return true/,
  ],
  ['compares a value', 'const isFirst = values.accountId === 1; void isFirst;', /no overlap/],
];
const listed = (body: string, shape = '{ isShort: boolean }'): string => `
  type Listed = { accountId: number; userId: number };
  const build = (db: Db, shape: ${shape}, values: Placeholders<Listed>) => {
    const visible = db.selectFrom('users').where('users.account_id', '=', values.accountId);
    const users = { visible, rows: visible.select('users.username'), id: 'users.id', columns: { id: number('users.id') }, timeZone: 'UTC' };
    ${body}
    return users;
  };
  export const built = (db: Db, given: { shape: ${shape}; values: Listed }, selection: Selection) =>
    listPlanned(db, build, given, selection);`;

const shapes: [string, string][] = [
  ['a time', '{ now: Date }'],
  ['a function', '{ isSeen: () => boolean }'],
  ['a map', '{ ranks: Map<number, number> }'],
];

const snippets = {
  ...Object.fromEntries(refused.map(([name, snippet]) => [`statement ${name}`, imports + snippet])),
  ...Object.fromEntries(lists.map(([name, body]) => [`list ${name}`, imports + listed(body)])),
  ...Object.fromEntries(shapes.map(([name, shape]) => [`shape ${name}`, imports + listed('', shape)])),
  statement:
    imports +
    builder(
      `return db.selectFrom('users').select('users.id').where('users.account_id', '=', accountId).where(sql<boolean>\`users.id = any(\${ids}::bigint[])\`);`,
    ),
  list: imports + listed('if (shape.isShort) return { ...users, rows: users.rows };'),
};
const complaints = complaintsAbout('src/platform/db', snippets);

describe('a builder that only places its values', () => {
  it('compiles as a statement', () => expect(complaints('statement')).toEqual([]));
  it('compiles as a list, and may branch on the shape', () => expect(complaints('list')).toEqual([]));
});

describe('the builder of a statement', () => {
  it.each(refused)('does not compile where it %s', (name, _snippet, complaint) => {
    expect(complaints(`statement ${name}`).join('\n')).toMatch(complaint);
  });
});

describe('the builder of a list', () => {
  it.each(lists)('does not compile where it %s', (name, _body, complaint) => {
    expect(complaints(`list ${name}`).join('\n')).toMatch(complaint);
  });

  it.each(shapes)('does not compile where its shape holds %s', (name) => {
    expect(complaints(`shape ${name}`).join('\n')).toMatch(/not satisfy|not assignable/);
  });
});
