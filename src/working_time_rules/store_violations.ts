import { sql } from 'kysely';
import type { LocalDate } from '../calendar/dates.ts';
import type { Db } from '../db/connection.ts';
import { statement } from '../db/statement.ts';
import type { ViolationChanges } from './judged_work.ts';
import { messageOf, titleOf } from './messages.ts';

/*
 * Violations are stored once for each user, date and rule, with a notification for the admins of the user and one for the user.
 * A violation that still holds keeps its id and its acknowledgement.
 */

/** Stores what judgements have found. The caller has locked the users. */
export async function storeViolations(
  db: Db,
  accountId: number,
  changes: readonly ViolationChanges[],
  now: Date,
): Promise<void> {
  const outdated = changes.flatMap((change) => change.outdated.map(({ id }) => id));
  if (outdated.length > 0) await deletion(db, { accountId, ids: outdated });
  // Two changes of a user can lead to the same violation.
  const changed = new Map(
    changes.flatMap(({ userId, changed: violations }) =>
      violations.map((violation) => [`${userId} ${violation.date} ${violation.rule}`, { userId, ...violation }]),
    ),
  );
  if (changed.size === 0) return;
  const rows = [...changed.values()];
  await upsert(db, {
    accountId,
    userIds: rows.map(({ userId }) => userId),
    rules: rows.map(({ rule }) => rule),
    dates: rows.map(({ date }) => date),
    workspaceIds: rows.map(({ workspaceId }) => workspaceId),
    timeTrackingIds: rows.map(({ timeTrackingId }) => timeTrackingId),
    paragraphs: rows.map(({ paragraph }) => paragraph),
    limits: rows.map(({ limitSeconds }) => limitSeconds),
    values: rows.map(({ valueSeconds }) => valueSeconds),
    elsewhere: rows.map(({ elsewhereSeconds }) => elsewhereSeconds),
    titles: rows.map(titleOf),
    messages: rows.map(messageOf),
    now,
  });
}

/** Deletes the warnings that earlier releases have stored about users. They were about single time trackings. */
export const deleteEarlierWarnings = statement<{ accountId: number; userIds: readonly number[] }, object>(
  (_db, { accountId, userIds }) => sql<object>`
    delete from notifications
    where account_id = ${accountId} and user_id = any(${userIds}::bigint[]) and rule is not null and violation_id is null`,
);

interface ChangedViolations {
  accountId: number;
  userIds: readonly number[];
  rules: readonly string[];
  dates: readonly LocalDate[];
  workspaceIds: readonly number[];
  timeTrackingIds: readonly number[];
  paragraphs: readonly (string | null)[];
  limits: readonly number[];
  values: readonly number[];
  elsewhere: readonly number[];
  titles: readonly string[];
  messages: readonly string[];
  now: Date;
}

/** Their notifications go with them. */
const deletion = statement<{ accountId: number; ids: readonly number[] }, object>(
  (_db, { accountId, ids }) => sql<object>`
    delete from working_time_violations where account_id = ${accountId} and id = any(${ids}::bigint[])`,
);

const upsert = statement<ChangedViolations, object>(
  (_db, given) => sql<object>`
    with judged as (
      select * from unnest(
        ${given.userIds}::bigint[], ${given.rules}::text[], ${given.dates}::date[], ${given.workspaceIds}::bigint[],
        ${given.timeTrackingIds}::bigint[], ${given.paragraphs}::text[], ${given.limits}::integer[], ${given.values}::bigint[],
        ${given.elsewhere}::bigint[], ${given.titles}::text[], ${given.messages}::text[])
        with ordinality as judged (user_id, rule, date, workspace_id, time_tracking_id, paragraph, limit_s, value_s, elsewhere_s, title, message, position)
    ), violation as (
      insert into working_time_violations as stored (
        account_id, user_id, rule, date, workspace_id, time_tracking_id, paragraph, limit_s, value_s, elsewhere_s, created_at, updated_at)
      select ${given.accountId}, user_id, rule, date, workspace_id, time_tracking_id, paragraph, limit_s, value_s, elsewhere_s, ${given.now}, ${given.now}
      from judged order by position
      on conflict (account_id, user_id, date, rule) do update set
        workspace_id = excluded.workspace_id, time_tracking_id = excluded.time_tracking_id, paragraph = excluded.paragraph,
        limit_s = excluded.limit_s, value_s = excluded.value_s, elsewhere_s = excluded.elsewhere_s, updated_at = excluded.updated_at
      returning stored.id, stored.user_id, stored.rule, stored.date
    )
    insert into notifications (
      account_id, workspace_id, type, user_id, time_tracking_id, rule, violation_id, title, message, created_at, updated_at)
    select ${given.accountId}, judged.workspace_id, kind.type, judged.user_id, judged.time_tracking_id, judged.rule, violation.id,
      judged.title, judged.message, ${given.now}, ${given.now}
    from judged join violation using (user_id, rule, date) cross join (values ('trigger_warning'), ('notification')) kind (type)
    order by judged.position, kind.type desc
    on conflict (account_id, violation_id, type) where violation_id is not null do update set
      workspace_id = excluded.workspace_id, time_tracking_id = excluded.time_tracking_id, title = excluded.title,
      message = excluded.message, updated_at = excluded.updated_at`,
);
