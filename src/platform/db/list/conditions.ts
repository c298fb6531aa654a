import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { DB } from '../../../../generated/db.ts';
import type { Column, Comparison, Condition, Day, Filterable, Operand, TextMatcher } from './filters.ts';

/** The visible rows that meet every condition. */
export const applyConditions = <Table extends keyof DB, Row>(
  collection: Omit<Filterable, 'timeZone'> & { readonly visible: SelectQueryBuilder<DB, Table, Row> },
  conditions: readonly Condition[],
): SelectQueryBuilder<DB, Table, Row> =>
  conditions.reduce((rows, condition) => rows.where(conditionSql(collection, condition)), collection.visible);

/** A condition as SQL. */
function conditionSql({ columns, named }: Omit<Filterable, 'timeZone'>, condition: Condition): RawBuilder<SqlBool> {
  if (condition.matcher === 'nothing') return nothing;
  if (condition.matcher === 'named') return named![condition.field]!.where(condition.value);
  const column = columns[condition.field]!;
  switch (condition.matcher) {
    case 'present':
      return isPresent(column, condition.value);
    case 'in':
      return isOneOf(column, condition);
    case 'outside':
      return sql<SqlBool>`(${column.value} is null or not ${isOnDay(column.value, condition.day)})`;
    case 'pre':
    case 'suf':
    case 'ct':
    case '!ct':
      return matchesText(column.value, condition.matcher, condition.value);
    default:
      return condition.isUuid
        ? compares({ kind: 'uuid', value: column.uuid! }, condition.matcher, condition.value)
        : compares(column, condition.matcher, condition.value);
  }
}

const nothing = sql<SqlBool>`false`;

const operators: Readonly<Record<Comparison, RawBuilder<unknown>>> = {
  eq: sql`=`,
  '!eq': sql`is distinct from`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

function compares({ kind, value }: Column, matcher: Comparison, operand: Operand): RawBuilder<SqlBool> {
  const isOrdered = matcher !== 'eq' && matcher !== '!eq';
  const collation = kind === 'text' && isOrdered ? sql` collate "C"` : sql``;
  return sql<SqlBool>`${value}${collation} ${operators[matcher]} ${operandSql(kind, operand)}`;
}

function matchesText(value: RawBuilder<unknown>, matcher: TextMatcher, given: string): RawBuilder<SqlBool> {
  // Percent sign, underscore and backslash are plain characters to the caller.
  const plain = given.replace(/[\\%_]/g, '\\$&');
  switch (matcher) {
    case 'pre':
      return sql<SqlBool>`${value} ilike ${plain + '%'}`;
    case 'suf':
      return sql<SqlBool>`${value} ilike ${'%' + plain}`;
    case 'ct':
      return sql<SqlBool>`${value} ilike ${'%' + plain + '%'}`;
    case '!ct':
      return sql<SqlBool>`(${value} is null or ${value} not ilike ${'%' + plain + '%'})`;
  }
}

function isPresent({ kind, value }: Column, isWanted: boolean): RawBuilder<SqlBool> {
  const present =
    kind === 'text' ? sql<SqlBool>`(${value} is not null and ${value} <> '')` : sql<SqlBool>`${value} is not null`;
  return isWanted ? present : sql<SqlBool>`not ${present}`;
}

const isOnDay = (value: RawBuilder<unknown>, { begin, end }: Day): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${value} >= ${operandSql('time', begin)} and ${value} < ${operandSql('time', end)})`;

function isOneOf(
  { kind, value, uuid }: Column,
  { values, uuids, days = [] }: Extract<Condition, { matcher: 'in' }>,
): RawBuilder<SqlBool> {
  const isIn = (of: Column['kind'], column: RawBuilder<unknown>, operands: readonly Operand[]) =>
    sql<SqlBool>`${column} = any(${arraySql(of, operands)})`;
  const ways = [
    ...(values.length > 0 ? [isIn(kind, value, values)] : []),
    ...(uuids.length > 0 ? [isIn('uuid', uuid!, uuids)] : []),
    ...days.map((day) => isOnDay(value, day)),
  ];
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}

/** Whole numbers within bigint can use an index. Others compare as numeric, so that a number past every column matches nothing. */
const isBigint = (operand: Operand): boolean => /^[+-]?\d{1,18}$/.test(operand as string);

/** All operands as one parameter, so that the text of a statement does not depend on their number. */
function arraySql(kind: Column['kind'], operands: readonly Operand[]): RawBuilder<unknown> {
  switch (kind) {
    case 'text':
      return sql`${operands}::text[]`;
    case 'number':
      return operands.every(isBigint) ? sql`${operands}::bigint[]` : sql`${operands}::numeric[]`;
    case 'boolean':
      return sql`${operands}::boolean[]`;
    case 'time':
      return sql`${operands.map((operand) => (operand as Date).toISOString())}::timestamptz[]`;
    case 'day':
      return sql`${operands}::date[]`;
    case 'uuid':
      return sql`${operands}::uuid[]`;
  }
}

function operandSql(kind: Column['kind'], operand: Operand): RawBuilder<unknown> {
  switch (kind) {
    case 'text':
      return sql`${operand}`;
    case 'number':
      return isBigint(operand) ? sql`${operand}::bigint` : sql`${operand}::numeric`;
    case 'boolean':
      return operand === true ? sql`true` : sql`false`;
    case 'time':
      return sql`${(operand as Date).toISOString()}::timestamptz`;
    case 'day':
      return sql`${operand}::date`;
    case 'uuid':
      return operand === null ? sql`null::uuid` : sql`${operand}::uuid`;
  }
}
