import type { components } from '../../../../generated/v3.ts';
import type { AbsenceDay } from '../../../days/calendar/absence_days.ts';
import type { LocalDate } from '../../../days/calendar/dates.ts';
import { twoDecimals } from '../../../days/calendar/rounding.ts';
import type { Ref } from '../../../platform/core/names.ts';
import { pick } from '../../../platform/core/pick.ts';
import { datesOf, spanOfDates, type Amount, type Measurable } from '../../../days/balance/measure_absence.ts';
import { measureChange } from '../../../days/balance/measure_change.ts';
import type { UserDays } from '../../../days/balance/user_days.ts';
import { isMeasuredAlike } from '../protection/set_back.ts';
import type { AbsenceRow } from '../rows.ts';
import { dateIn, spanOf } from '../span.ts';

type Attributes = components['schemas']['AbsenceUpdate']['data']['attributes'];

/** A change of an absence. Its times are ISO times, or plain days where the API of the caller takes them. */
export type AbsenceChange = Omit<Attributes, 'absence_type_id' | 'notes_attributes'> & {
  readonly absence_type?: Ref | undefined;
  readonly time_zone?: string | null;
  readonly notes?: Attributes['notes_attributes'];
};

type StoredAbsence = AbsenceRow & { readonly rows: readonly AbsenceDay[] };

type Changed = Omit<Measurable, 'dates'> & Amount & Pick<AbsenceRow, 'use_custom_values'>;

interface Context {
  readonly days: UserDays;
  /** The kind of its type after the change. */
  readonly kind: string;
  /** The zone whose dates the times of the change mean. */
  readonly senderZone: string;
  /** The first day after the closed months of the user. */
  readonly openDate: LocalDate | undefined;
}

/** The times and the amount of an absence after a change, with the rows of its amount; without rows where it stays as it is. */
export function changedAmount(
  absence: StoredAbsence,
  change: AbsenceChange,
  { days, kind, senderZone, openDate }: Context,
): Changed & { rows?: readonly AbsenceDay[] } {
  const stored = { ...absence, dates: { from: absence.first_date, to: absence.last_date } };
  const { dates, ...times } = timesAfter(stored, change, { zone: days.zone, senderZone });
  const use_custom_values = change.use_custom_values ?? absence.use_custom_values;
  const after = {
    ...pick(absence, ['days', 'hours']),
    ...times,
    kind,
    half_start: change.half_start ?? absence.half_start,
    half_end: change.half_end ?? absence.half_end,
    use_custom_values,
  };
  // A custom amount stays until a change replaces it or turns it off.
  const kept = change.use_custom_values === undefined ? absence : undefined;
  const amount = { days: change.days ?? kept?.days, hours: change.hours ?? kept?.hours };
  const givesAmount = use_custom_values && (change.days !== undefined || change.hours !== undefined);
  const isNewAmount = givesAmount && !isSameAmount(amount, absence);
  // Values that the absence has already change nothing, also where the target hours have changed since.
  if (!isNewAmount && isMeasuredAlike(absence, after)) return after;
  const custom = use_custom_values ? amount : undefined;
  return { ...after, ...measureChange(stored, { ...after, dates }, days, { custom, openDate }) };
}

const isSameAmount = (one: Partial<Amount>, other: Amount): boolean =>
  one.days !== undefined &&
  one.hours !== undefined &&
  twoDecimals(one.days) === other.days &&
  twoDecimals(one.hours) === other.hours;

/** The times after a change. Full days that are not changed stay the same dates, even if the user has another zone by now. */
function timesAfter(
  absence: Pick<Measurable, 'starts_at' | 'ends_at' | 'full_day'> & Required<Pick<Measurable, 'dates'>>,
  change: AbsenceChange,
  { zone, senderZone }: { zone: string; senderZone: string },
): Pick<Measurable, 'starts_at' | 'ends_at' | 'full_day' | 'dates'> {
  const { starts_at, ends_at } = absence;
  const full_day = change.full_day ?? absence.full_day;
  if (!full_day) {
    const kept = { starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() };
    return { ...spanOf({ ...kept, ...pick(change, ['starts_at', 'ends_at']) }, { full_day, zone }), full_day };
  }
  const kept = absence.full_day ? absence.dates! : datesOf(absence, zone);
  const dates = {
    from: change.starts_at === undefined ? kept.from : dateIn(change.starts_at, senderZone),
    to: change.ends_at === undefined ? kept.to : dateIn(change.ends_at, senderZone),
  };
  const isKept = absence.full_day && change.starts_at === undefined && change.ends_at === undefined;
  return { ...(isKept ? { starts_at, ends_at } : spanOfDates(dates, zone)), full_day, dates };
}
