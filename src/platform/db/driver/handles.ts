import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type ConnectionProvider,
  type Dialect,
} from 'kysely';
import type { DB } from '../../../../generated/db.ts';

/** Another handle on the same database, which gets its connections from the provider. */
export const handleWith = (db: Kysely<DB>, provider: ConnectionProvider): Kysely<DB> =>
  new Kysely<DB>({
    executor: db.getExecutor().withConnectionProvider(provider),
    config: { dialect },
    dialect,
    driver: new DummyDriver(),
  });

/** Connections come from the provider; only the compiler of the dialect is used. */
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};
