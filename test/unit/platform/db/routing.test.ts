import { loadModule } from 'libpg-query';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  isAboutOneTable,
  silentInserts,
  tablesChangedInExpressions,
  unroutedMentions,
} from '../../../support/routing/routing.ts';

/* The stand-in for a database that is distributed by account. */

beforeAll(loadModule);

const tenantTables = new Set(['accounts', 'areas', 'files', 'notes', 'users']);
const unrouted = (text: string): string[] => unroutedMentions(text, tenantTables);

describe('a statement that says for every table which account it is about', () => {
  it.each([
    ['by a parameter', 'select id from users where account_id = $1 and id = $2'],
    ['the other way round', 'select id from users where $1 = account_id'],
    ['with a type', 'select id from users where account_id = $1::bigint'],
    ['by a constant', "select id from users where account_id = '7'::bigint"],
    ['by an alias', 'select person.id from users as person where person.account_id = $1'],
    ['by the name of the table', 'select 1 from users where users.account_id = $1'],
    ['for the account itself', 'select account_name from accounts where id = $1'],
    ['in both sides of a join', 'select 1 from users u join areas a on a.account_id = $1 where u.account_id = $1'],
    ['in the condition of a join', 'select 1 from users u join areas a on a.account_id = $1 and u.account_id = $2'],
    ['in a left join', 'select 1 from users u left join areas a on a.account_id = $1 where u.account_id = $1'],
    ['in a right join', 'select 1 from users u right join areas a on u.account_id = $1 where a.account_id = $1'],
    ['in a list of tables', 'select 1 from users u, areas a where u.account_id = $1 and a.account_id = $1'],
    ['in a sub-select', 'select 1 where exists (select from users where account_id = $1)'],
    [
      'in a lateral sub-select',
      'select 1 from users u cross join lateral (select from areas where account_id = $1) a where u.account_id = $1',
    ],
    ['in a common table expression', 'with found as (select id from users where account_id = $1) select * from found'],
    ['in a union', 'select id from users where account_id = $1 union all select id from areas where account_id = $1'],
    ['in a row that is inserted', 'insert into users (id, account_id) values ($1, $2), ($3, $4)'],
    ['in rows that are copied', 'insert into users (account_id, id) select $1, id from areas where account_id = $1'],
    ['in an insert of an account', 'insert into accounts (id, account_name) values ($1, $2)'],
    ['in an update', 'update users set status = $1 where account_id = $2'],
    [
      'in an update with other tables',
      'update users u set status = $1 from areas a where u.account_id = $2 and a.account_id = $2 and a.id = u.area_id',
    ],
    [
      'in a deletion with other tables',
      'delete from users u using areas a where u.account_id = $1 and a.account_id = $1',
    ],
    ['in a common table expression that writes', 'with gone as (delete from users where account_id = $1) select 1'],
  ])('%s', (_where, text) => {
    expect(unrouted(text)).toEqual([]);
  });

  it.each([
    ['a table that belongs to no account', 'select account_id from access_tokens where hash = $1'],
    ['a table of another schema', 'update pgboss.files set name = $1'],
    ['a common table expression with the name of a table', 'with users as (select 1 as id) select id from users'],
    [
      'a recursive one',
      'with recursive notes as (select 1 as id union all select id + 1 from notes) select * from notes',
    ],
    ['no table', 'select 1'],
    ['several statements', "begin; set local app.account = '7'"],
  ])('none is needed for %s', (_what, text) => {
    expect(unrouted(text)).toEqual([]);
  });
});

describe('a statement without the account of a table', () => {
  it.each([
    ['none at all', 'select id from users where id = $1', ['users']],
    [
      'that of another table',
      'select 1 from users u join areas a on a.account_id = u.account_id where u.account_id = $1',
      ['areas as a'],
    ],
    [
      'a left join that keeps all',
      'select 1 from users u left join areas a on a.account_id = $1 and u.account_id = $1',
      ['users as u'],
    ],
    [
      'a right join that keeps all',
      'select 1 from users u right join areas a on u.account_id = $1 and a.account_id = $1',
      ['areas as a'],
    ],
    [
      'a full join',
      'select 1 from users u full join areas a on u.account_id = $1 and a.account_id = $1',
      ['users as u', 'areas as a'],
    ],
    [
      'a column of an unknown table',
      'select 1 from users u join areas a on true where account_id = $1',
      ['users as u', 'areas as a'],
    ],
    ['an alternative', 'select id from users where account_id = $1 or id = $2', ['users']],
    ['a comparison', 'select id from users where account_id > $1', ['users']],
    ['several accounts', 'select id from users where account_id = any($1)', ['users']],
    ['a list of accounts', 'select id from users where account_id in ($1, $2)', ['users']],
    ['a computed account', 'select id from users where account_id = $1 + 1', ['users']],
    [
      'an account that is looked up',
      'select id from users where account_id = (select account_id from access_tokens)',
      ['users'],
    ],
    ['another key of the account', 'select 1 from accounts where account_id = $1', ['accounts']],
    [
      'a sub-select',
      'select 1 from users where account_id = $1 and exists (select from areas where areas.account_id = users.account_id)',
      ['areas'],
    ],
    ['a sub-select of a column', 'select (select max(id) from areas) from users where account_id = $1', ['areas']],
    [
      'a lateral sub-select',
      'select 1 from users u, lateral (select from areas a where a.account_id = u.account_id) x where u.account_id = $1',
      ['areas as a'],
    ],
    ['a common table expression', 'with found as (select id from users) select * from found', ['users']],
    ['one with the name of its table', 'with users as (select id from users) select * from users', ['users']],
    [
      'one behind another with that name',
      'with a as (select id from users), users as (select 1) select * from a, users',
      ['users'],
    ],
    ['one side of a union', 'select id from users where account_id = $1 union select id from areas', ['areas']],
    ['an insert', 'insert into users (id) values ($1)', ['insert into users']],
    ['one of the inserted rows', 'insert into users (account_id) values ($1), (default)', ['insert into users']],
    [
      'rows that are copied',
      'insert into users (account_id) select account_id from areas where account_id = $1',
      ['insert into users'],
    ],
    ['an insert of an account', 'insert into accounts (account_name) values ($1)', ['insert into accounts']],
    [
      'an update with other tables',
      'update users u set status = $1 from areas a where u.account_id = a.account_id and a.account_id = $2',
      ['users as u'],
    ],
    [
      'a deletion with other tables',
      'delete from users u using areas a where u.account_id = $1 and a.id = u.area_id',
      ['areas as a'],
    ],
    ['a deletion in a common table expression', 'with gone as (delete from files returning id) select 1', ['files']],
  ] as const)('%s', (_what, text, mentions) => {
    expect(unrouted(text)).toEqual(mentions);
  });
});

describe('isAboutOneTable', () => {
  it.each([
    ['delete from users where created_at < $1', true],
    ['select account_id, min(id) from users group by account_id order by 2 limit 5', true],
    ['select 1 from users u join areas a on a.id = u.area_id', false],
    ['select 1 from users where exists (select from areas)', false],
    ['select 1 from users a, users b', false],
    ['with old as (select id from users) select * from old', false],
  ])('%s: %s', (text, isOne) => {
    expect(isAboutOneTable(text)).toBe(isOne);
  });
});

describe('a common table expression that changes a table', () => {
  it.each([
    ['only reads', 'with old as (select id from users) delete from users using old', []],
    ['is none', 'update users set id = 1 where id in (select id from users)', []],
    ['deletes', 'with gone as (delete from users returning id) select * from gone', ['users']],
    ['updates', 'with moved as (update users set id = 1) update areas set id = 1', ['users']],
    ['inserts', 'with made as (insert into notes (id) values (1) returning id) select * from made', ['notes']],
    [
      'is inside another',
      'with outer_one as (with gone as (delete from users) select 1) select * from outer_one',
      ['users'],
    ],
    ['is in a sub-select', 'select (with old as (select 1) select 1), 2', []],
  ])('%s', (_what, text, tables) => {
    expect(tablesChangedInExpressions(text)).toEqual(tables);
  });
});

describe('an insert that returns nothing', () => {
  it.each([
    ['of values', 'insert into users (id) values (1), (2)', []],
    ['of selected rows that are returned', 'insert into users (id) select 1 returning id', []],
    ['of selected rows', 'insert into users (id) select 1', ['users']],
    ['of a union', 'insert into users (id) select 1 union all select 2', ['users']],
    ['in a common table expression', 'with made as (insert into notes (id) select 1) select 1', ['notes']],
  ])('%s', (_what, text, tables) => {
    expect(silentInserts(text)).toEqual(tables);
  });
});
