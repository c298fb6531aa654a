import { sql } from 'kysely';
import { v3 } from '../http/v3.ts';

export const statusHandlers = v3.part({
  /** Up means able to serve, and without its database the service is not. */
  async getStatus(call) {
    await sql`select 1`.execute(call.db);
  },
});
