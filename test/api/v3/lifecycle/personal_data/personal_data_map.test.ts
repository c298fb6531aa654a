import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { freeTexts } from '../../../../../src/lifecycle/personal_data/free_texts.ts';
import {
  keyOf,
  tables,
  type Exempt,
  type PersonalTable,
} from '../../../../../src/lifecycle/personal_data/personal_data_map.ts';
import { service } from '../../../../support/service.ts';

/*
 * The list of what tables hold about people, compared with the catalogue of the database. A new table or column must be listed
 * before it can be forgotten in a copy or an anonymisation.
 */

const { db } = (await service()).database;
const entries = Object.entries(tables) as [string, PersonalTable | Exempt][];
const isPersonalTable = (entry: PersonalTable | Exempt): entry is PersonalTable => 'rows' in entry;
const listed = new Map(entries);

const fixed = new Set([
  ...[
    'access_tokens.network',
    'access_tokens.user_agent',
    'accounts.country',
    'accounts.modules',
    'accounts.phone',
    'api_keys.name',
    'api_tokens.last_four',
  ],
  ...['attachments.author', 'breaks.created_by', 'calendar_feeds.scope', 'deleted_records.deleted_by'],
  ...['files.content_type', 'notes.author', 'notes.author_role', 'webhooks.deactivation_reason', 'webhooks.events'],
  ...['webhooks.secret', 'working_time_violations.paragraph', 'workspaces.avatar_url'],
]);

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

const { rows: columns } = await sql<Column>`
  select class.relname as table, attribute.attname as column, format_type(attribute.atttypid, null) as type
  from pg_class class join pg_attribute attribute on attribute.attrelid = class.oid
  where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p') and attribute.attnum > 0
    and not attribute.attisdropped and class.relname not like 'kysely_%'
  order by 1, 2`.execute(db);

/** Columns that refer to users by a foreign key. */
const { rows: references } = await sql<{ table: string; column: string }>`
  select class.relname as table, attribute.attname as column
  from pg_constraint reference
  join pg_class class on class.oid = reference.conrelid
  join pg_attribute attribute on attribute.attrelid = reference.conrelid and attribute.attnum = any(reference.conkey)
  where reference.contype = 'f' and reference.confrelid = 'users'::regclass and attribute.attname <> 'account_id'`.execute(
  db,
);

/** Columns that refer to a user by their name. */
const namesUser = /(^|_)(user|author|editor|actor|member|owner|approver|creator)_id$|_by_id$/;

const named = [...references, ...columns.filter(({ column }) => namesUser.test(column))].map(
  ({ table, column }) => `${table}.${column}`,
);

describe('the list of what tables hold about people', () => {
  it('has every table of the catalogue, and no other', () => {
    expect([...listed.keys()].sort()).toEqual([...new Set(columns.map(({ table }) => table))].sort());
  });

  it('covers every column that refers to a user', async () => {
    const person = { accountId: 1, userId: 4711 };
    const forgotten = [...new Set(named)].filter((name) => {
      const [table, column] = name.split('.') as [string, string];
      const entry = listed.get(table)!;
      if (entry.mentions?.includes(column)) return false;
      return !isPersonalTable(entry) || !entry.rows(person).compile(db).sql.includes(`held.${column} =`);
    });
    expect(forgotten).toEqual([]);
  });

  it('covers every table whose rows belong to rows about people', async () => {
    const { rows } = await sql<{ table: string; owner: string }>`
      select conrelid::regclass::text as table, confrelid::regclass::text as owner from pg_constraint where contype = 'f'`.execute(
      db,
    );
    // These belong to a workspace, or are files, which their records list.
    const shared = ['files', 'file_pieces', 'shifts', 'shift_tags'];
    const owners = entries.filter(([, entry]) => isPersonalTable(entry)).map(([table]) => table);
    const forgotten = rows.filter(
      ({ table, owner }) => owners.includes(owner) && !owners.includes(table) && !shared.includes(table),
    );
    expect(forgotten).toEqual([]);
  });

  it('has the primary keys by which rows are read in pages', async () => {
    const { rows } = await sql<{ table: string; key: string[] }>`
      select conrelid::regclass::text as table, array(
        select attribute.attname::text from pg_attribute attribute
        where attribute.attrelid = conrelid and attribute.attnum = any(conkey) and attribute.attname <> 'account_id'
        order by array_position(conkey, attribute.attnum)) as key
      from pg_constraint where contype = 'p' and connamespace = 'public'::regnamespace`.execute(db);
    const keys = Object.fromEntries(rows.map(({ table, key }) => [table, key]));
    for (const [table, entry] of entries)
      if (isPersonalTable(entry)) expect([table, [...keyOf(entry)].sort()]).toEqual([table, [...keys[table]!].sort()]);
  });

  it('says of every text of a row about a person whether it is blanked or stays', () => {
    const isText = (type: string): boolean => /^(text|jsonb|bytea|text\[\])$/.test(type);
    const undecided = columns.filter(({ table, column, type }) => {
      const entry = listed.get(table)!;
      if (!isText(type) || !isPersonalTable(entry) || entry.anonymised === 'removed') return false;
      return !(column in entry.anonymised({ accountId: 1, userId: 1 })) && !entry.plain?.includes(column);
    });
    expect(undecided).toEqual([]);
  });

  it('names every text in which others may have written about the person', () => {
    // What the service writes, what programs send, what names a user, and settings with a choice of values.
    const isFixed = ({ table, column }: Column): boolean =>
      /(^|_)(id|ids|type|types|kind|status|state|hash|key|locale|time_zone|region|color|pin|rules?|source|unit)$/.test(
        column,
      ) ||
      /^(attempts|batch\w*|data_exports|directory_\w+|events|exports|idempotency_keys|industry_examples|month_cache|notifications|preferences|reset_tokens|roles|service_settings|users|webhook_deliveries)$/.test(
        table,
      ) ||
      fixed.has(`${table}.${column}`);
    const freely = Object.values(freeTexts).flatMap(({ table, attributes, file }) => [
      ...Object.values(attributes).map((column) => `${table}.${column}`),
      ...(file ? ['files.name'] : []),
    ]);
    const texts = columns.filter((item) => /^text/.test(item.type) && !isFixed(item));
    expect(texts.map(({ table, column }) => `${table}.${column}`).filter((name) => !freely.includes(name))).toEqual([]);
  });

  it('gives every table that is left out a reason', () => {
    for (const [, entry] of entries) if (!isPersonalTable(entry)) expect(entry.reason).toMatch(/\.$/);
  });
});
