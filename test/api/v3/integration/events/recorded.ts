import { sql } from 'kysely';
import { service } from '../../../../support/service.ts';

/** Reads the events of an account that have come since the reader was made, or since it was last asked. */
export async function newEventsOf({ accountId }: { readonly accountId: number }) {
  const { db } = (await service()).database;
  let lastId = 0;
  const read = async () => {
    const rows = await db
      .selectFrom('events')
      .select(['id', 'name', 'actor_type', 'actor_id', 'request_id', 'record_id', 'external_id', 'user_id'])
      .select(['workspace_id', 'changes'])
      .where('account_id', '=', accountId)
      .where('id', '>', lastId)
      .orderBy('id')
      .execute();
    lastId = rows.at(-1)?.id ?? lastId;
    return rows;
  };
  await read();
  return read;
}

/** Everything that the events of an account contain, as text. */
export async function textOfEvents({ accountId }: { readonly accountId: number }): Promise<string> {
  const { db } = (await service()).database;
  const { rows } = await sql<{ text: string }>`
    select events::text as text from events where account_id = ${accountId}`.execute(db);
  return rows.map(({ text }) => text).join('\n');
}
