import { sql } from 'kysely';
import type { Db } from '../../../src/platform/db/connection.ts';
import { tenantTables } from '../../support/database/account_rows.ts';

/*
 * The rows of an account in a form that is equal for two accounts with the same history. The position of an id in its table
 * replaces the id, and "now" replaces a time of this run.
 */

type Row = Record<string, unknown>;
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** The table that each foreign key column refers to, by `table.column`. */
export async function referencesIn(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; target: string }>`
    select constraint_table.relname || '.' || own.attname as name, target.relname as target
    from pg_constraint reference
    join pg_class constraint_table on constraint_table.oid = reference.conrelid
    join pg_class target on target.oid = reference.confrelid
    cross join lateral unnest(reference.conkey, reference.confkey) as pair (own_key, target_key)
    join pg_attribute own on own.attrelid = reference.conrelid and own.attnum = pair.own_key
    join pg_attribute theirs on theirs.attrelid = reference.confrelid and theirs.attnum = pair.target_key
    where reference.contype = 'f' and theirs.attname = 'id'`.execute(db);
  return new Map(rows.map(({ name, target }) => [name, target]));
}

/**
 * File contents are long and contain no attributes. Totals follow from other rows, and their slots differ by connection. Accounts
 * may be on different servers.
 */
const notCompared = ['event_servers', 'file_pieces', 'file_totals', 'time_tracking_totals'];

/** Reads all rows of an account in comparable form. */
export async function comparableRows(
  db: Db,
  accountId: number,
  references: ReadonlyMap<string, string>,
): Promise<Rows> {
  const tables = (await tenantTables(db)).filter((table) => !notCompared.includes(table));
  const parts = tables.map(
    (table) => sql`select ${table} as name, coalesce(jsonb_agg(to_jsonb(entry)), '[]') as rows
      from ${sql.table(table)} as entry where ${sql.ref(table === 'accounts' ? 'id' : 'account_id')} = ${accountId}`,
  );
  const { rows } = await sql<{ name: string; rows: Row[] }>`${sql.join(parts, sql` union all `)}`.execute(db);
  const tablesOf = rows.map(({ name, rows: own }) => [name, inOrder(own.map(withoutChance))] as const);
  const ranks = new Map(tablesOf.map(([name, own]) => [name, ranksOf(own)]));
  return Object.fromEntries(
    tablesOf.map(([name, own]) => [name, inOrder(own, (row) => comparableRow(name, row, ranks, references))]),
  );
}

/** Jobs make these files in any order and write ids and times into them, so their order and sizes differ by chance. */
const isMadeByJob = (row: Row): boolean => ['text/csv', 'application/zip'].includes(String(row['content_type']));
const ranksOf = (rows: readonly Row[]): Map<unknown, number> =>
  new Map(rows.filter((row) => !isMadeByJob(row)).map((row, index) => [row['id'], index]));
const withoutChance = (row: Row): Row =>
  isMadeByJob(row) ? Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'size_bytes')) : row;

/** Sorts by numeric id. If the ids are random or missing, sorts by content, and equal rows by the time of their creation. */
function inOrder(rows: readonly Row[], convert: (row: Row) => Row = (row) => row): Row[] {
  const hasNumericIds = typeof rows[0]?.['id'] === 'number';
  return hasNumericIds
    ? [...rows].sort((one, other) => Number(one['id']) - Number(other['id'])).map(convert)
    : [...rows]
        .sort((one, other) => inTextOrder(String(one['created_at']), String(other['created_at'])))
        .map(convert)
        .sort((one, other) => inTextOrder(keyOf(one), keyOf(other)));
}

const inTextOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
/** References come first, because they are never random. */
const keyOf = (row: Row): string => {
  const isReference = (value: unknown): boolean => typeof value === 'string' && /^[a-z_]+ \d+$/.test(value);
  const values = Object.entries(row).map(([name, value]) =>
    /_id$/.test(name) && typeof value === 'number' ? '' : isReference(value) ? value : comparableValue(value),
  );
  return JSON.stringify([...values.filter(isReference), ...values.filter((value) => !isReference(value))]);
};

/** Columns with ids but without a foreign key. */
const byName: Readonly<Record<string, string>> = {
  user_id: 'users',
  author_id: 'users',
  last_editor_id: 'users',
  workspace_id: 'workspaces',
  batch_id: 'batches',
};

function comparableRow(
  table: string,
  row: Row,
  ranks: ReadonlyMap<string, Map<unknown, number>>,
  references: ReadonlyMap<string, string>,
): Row {
  const plain: Row = {};
  for (const [name, value] of Object.entries(row)) {
    // Only rows of this account were read.
    if (name === 'account_id' || (name === 'id' && table === 'accounts')) continue;
    // Each server has transaction ids of its own.
    if (name === 'transaction_id') continue;
    const named = byName[name] ?? (/(_by|_user_id)$/.test(name) ? 'users' : undefined);
    const target = name === 'id' ? table : (references.get(`${table}.${name}`) ?? named);
    const rank = target === undefined ? undefined : ranks.get(target)?.get(value);
    plain[name] = rank === undefined ? comparableValue(value) : `${target} ${rank}`;
  }
  return plain;
}

const comparableValue = (value: unknown): unknown => {
  if (typeof value === 'string') return comparableText(value);
  return typeof value === 'object' && value !== null ? comparableText(JSON.stringify(value)) : value;
};

const dayMs = 86_400_000;

/** The current time, and the time at which an invitation expires that was made now. */
function comparableTime(time: string): string {
  const aheadMs = Date.parse(time) - Date.now();
  if (Math.abs(aheadMs) < dayMs) return 'now';
  return Math.abs(aheadMs - 14 * dayMs) < dayMs ? 'in 14 days' : time;
}

/** Replaces everything that differs between two accounts: marks, numbers in names, UUIDs, hashes and the current time. */
const comparableText = (text: string): string =>
  text
    .replaceAll(
      /\w+-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      'uuid',
    )
    .replaceAll(/Alike-[0-9a-f]{8}/gi, 'mark')
    .replaceAll(/request-\d+(-\d+)?/g, 'request')
    .replaceAll(/[0-9a-f]{64}|\$argon2\S+/g, 'hash')
    .replaceAll(
      new RegExp(`${new Date().getUTCFullYear()}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?\\+00:00`, 'g'),
      comparableTime,
    )
    .replaceAll(/ \d+\b/g, '');
