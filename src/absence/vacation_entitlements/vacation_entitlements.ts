import { notFound, refuse } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import type { Names } from '../../platform/core/names.ts';
import type { Actor, WorkspaceActor } from '../../platform/core/permissions.ts';
import { pick } from '../../platform/core/pick.ts';
import { dayOfIso, localDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { referred } from '../../platform/db/names.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { findUserOrLeaver } from '../../organisation/users/leavers.ts';
import type { UserRow } from '../../organisation/users/rows.ts';
import { lockForChange, recordOf } from '../../organisation/users/records_of_user.ts';
import { findUser, showUser, userNamed } from '../../organisation/users/users.ts';
import { vacationAccount, vacationAccountOf } from '../../organisation/users/vacation_account.ts';
import { changedPeriod, periodProblems, thisYear, type PeriodInput } from './period.ts';
import {
  entitlementEvents,
  entitlementRows,
  stored,
  withSpending,
  type EntitlementRow,
  type StoredEntitlement,
} from './rows.ts';

/** An entitlement and the user whose it is. */
export interface EntitlementOf {
  readonly row: EntitlementRow;
  readonly user: UserRow;
}

/** An entitlement is named by its id. The resource API also names its user. */
export interface EntitlementRef {
  readonly user?: Id;
  readonly id: Id;
}

interface EntitlementChange extends PeriodInput {
  readonly title?: string;
  readonly planned_days?: number;
  readonly expires?: boolean;
}

type NewEntitlement = EntitlementChange & Required<Pick<EntitlementChange, 'title' | 'planned_days'>>;

const columns = listColumns('listUserVacationEntitlements', 'vacation_entitlements');

/** One entitlement of a user that the actor may read in full. */
export async function findEntitlement(
  db: Db,
  actor: WorkspaceActor,
  userRef: Id,
  ref: Id,
  now: Date,
): Promise<EntitlementOf> {
  const user = await showUser(db, actor, userRef);
  const row = await entitlementOf(db, user, ref);
  return { user, row: shown(user, [row], now)[0]! };
}

/** The entitlements of a user that the actor may read in full. */
export async function listEntitlements(db: Db, actor: WorkspaceActor, userRef: Id, selection: Selection, now: Date) {
  const user = await showUser(db, actor, userRef);
  const { rows, paging } = await pageOf(db, user, entitlementsOf(db, user), { ...selection, by: ['starts_at'] });
  return { user, rows: shown(user, rows, now), paging };
}

/** The entitlements of a user or leaver that overlap the days from `start_date` to `end_date`, both included and both optional. */
export async function listEntitlementsInRange(
  db: Db,
  actor: Actor,
  names: Names,
  range: { start_date?: string; end_date?: string },
  selection: Selection,
  now: Date,
) {
  const user = await findUserOrLeaver(db, actor, names);
  let visible = entitlementsOf(db, user);
  if (range.start_date !== undefined)
    visible = visible.where('vacation_entitlements.ends_at', '>=', dayOfIso(range.start_date, user.zone));
  if (range.end_date !== undefined)
    visible = visible.where('vacation_entitlements.starts_at', '<=', dayOfIso(range.end_date, user.zone));
  const { rows, paging } = await pageOf(db, user, visible, { ...selection, by: ['id'] });
  return { rows: shown(user, rows, now), paging };
}

/** Gives a user vacation days for a period, both ends included. The default is this year. */
export async function createEntitlement(
  tx: OpenTransaction,
  actor: Actor,
  userRef: Id,
  input: NewEntitlement,
  now: Date,
): Promise<EntitlementOf> {
  const user = await findUser(tx, actor, userRef);
  return insertEntitlement(tx, actor, user, input, now);
}

/** The same for a user whom the body names. One who is unknown is a problem of the body, reported with its others. */
export async function createEntitlementFor(
  tx: OpenTransaction,
  actor: Actor,
  names: Names,
  input: NewEntitlement,
  now: Date,
): Promise<EntitlementOf> {
  const { row: user, problems } = await referred(names, 'user of this enterprise', () => userNamed(tx, actor, names));
  if (!user) refuse([...problems, ...periodProblems(changedPeriod(thisYear(now, 'UTC'), input, 'UTC'), input)]);
  return insertEntitlement(tx, actor, user!, input, now);
}

/** Changes what is given and leaves the rest alone. */
export async function updateEntitlement(
  tx: OpenTransaction,
  actor: Actor,
  ref: EntitlementRef,
  change: EntitlementChange,
  now: Date,
): Promise<EntitlementOf> {
  const user = await lockOwner(tx, actor, ref);
  const before = await entitlementOf(tx, user, ref.id);
  const period = changedPeriod(before, change, user.zone);
  refuse(periodProblems(period, change));
  await tx
    .updateTable('vacation_entitlements')
    .set({ ...pick(change, stored), ...period, updated_at: now })
    .where('account_id', '=', user.account_id)
    .where('id', '=', before.id)
    .execute();
  const row = await written(tx, user, before.id, now);
  entitlementEvents.record(tx, actor, 'updated', { before, after: row }, now);
  return { user, row };
}

/** Deletes an entitlement and returns it as it was. Its days are then spent from the user's other ones. */
export async function deleteEntitlement(
  tx: OpenTransaction,
  actor: Actor,
  ref: EntitlementRef,
  now: Date,
): Promise<EntitlementOf> {
  const user = await lockOwner(tx, actor, ref);
  const { id } = await entitlementOf(tx, user, ref.id);
  const row = await written(tx, user, id, now);
  await tx.deleteFrom('vacation_entitlements').where('account_id', '=', user.account_id).where('id', '=', id).execute();
  entitlementEvents.record(tx, actor, 'deleted', { before: row, after: null }, now);
  return { user, row };
}

async function insertEntitlement(
  tx: OpenTransaction,
  actor: Actor,
  user: UserRow,
  input: NewEntitlement,
  now: Date,
): Promise<EntitlementOf> {
  await lockForChange(tx, actor, user, 'change_vacation_entitlements');
  const period = changedPeriod(thisYear(now, user.zone), input, user.zone);
  refuse(periodProblems(period, input));
  const { id } = await tx
    .insertInto('vacation_entitlements')
    .values({
      ...pick(input, stored),
      ...period,
      account_id: user.account_id,
      user_id: user.id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = await written(tx, user, id, now);
  entitlementEvents.record(tx, actor, 'created', { before: null, after: row }, now);
  return { user, row };
}

/** The user of an entitlement, locked. */
async function lockOwner(tx: OpenTransaction, actor: Actor, ref: EntitlementRef): Promise<UserRow> {
  const userRef = ref.user ?? (await ownerOf(tx, actor, ref.id));
  const user = userRef === undefined ? undefined : await userNamed(tx, actor, userRef);
  if (!user) throw notFound(ref.user === undefined ? 'vacation entitlement' : 'user');
  return lockForChange(tx, actor, user, 'change_vacation_entitlements');
}

async function ownerOf(db: Db, { accountId }: Actor, ref: Id): Promise<number | undefined> {
  const id = numericId(ref);
  if (id === undefined) return undefined;
  const row = await entitlementRows(db, accountId).where('vacation_entitlements.id', '=', id).executeTakeFirst();
  return row?.user_id;
}

const entitlementOf = (db: Db, user: UserRow, ref: Id): Promise<StoredEntitlement> =>
  recordOf(
    entitlementRows(db, user.account_id),
    { table: 'vacation_entitlements', noun: 'vacation entitlement' },
    user,
    ref,
  );

const entitlementsOf = (db: Db, user: UserRow) =>
  db
    .selectFrom('vacation_entitlements')
    .where('vacation_entitlements.account_id', '=', user.account_id)
    .where('vacation_entitlements.user_id', '=', user.id);

const pageOf = (
  db: Db,
  user: UserRow,
  visible: ReturnType<typeof entitlementsOf>,
  { by, ...selection }: Selection & { readonly by: readonly string[] },
) =>
  list(
    db,
    {
      visible,
      rows: entitlementRows(db, user.account_id),
      id: 'vacation_entitlements.id',
      columns,
      timeZone: user.zone,
      defaultSort: by,
    },
    selection,
  );

/** Rows as the user's vacation stands now. */
const shown = (user: UserRow, rows: readonly StoredEntitlement[], now: Date): EntitlementRow[] =>
  withSpending(rows, vacationAccount(user.vacation), localDay(now, user.zone));

/** An entitlement after a change, for which the user's vacation is read again. */
async function written(db: Db, user: UserRow, id: number, now: Date): Promise<EntitlementRow> {
  const account = await vacationAccountOf(db, user.account_id, user.id);
  const row = await entitlementOf(db, user, id);
  return withSpending([row], account, localDay(now, user.zone))[0]!;
}
