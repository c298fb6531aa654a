import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';

/** The right to do what one process at a time does. */
export interface Lease {
  /** Takes the lease or prolongs it. Returns whether this process has it. */
  hold(): Promise<boolean>;
  /** Gives it up, so that another process has it at once. */
  release(): Promise<void>;
}

/** After this time without a call, another process may take the lease. */
const seconds = 10;

/** A lease that is a row of the database, so that it needs no connection of its own. */
export function leaseOn(db: Db, name: string): Lease {
  const owner = randomUUID();
  return {
    async hold() {
      const { rows } = await sql`
        insert into service_settings as held (name, value)
        values (${name}, ${owner} || ' ' || (now() + ${seconds} * interval '1 second'))
        on conflict (name) do update set value = excluded.value
        where held.value like ${`${owner} %`} or substr(held.value, 38)::timestamptz < now()
        returning name`.execute(db);
      return rows.length > 0;
    },
    async release() {
      await sql`delete from service_settings where name = ${name} and value like ${`${owner} %`}`.execute(db);
    },
  };
}
