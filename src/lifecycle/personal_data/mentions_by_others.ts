import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { removeFiles } from '../../platform/files/files.ts';
import { anonymousText } from './personal_data_map.ts';
import type { Person } from './person.ts';
import type { NamesToBlank } from './names_to_blank.ts';

/* What rows about others, logs and the queue hold about a person. */

/** Removes what others hold about the person. The person's own rows are still as they were. */
export async function blankMentionsByOthers(tx: OpenTransaction, person: Person, texts: NamesToBlank): Promise<void> {
  await blankNames(tx, person, texts);
  await blankNotifications(tx, person, texts);
  await blankDeliveries(tx, person);
  await removeExports(tx, person);
  await blankResponses(tx, person, texts);
  await blankJobs(tx, person);
}

/** Names in what the person left in records of others, and in texts of the service. */
async function blankNames(tx: OpenTransaction, { accountId, userId }: Person, { names }: NamesToBlank): Promise<void> {
  await sql`
    update attachments set author = ${anonymousText} where account_id = ${accountId} and author_id = ${userId}`.execute(
    tx,
  );
  const replaceNames = (table: string, column: string, condition: RawBuilder<unknown> = sql`true`) => sql`
    update ${sql.table(table)} set ${sql.ref(column)} = regexp_replace(${sql.ref(column)}, ${names}, ${anonymousText}, 'g')
    where account_id = ${accountId} and ${condition} and ${sql.ref(column)} ~ ${names}`;
  await replaceNames('notes', 'content', sql`type = 'SystemNote'`).execute(tx);
  await replaceNames('signatures', 'title').execute(tx);
  await replaceNames('batch_items', 'failure').execute(tx);
}

/** Notifications to others: about records of the person, with their name, or about a deleted absence of theirs. */
const blankNotifications = (
  tx: OpenTransaction,
  { accountId, userId }: Person,
  { names, quotedTitles }: NamesToBlank,
) =>
  sql`
  update notifications set title = ${anonymousText}, message = ${anonymousText}
  where account_id = ${accountId} and (
    time_tracking_id in (select id from time_trackings where account_id = ${accountId} and user_id = ${userId})
    or absence_id in (select id from absences where account_id = ${accountId} and user_id = ${userId})
    or title ~ ${names} or message ~ ${names}
    or exists (select from unnest(${quotedTitles}::text[]) quoted where strpos(message, quoted) > 0))`.execute(tx);

/** Blanks the answers of receivers to messages about the person. */
const blankDeliveries = (tx: OpenTransaction, { accountId, userId }: Person) =>
  sql`
    update webhook_deliveries set response_body = null, error = null
    where account_id = ${accountId} and (
      record_type = 'user' and record_id = ${String(userId)}
      or event_id in (
        select id from events
        where account_id = ${accountId} and (
          user_id = ${userId} or record_type = 'note' and actor_type = 'user' and actor_id = ${String(userId)})))`.execute(
    tx,
  );

/** Exports that may cover the person. One that is being made begins anew, without them. */
async function removeExports(tx: OpenTransaction, { accountId, userId }: Person): Promise<void> {
  const mayCover = sql<SqlBool>`(
    coalesce(input->'user_ids', '[]') = '[]' or input->'user_ids' @> ${JSON.stringify([userId])}::jsonb or user_id = ${userId})`;
  const exports = await tx
    .selectFrom('exports')
    .select(['id', 'status', 'file_id'])
    .where('account_id', '=', accountId)
    .where(mayCover)
    .forUpdate()
    .execute();
  const idsOf = (isPending: boolean) =>
    exports.filter(({ status }) => (status === 'pending') === isPending).map(({ id }) => id);
  await sql`
    delete from exports where account_id = ${accountId} and id = any(${idsOf(false)}::bigint[])`.execute(tx);
  await sql`
    update exports set file_id = null where account_id = ${accountId} and id = any(${idsOf(true)}::bigint[])`.execute(
    tx,
  );
  await removeFiles(
    tx,
    accountId,
    exports.flatMap(({ file_id }) => file_id ?? []),
  );
}

/**
 * Stored responses about the person: those to requests that left an event about them, and those that name them. A repeated
 * request is still recognised, and its response has no body any more.
 */
const blankResponses = (tx: OpenTransaction, { accountId, userId }: Person, { names }: NamesToBlank) =>
  sql`
    update idempotency_keys set body = null, headers = '{}'
    where account_id = ${accountId} and status is not null and (
      body ~ ${names}
      or body ~ ${`"user_id":"?${userId}[",}]`}
      or substring(body from '"request_id":"([^"]+)"') in (
        select request_id from events
        where account_id = ${accountId} and (
          user_id = ${userId} or record_type = 'note' and actor_type = 'user' and actor_id = ${String(userId)})))`.execute(
    tx,
  );

/** Blanks the input and output of finished jobs. Jobs that wait have ids only. */
const blankJobs = (tx: OpenTransaction, { accountId }: Person) =>
  sql`
    update pgboss.job set
      output = null,
      data = case when state in ('completed', 'cancelled', 'failed') then ${JSON.stringify({ accountId })}::jsonb else data end
    where group_id = ${String(accountId)} and (output is not null or state in ('completed', 'cancelled', 'failed'))`.execute(
    tx,
  );
