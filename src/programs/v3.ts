import { sql } from 'kysely';
import { v3 } from '../platform/http/v3.ts';

export const statusHandlers = v3.part({
  /** Fails where the database does not answer: without it the service is not up. */
  async getStatus(call) {
    await sql`select 1`.execute(call.db);
  },
});
