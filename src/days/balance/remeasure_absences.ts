import { sql } from 'kysely';
import type { AbsenceDay } from '../calendar/absence_days.ts';
import { sumOf } from '../calendar/amounts.ts';
import type { LocalDate } from '../calendar/dates.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { eventsOf, type EventActor } from '../../platform/events/record.ts';
import { addSystemNotes } from '../../platform/notes/notes.ts';
import { closedMonths } from './closed_months.ts';
import { isSameSpan, measure, measurementOf, spanOfDates } from './measure_absence.ts';
import { storeAbsenceDays } from './store_absence_days.ts';
import { userDays, type UserDays } from './user_days.ts';

/** Which absences a change of target hours, holidays, zone or contract concerns. */
export interface Remeasurement {
  /** The first day on which something changes; null where all days may change. */
  readonly from: LocalDate | null;
  /** Whether confirmed absences are measured too. One whose amount changes becomes pending. */
  readonly resetsConfirmed: boolean;
}

/**
 * Measures the absences of users again. Custom amounts and closed dates stay as they are. Repeating it changes nothing. The caller has not read
 * the absences before, because the users are locked here.
 */
export async function remeasureAbsences(
  tx: OpenTransaction,
  actor: EventActor,
  userIds: readonly number[],
  change: Remeasurement,
  now: Date,
): Promise<void> {
  const { accountId } = actor;
  await lockUsers(tx, { accountId, ids: userIds });
  const days = await userDays(tx, accountId, userIds);
  const closed = await closedMonths(tx, accountId, userIds);
  for (const absence of await lockedAbsences(tx, accountId, userIds, change)) {
    const after = remeasured(absence, days.get(absence.user_id)!, change, closed.get(absence.user_id)?.next_date);
    if (!after) continue;
    const { rows, isReset, ...attributes } = after;
    await storeAbsenceDays(tx, accountId, absence, rows);
    await tx
      .updateTable('absences')
      .set({ ...attributes, ...(isReset ? undecided : {}), updated_at: now })
      .where('account_id', '=', accountId)
      .where('id', '=', absence.id)
      .execute();
    const measured = { ...absence, ...attributes, ...(isReset ? undecided : {}) };
    absenceEvents.record(tx, actor, isReset ? 'reset' : 'updated', { before: absence, after: measured }, now);
    if (isReset) await addSystemNotes(tx, accountId, [{ owner: { absence_id: absence.id }, content: resetNote }], now);
  }
}

/** The columns that a measurement can change. */
const absenceEvents = eventsOf<StoredAbsence>()('absence', [
  'starts_at',
  'ends_at',
  'days',
  'hours',
  'confirmation_status',
  'confirmed_at',
  'confirmed_by_user_id',
]);

/** The columns of a pending absence. */
export const undecided = { confirmation_status: 'pending', confirmed_at: null, confirmed_by_user_id: null };
const resetNote =
  'The absence was set back to pending, because its amount changed with the target hours, the holidays, the time zone or the contract.';

const lockedAbsences = (tx: OpenTransaction, accountId: number, userIds: readonly number[], { from }: Remeasurement) =>
  tx
    .selectFrom('absences')
    .innerJoin('absence_types as type', (join) =>
      join.on('type.account_id', '=', accountId).onRef('type.id', '=', 'absences.absence_type_id'),
    )
    .where('absences.account_id', '=', accountId)
    .where(isAnyOf('absences.user_id', userIds))
    // A day is at most 26 hours away from the same day of another zone.
    .where(from === null ? sql<boolean>`true` : sql<boolean>`absences.ends_at >= ${from}::date - interval '26 hours'`)
    .select([
      'absences.id',
      'absences.workspace_id',
      'absences.external_id',
      'absences.days',
      'absences.hours',
      'absences.confirmed_at',
      'absences.confirmed_by_user_id',
      'absences.user_id',
      'absences.starts_at',
      'absences.ends_at',
      'absences.full_day',
      'absences.half_start',
      'absences.half_end',
      'absences.use_custom_values',
      'absences.confirmation_status',
      'type.kind',
      sql<AbsenceDay[]>`array_to_json(array(
        select json_build_object('date', day.date, 'seconds', day.seconds, 'parts', day.parts)
        from absence_days day
        where day.account_id = ${accountId} and day.absence_id = absences.id order by day.date))`.as('rows'),
    ])
    .orderBy('absences.id')
    // An absence that is being confirmed is read after its confirmation.
    .forNoKeyUpdate('absences')
    .execute();

type StoredAbsence = Awaited<ReturnType<typeof lockedAbsences>>[number];

/**
 * An absence as it is to be stored; undefined where nothing changes. The dates of full days stay, whatever the zone is. So do
 * closed dates, those before `openDate`, and the decision about an absence that has some.
 */
function remeasured(
  absence: StoredAbsence,
  days: UserDays,
  { resetsConfirmed }: Remeasurement,
  openDate: LocalDate | undefined,
) {
  const closed = openDate === undefined ? [] : absence.rows.filter(({ date }) => date < openDate);
  const isConfirmed = absence.confirmation_status === 'confirmed';
  const isMeasured = !absence.use_custom_values && (!isConfirmed || (resetsConfirmed && closed.length === 0));
  const dates = { from: absence.rows[0]!.date, to: absence.rows.at(-1)!.date };
  const measured = isMeasured ? measure({ ...absence, dates }, days) : undefined;
  const open = measured?.rows.filter(({ date }) => openDate === undefined || date >= openDate);
  const { rows, ...amount } = open ? measurementOf([...closed, ...open]) : { rows: absence.rows };
  const { starts_at, ends_at } = absence.full_day ? spanOfDates(dates, days.zone) : absence;
  if (isSame(rows, absence.rows) && isSameSpan({ starts_at, ends_at }, absence)) return undefined;
  return { rows, ...amount, starts_at, ends_at, isReset: isConfirmed && !isSameAmount(rows, absence.rows) };
}

const isSame = (one: readonly AbsenceDay[], other: readonly AbsenceDay[]): boolean =>
  one.length === other.length &&
  one.every(
    ({ date, seconds, parts }, index) =>
      date === other[index]!.date && seconds === other[index]!.seconds && parts === other[index]!.parts,
  );

const isSameAmount = (one: readonly AbsenceDay[], other: readonly AbsenceDay[]): boolean =>
  sumOf(one, ({ seconds }) => seconds) === sumOf(other, ({ seconds }) => seconds) &&
  sumOf(one, ({ parts }) => parts) === sumOf(other, ({ parts }) => parts);
