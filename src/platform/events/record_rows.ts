import { sql, type RawBuilder } from 'kysely';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { actorColumns, type EventActor, type EventName } from './record.ts';
import { transactionNumber } from './record_order.ts';

/*
 * Events that SQL writes, one for each row that a statement changes. A verb uses them where it changes many records at once,
 * or where the id of a record is known to the database only.
 */

/** The events of one statement. Each value is a value or a column of `rows`. */
interface EventSource {
  readonly accountId: unknown;
  readonly name: EventName;
  readonly at: unknown;
  readonly actorType: unknown;
  readonly actorId: unknown;
  readonly requestId: unknown;
  /** A table with the columns `workspace_id`, `id`, `uuid`, `external_id`, `user_id` and `changes`. */
  readonly rows: RawBuilder<unknown>;
}

/** The SQL that inserts one event for each row. */
export const eventInsertion = (source: EventSource): RawBuilder<unknown> => {
  const [type] = source.name.split('.') as [string];
  return sql`
    insert into events (
      account_id, transaction_id, workspace_id, at, actor_type, actor_id, request_id, name, record_type, record_id, record_uuid,
      external_id, user_id, changes)
    select ${source.accountId}, ${transactionOf(source, type)}, record.workspace_id, ${source.at}, ${source.actorType}, ${source.actorId},
      ${source.requestId}, ${sql.lit(source.name)}, ${sql.lit(type)}, record.id::text, record.uuid, record.external_id, record.user_id,
      record.changes
    from ${source.rows} record
    returning account_id`;
};

/** A new record has no earlier events. */
const transactionOf = ({ accountId, name }: EventSource, type: string) =>
  name.endsWith('.created')
    ? sql`pg_current_xact_id()`
    : transactionNumber({ accountId, type: sql.lit(type), id: sql`record.id::text` });

/** The values that the events of one actor have in common. */
export const commonValues = (actor: EventActor, now: Date) => ({
  accountId: actor.accountId,
  at: now,
  ...actorColumns(actor),
});

interface RecordedChange {
  /** A statement that changes rows and returns them. */
  readonly change: RawBuilder<object>;
  /** The columns that it returns, with their types. */
  readonly columns: RawBuilder<unknown>;
  /** Selects what events need from the table `changed`, after the change. */
  readonly rows: RawBuilder<unknown>;
}

/** Changes records and records an event about each. */
export async function changeAndRecord(
  tx: OpenTransaction,
  actor: EventActor,
  name: EventName,
  { change, columns, rows }: RecordedChange,
  now: Date,
): Promise<void> {
  const changed = await change.execute(tx);
  if (changed.rows.length === 0) return;
  await sql`
    with changed as (select * from jsonb_to_recordset(${JSON.stringify(changed.rows)}::jsonb) as given (${columns}))
    ${eventInsertion({ ...commonValues(actor, now), name, rows: sql`(${rows})` })}`.execute(tx);
}
