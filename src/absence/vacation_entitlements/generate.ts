import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { idsInBatch } from '../../platform/batches/batches.ts';
import { earnedVacation, type EarnedVacation } from '../../days/calendar/vacation/earned_vacation.ts';
import { refuse } from '../../platform/core/errors.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import { numericIds, unknownIds } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { isAnyOf, rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { userDays } from '../../days/balance/user_days.ts';
import { recordEvents } from '../../platform/events/record.ts';
import { periodProblems, type EntitlementPeriod } from './period.ts';
import { entitlementEvents, entitlementRows } from './rows.ts';

type Generation = Omit<components['schemas']['VacationEntitlementBatch']['data']['attributes'], 'action'>;

/** The vacation that a user earns in a year, and its use. */
export interface Generated {
  readonly userId: number;
  readonly username: string;
  readonly outcome: 'created' | 'existing' | 'nothing_earned';
  readonly earned: EarnedVacation;
  readonly entitlementIds: readonly number[];
}

interface NewEntitlements extends EntitlementPeriod {
  readonly title: string;
  readonly expires: boolean;
}

/**
 * Creates the entitlements of a year. Users who have one for that year are left alone. They are locked first, so that no two
 * requests create one for the same user. The number of statements does not depend on the number of users.
 */
export async function generateEntitlements(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  input: Generation,
  now: Date,
): Promise<Generated[]> {
  const { accountId } = actor;
  const { members, unknown } = await chosenMembers(tx, actor, input.user_ids);
  const common = entitlementsOf(input);
  refuse([...unknownIds('user_ids', unknown, 'user of this workspace'), ...periodProblems(common)]);
  const ids = members.map(({ id }) => id);
  if (!input.dry_run) await lockUsers(tx, { accountId, ids });
  const days = await userDays(tx, accountId, ids);
  const existing = await entitlementsByUser(tx, accountId, ids, common);
  const generated = members.map(({ id, username }): Generated => {
    const { calendar, startOfWork } = days.get(id)!;
    const earned = earnedVacation(
      { year: input.year, fullDays: input.days },
      { ...calendar, start_of_work: startOfWork },
    );
    const entitlementIds = (existing.get(id) ?? []).map((entitlement) => entitlement.id);
    const outcome = entitlementIds.length > 0 ? 'existing' : earned.days > 0 ? 'created' : 'nothing_earned';
    return { userId: id, username, outcome, earned, entitlementIds };
  });
  if (input.dry_run) return generated;
  const created = await insertEntitlements(
    tx,
    accountId,
    generated.filter(({ outcome }) => outcome === 'created'),
    common,
    now,
  );
  await recordCreated(tx, actor, [...created.values()], now);
  return generated.map((one) => {
    const id = created.get(one.userId);
    return id === undefined ? one : { ...one, entitlementIds: [id] };
  });
}

/** The named members of the workspace, otherwise all active ones. */
async function chosenMembers(db: Db, { accountId, workspace }: WorkspaceActor, userIds: Generation['user_ids']) {
  const members = await db
    .selectFrom('memberships')
    .innerJoin('users', (join) =>
      join.on('users.account_id', '=', accountId).onRef('users.id', '=', 'memberships.user_id'),
    )
    .where('memberships.account_id', '=', accountId)
    .where('memberships.workspace_id', '=', workspace.id)
    .where('users.deleted_at', 'is', null)
    .select(['users.id', 'users.username', 'users.status'])
    .orderBy('users.username')
    .orderBy('users.id')
    .execute();
  if (userIds === undefined) return { members: members.filter(({ status }) => status === 'active'), unknown: [] };
  const { numbers, impossible } = numericIds(idsInBatch('user_ids', userIds));
  const [named, known] = [new Set(numbers), new Set(members.map(({ id }) => id))];
  return {
    members: members.filter(({ id }) => named.has(id)),
    unknown: [...impossible, ...numbers.filter((id) => !known.has(id))],
  };
}

/** The calendar year. What is left can be used until 31 March of the next year, unless the request says otherwise. */
function entitlementsOf({ year, ...input }: Generation): NewEntitlements {
  const { title = `Vacation ${year}`, expires = true, transfer_remaining = true } = input;
  return {
    title,
    expires,
    transfer_remaining,
    starts_at: `${year}-01-01`,
    ends_at: `${year}-12-31`,
    end_of_transfer_period: input.end_of_transfer_period ?? (transfer_remaining ? `${year + 1}-03-31` : null),
  };
}

/** The entitlements of users that overlap a period, by user. */
async function entitlementsByUser(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  { starts_at, ends_at }: EntitlementPeriod,
): Promise<ReadonlyMap<number, readonly { readonly id: number }[]>> {
  const rows = await db
    .selectFrom('vacation_entitlements')
    .select(['id', 'user_id'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('user_id', userIds))
    .where('status', '=', 'active')
    .where('starts_at', '<=', ends_at)
    .where('ends_at', '>=', starts_at)
    .orderBy('id')
    .execute();
  return groupBy(rows, ({ user_id }) => user_id);
}

/** Stores an entitlement for each user, and returns its id by user. */
async function insertEntitlements(
  db: Db,
  accountId: number,
  generated: readonly Generated[],
  common: NewEntitlements,
  now: Date,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; user_id: number }>`
    insert into vacation_entitlements
      (account_id, user_id, title, starts_at, ends_at, planned_days, expires, transfer_remaining, end_of_transfer_period, created_at, updated_at)
    select ${accountId}, earned.user_id, ${common.title}, ${common.starts_at}::date, ${common.ends_at}::date, earned.days, ${common.expires},
      ${common.transfer_remaining}, ${common.end_of_transfer_period}::date, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${generated.map(({ userId }) => userId)}::bigint[], ${generated.map(({ earned }) => earned.days)}::numeric[])
      earned (user_id, days)
    returning id, user_id`.execute(db);
  return new Map(rows.map(({ id, user_id }) => [user_id, id]));
}

async function recordCreated(tx: OpenTransaction, actor: WorkspaceActor, ids: readonly number[], now: Date) {
  const rows = await rowsByIds(entitlementRows(tx, actor.accountId), 'vacation_entitlements.id', ids);
  recordEvents(
    tx,
    actor,
    rows.flatMap((row) => entitlementEvents.eventOf('created', null, row) ?? []),
    now,
  );
}
