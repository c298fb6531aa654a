import {
  CompiledQuery,
  PostgresDialect,
  type DatabaseConnection,
  type Driver,
  type OperationNode,
  type PostgresDialectConfig,
  type RootOperationNode,
} from 'kysely';
import type { DB } from '../../../generated/db.ts';

/*
 * Every request looks up the actor of its credential, which rarely changes. The actor is cached for a short time. The cache is
 * cleared at once when this process writes to a table that actors are read from. The syntax tree of a query shows which table it
 * writes. A test fails if raw SQL writes to one of these tables.
 */

/** The tables that actors and credentials are read from. */
export const identityTables: readonly (keyof DB)[] = [
  'access_tokens',
  'accounts',
  'api_keys',
  'api_tokens',
  'area_members',
  'areas',
  'assumed_roles',
  'memberships',
  'users',
  'workspaces',
];

let changes = 0;

/** How often this process has changed actors or their rights. An actor that was read at an earlier count is outdated. */
export const identityChanges = (): number => changes;

export const noteIdentityChange = (): void => void (changes += 1);

/** Whether a query may change the answer for a credential that is already known. A new token was not. */
export function changesIdentity(query: RootOperationNode): boolean {
  const isChange = ({ kind, table }: Write): boolean =>
    (identityTables as readonly string[]).includes(table) && !(kind === 'InsertQueryNode' && table === 'access_tokens');
  return writesOf(query).some(isChange);
}

interface Write {
  readonly kind: OperationNode['kind'];
  readonly table: string;
}

/** The tables that a query writes to, itself and in its `with`. */
function writesOf(node: OperationNode): Write[] {
  const query = node as RootOperationNode;
  const own = { kind: query.kind, nodes: writtenBy(query) };
  const nested = 'with' in query && query.with ? query.with.expressions : [];
  return [
    ...own.nodes.flatMap(tableNames).map((table) => ({ kind: own.kind, table })),
    ...nested.flatMap(({ expression }) => writesOf(expression)),
  ];
}

function writtenBy(query: RootOperationNode): readonly OperationNode[] {
  switch (query.kind) {
    case 'InsertQueryNode':
    case 'MergeQueryNode':
      return query.into ? [query.into] : [];
    case 'UpdateQueryNode':
      return query.table ? [query.table] : [];
    case 'DeleteQueryNode':
      return query.from.froms;
    default:
      return [];
  }
}

/** The names of tables in a node that names one, one under an alias, or several. */
function tableNames(node: OperationNode): string[] {
  const {
    table,
    node: aliased,
    items,
  } = node as {
    table?: { identifier: { name: string } };
    node?: OperationNode;
    items?: readonly OperationNode[];
  };
  return table ? [table.identifier.name] : [...(aliased ? [aliased] : []), ...(items ?? [])].flatMap(tableNames);
}

/** The channel on which other processes hear of a change: see `identity_listener.ts`. */
export const identityChannel = 'punchcard_identity';

/**
 * Counts a change when its connection is released, because its transaction has then ended and others can see the change. It also
 * counts after a failed transaction, because a lost connection does not say whether it was committed. Where triggers cannot tell
 * other processes, it does that too.
 */
export class IdentityWatchingDialect extends PostgresDialect {
  readonly #tellsOthers: () => boolean;

  constructor(config: PostgresDialectConfig, tellsOthers: () => boolean = () => false) {
    super(config);
    this.#tellsOthers = tellsOthers;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const changed = new WeakSet<DatabaseConnection>();
    const watched = new WeakSet<DatabaseConnection>();
    const watch = (connection: DatabaseConnection): DatabaseConnection => {
      if (watched.has(connection)) return connection;
      watched.add(connection);
      const execute = connection.executeQuery.bind(connection);
      return Object.assign(connection, {
        executeQuery: (query: CompiledQuery) => {
          if (changesIdentity(query.query)) changed.add(connection);
          return execute(query);
        },
      });
    };
    const tellOthers = async (connection: DatabaseConnection): Promise<void> => {
      if (this.#tellsOthers()) await connection.executeQuery(CompiledQuery.raw(`notify ${identityChannel}`));
    };
    const { acquireConnection, releaseConnection } = driver;
    return Object.assign(driver, {
      acquireConnection: async () => watch(await acquireConnection.call(driver)),
      releaseConnection: async (connection: DatabaseConnection) => {
        if (changed.delete(connection)) {
          noteIdentityChange();
          // Over a lost connection nobody is told. Cached actors expire.
          await tellOthers(connection).catch(() => {});
        }
        await releaseConnection.call(driver, connection);
      },
    });
  }
}
