import { parseSync, type A_Expr, type Node, type RangeVar, type SelectStmt, type WithClause } from 'libpg-query';

/*
 * Where rows are distributed over several servers by account, a statement runs on one of them only if it says for every table
 * which account it is about. PostgreSQL's own parser reads each statement. Every mention of a tenant table must come with the
 * account as a value: in a condition `account_id = $1` of the same part of the statement, or as the value that an insert writes.
 * That another table of the statement has the same account is not enough.
 */

/** The mentions of tenant tables in a statement that come without the account, each in words. */
export const unroutedMentions = (text: string, tenantTables: ReadonlySet<string>): string[] =>
  unroutedIn(parseSync(text), (table, commonTables) => tenantTables.has(table) && !commonTables.has(table));

/** Whether a statement is about one table, without joins and sub-selects. It can run on every server by itself. */
export const isAboutOneTable = (text: string): boolean => tablesIn(parseSync(text)).length === 1;

/** The tables that a statement mentions, once for each mention. */
export const mentionedTables = (text: string): string[] => tablesIn(parseSync(text));

/** The tables that a statement changes. */
export const changedTables = (text: string): string[] => changedIn(parseSync(text));

/**
 * The tables that a statement changes in its common table expressions. Citus then copies rows between servers, in some forms to all
 * workers, so that one that is down stops the accounts of the others.
 */
export const tablesChangedInExpressions = (text: string): string[] => expressionsIn(parseSync(text)).flatMap(changedIn);

/**
 * The tables that a statement inserts selected rows into without returning anything. Citus then copies the rows with a command that
 * row-level security does not allow.
 */
export const silentInserts = (text: string): string[] =>
  insertsIn(parseSync(text)).flatMap(({ relation, selectStmt, returningClause }) => {
    const isOfValues = selectStmt && 'SelectStmt' in selectStmt && selectStmt.SelectStmt.valuesLists !== undefined;
    return isOfValues || returningClause ? [] : [relation!.relname!];
  });

function insertsIn(part: unknown): Statement[] {
  if (Array.isArray(part)) return part.flatMap(insertsIn);
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) => [
    ...(name === 'InsertStmt' ? [inner as Statement] : []),
    ...insertsIn(inner),
  ]);
}

function expressionsIn(part: unknown): unknown[] {
  if (Array.isArray(part)) return part.flatMap(expressionsIn);
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) => (name === 'withClause' ? [inner] : expressionsIn(inner)));
}

function changedIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(changedIn);
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) => [
    ...(changingKinds.has(name) ? [(inner as Statement).relation!.relname!] : []),
    ...changedIn(inner),
  ]);
}

const changingKinds = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** What the statements of the syntax tree have in common. */
interface Statement {
  readonly withClause?: WithClause;
  readonly relation?: RangeVar;
  readonly fromClause?: readonly Node[];
  readonly usingClause?: readonly Node[];
  readonly whereClause?: Node;
  readonly cols?: readonly Node[];
  readonly selectStmt?: Node;
  readonly returningClause?: unknown;
  readonly larg?: SelectStmt;
  readonly rarg?: SelectStmt;
}

const statementKinds = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** Whether a name stands for a tenant table, and not for a common table expression that hides it. */
type IsTenantTable = (table: string, commonTables: ReadonlySet<string>) => boolean;

/** Looks for statements in any part of the tree. */
function unroutedIn(
  part: unknown,
  isTenantTable: IsTenantTable,
  commonTables: ReadonlySet<string> = new Set(),
): string[] {
  if (Array.isArray(part)) return part.flatMap((item) => unroutedIn(item, isTenantTable, commonTables));
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) =>
    statementKinds.has(name)
      ? unroutedInStatement(name, inner as Statement, isTenantTable, commonTables)
      : unroutedIn(inner, isTenantTable, commonTables),
  );
}

function unroutedInStatement(
  kind: string,
  { withClause, larg, rarg, ...statement }: Statement,
  isTenantTable: IsTenantTable,
  outer: ReadonlySet<string>,
): string[] {
  const { isRecursive, expressions } = commonTableExpressions(withClause);
  const names = expressions.map(({ name }) => name);
  const inside = new Set([...outer, ...names]);
  const sides = [larg, rarg].filter((side) => side !== undefined);
  return [
    // One that is not recursive can be named like a table that it reads.
    ...expressions.flatMap(({ query }, index) =>
      unroutedIn(query, isTenantTable, isRecursive ? inside : new Set([...outer, ...names.slice(0, index)])),
    ),
    ...sides.flatMap((side) => unroutedInStatement('SelectStmt', side, isTenantTable, inside)),
    ...ownMentions(kind, statement, (table) => isTenantTable(table, inside)),
    ...unroutedIn(statement, isTenantTable, inside),
  ];
}

function commonTableExpressions(clause: WithClause | undefined) {
  const expressions = (clause?.ctes ?? []).flatMap((node) =>
    'CommonTableExpr' in node ? [{ name: node.CommonTableExpr.ctename!, query: node.CommonTableExpr.ctequery }] : [],
  );
  return { isRecursive: clause?.recursive === true, expressions };
}

/** A table that a statement reads, changes or deletes from, and the conditions that all its rows meet. */
interface Mention {
  readonly table: string;
  readonly alias: string;
  readonly conditions: readonly Node[];
}

/** The mentions of the statement itself. What its sub-selects mention is theirs. */
function ownMentions(kind: string, statement: Statement, isTenantTable: (table: string) => boolean): string[] {
  const { relation, fromClause = [], usingClause = [], whereClause } = statement;
  const isInsert = kind === 'InsertStmt';
  const conditions = conjunctsOf(whereClause);
  const changed = relation && !isInsert ? mentionOf(relation, conditions) : [];
  const mentions = [...changed, ...mentionsIn([...fromClause, ...usingClause], conditions)].filter(({ table }) =>
    isTenantTable(table),
  );
  const unrouted = mentions
    .filter((mention) => !mention.conditions.some((one) => namesAccount(one, mention, mentions.length === 1)))
    .map(({ table, alias }) => (alias === table ? table : `${table} as ${alias}`));
  const [target] = isInsert ? mentionOf(relation!, []) : [];
  const isUnroutedInsert = target && isTenantTable(target.table) && !insertsAccount(statement, target.table);
  return isUnroutedInsert ? [...unrouted, `insert into ${target.table}`] : unrouted;
}

function mentionsIn(items: readonly (Node | undefined)[], conditions: readonly Node[]): Mention[] {
  return items.flatMap((item) => {
    if (item && 'RangeVar' in item) return mentionOf(item.RangeVar, conditions);
    if (!item || !('JoinExpr' in item)) return [];
    const { jointype, larg, rarg, quals } = item.JoinExpr;
    const both = [...conditions, ...conjunctsOf(quals)];
    // An outer join keeps the rows of one side that do not meet its condition.
    return [
      ...mentionsIn([larg], jointype === 'JOIN_INNER' || jointype === 'JOIN_RIGHT' ? both : conditions),
      ...mentionsIn([rarg], jointype === 'JOIN_INNER' || jointype === 'JOIN_LEFT' ? both : conditions),
    ];
  });
}

/** Tables of other schemas, such as those of the queue, belong to no account. */
function mentionOf({ schemaname = 'public', relname, alias }: RangeVar, conditions: readonly Node[]): Mention[] {
  return schemaname === 'public' ? [{ table: relname!, alias: alias?.aliasname ?? relname!, conditions }] : [];
}

function conjunctsOf(condition: Node | undefined): Node[] {
  if (!condition) return [];
  if (!('BoolExpr' in condition) || condition.BoolExpr.boolop !== 'AND_EXPR') return [condition];
  return condition.BoolExpr.args!.flatMap(conjunctsOf);
}

const keyOf = (table: string): string => (table === 'accounts' ? 'id' : 'account_id');

/** Whether a condition says which account the rows of a table belong to. */
function namesAccount(condition: Node, { table, alias }: Mention, isOnly: boolean): boolean {
  if (!('A_Expr' in condition) || !isEquation(condition.A_Expr)) return false;
  const isKey = (side: Node | undefined): boolean => {
    const [owner, column] = nameOfColumn(side);
    return column === keyOf(table) && (owner === undefined ? isOnly : owner === alias);
  };
  const { lexpr, rexpr } = condition.A_Expr;
  return (isKey(lexpr) && isValue(rexpr)) || (isKey(rexpr) && isValue(lexpr));
}

const isEquation = ({ kind, name }: A_Expr): boolean => kind === 'AEXPR_OP' && textOf(name?.[0]) === '=';

/** The name of a column behind that of its table, if that is given. */
function nameOfColumn(node: Node | undefined): [table: string | undefined, column: string | undefined] {
  const names = node && 'ColumnRef' in node ? node.ColumnRef.fields!.map(textOf) : [];
  return [names.at(-2), names.at(-1)];
}

const textOf = (node: Node | undefined): string | undefined =>
  node && 'String' in node ? node.String.sval : undefined;

/** A parameter or a constant, with or without a type. */
const isValue = (node: Node | undefined): boolean =>
  node !== undefined && ('ParamRef' in node || 'A_Const' in node || ('TypeCast' in node && isValue(node.TypeCast.arg)));

/** Whether an insert writes the account as a value in every row. */
function insertsAccount({ cols = [], selectStmt }: Statement, table: string): boolean {
  const position = cols.findIndex((column) => 'ResTarget' in column && column.ResTarget.name === keyOf(table));
  if (position < 0 || !selectStmt || !('SelectStmt' in selectStmt)) return false;
  return rowsOf(selectStmt.SelectStmt).every((row) => isValue(row[position]));
}

/** The expressions of each row that a source of rows consists of. */
function rowsOf({ larg, rarg, valuesLists, targetList = [] }: SelectStmt): (Node | undefined)[][] {
  if (larg && rarg) return [...rowsOf(larg), ...rowsOf(rarg)];
  if (valuesLists) return valuesLists.map((list) => ('List' in list ? list.List.items! : []));
  return [targetList.map((target) => ('ResTarget' in target ? target.ResTarget.val : undefined))];
}

/** The tables that are named anywhere in the tree, once for each mention, with their schema where it is given. */
function tablesIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(tablesIn);
  if (typeof part !== 'object' || part === null) return [];
  const { schemaname, relname } = part as RangeVar;
  if (relname === undefined) return Object.values(part).flatMap(tablesIn);
  return [schemaname === undefined ? relname : `${schemaname}.${relname}`];
}
