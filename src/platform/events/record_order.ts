import { sql } from 'kysely';

/** A record, as columns or values of a statement. */
interface OrderedRecord {
  readonly accountId: unknown;
  readonly type: unknown;
  readonly id: unknown;
}

/**
 * The transaction number of an event. The order of events is that of (epoch, transaction, id). A transaction that got its number
 * early may change a record late. Its event then takes the number of the last event of the same record, so that the events of a
 * record stay in order. Only a later transaction can have written such an event. There is rarely one, so the statement looks at
 * the last event of the account once, and at each record only if that is of a later transaction. The order makes PostgreSQL read
 * one row of `events_in_order`, also before it has counted the rows of a new table.
 */
export const transactionNumber = ({ accountId, type, id }: OrderedRecord) => sql`
  case when pg_current_xact_id() < (
    select last.transaction_id from events last
    where last.account_id = ${accountId} and last.epoch = current_event_epoch()
    order by last.transaction_id desc limit 1)
  then greatest(pg_current_xact_id(), (
    select earlier.transaction_id from events earlier
    where earlier.account_id = ${accountId} and earlier.record_id = ${id} and earlier.record_type = ${type}
      and earlier.epoch = current_event_epoch()
    order by earlier.transaction_id desc limit 1))
  else pg_current_xact_id() end`;
