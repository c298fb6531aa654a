import { sql } from 'kysely';
import { addDays, firstOfMonth, type DateRange, type LocalDate } from '../../../days/calendar/dates.ts';
import type { LedgerDay } from '../../../days/calendar/day_ledger.ts';
import { hoursOf } from '../../../days/calendar/worked_time.ts';
import { groupBy } from '../../../platform/core/group_by.ts';
import type { WorkspaceActor } from '../../../platform/core/permissions.ts';
import { localForm } from '../../../platform/core/time.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { isAnyOf } from '../../../platform/db/rows_by_ids.ts';
import { ledgerOf, timeAccounts } from '../../../days/balance/time_accounts.ts';
import type { Coverage } from '../request.ts';
import { cellsOf, column, type Cell, type ColumnOf, type Table } from '../table.ts';
import { summariesOf } from './summaries.ts';

/* The days of users as the time account has them, a sheet for each user and month. */

/** A month of a user. Amounts are seconds. */
export interface Sheet {
  /** The name of the account. */
  readonly company: string;
  readonly userId: number;
  readonly username: string;
  readonly staffNumber: string | null;
  /** The first day of the month. */
  readonly month: LocalDate;
  readonly days: readonly SheetDay[];
}

export interface SheetDay extends LedgerDay {
  /** When work began and ended, by the clock of the user: `08:00`. */
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  /** The types of absences, and the public holiday. */
  readonly absence: string;
  /** The name of the person who confirmed the work. */
  readonly confirmedBy: string;
}

/** Is told how much is done, from 0 to 1. */
type Progress = (share: number) => void;

/** The sheets of all users of a file, by name and month. Only the users of one page are in memory. */
export async function* sheetsOf(
  db: Db,
  actor: WorkspaceActor,
  { from, to, filter }: Coverage,
  isDone: Progress,
): AsyncGenerator<Sheet> {
  const range = { from: from!, to: to! };
  const company = await companyName(db, actor);
  let done = 0;
  for await (const { rows, total } of summariesOf(db, actor, range, filter)) {
    const userIds = rows.map(({ user }) => user.id);
    const numbers = await staffNumbers(db, actor, userIds);
    const days = await daysOfUsers(db, actor, userIds, range);
    for (const { user } of rows) {
      const own = { company, userId: user.id, username: user.username, staffNumber: numbers.get(user.id) ?? null };
      for (const [month, ofMonth] of groupBy(days.get(user.id)!, ({ date }) => firstOfMonth(date)))
        yield { ...own, month, days: ofMonth };
      isDone(++done / total);
    }
  }
}

async function companyName(db: Db, { accountId }: WorkspaceActor): Promise<string> {
  const account = db.selectFrom('accounts').select('account_name').where('id', '=', accountId);
  return (await account.executeTakeFirstOrThrow()).account_name;
}

async function staffNumbers(
  db: Db,
  { accountId }: WorkspaceActor,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'staff_number'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('id', userIds))
    .execute();
  return new Map(rows.map(({ id, staff_number }) => [id, staff_number]));
}

async function daysOfUsers(
  db: Db,
  { accountId }: WorkspaceActor,
  userIds: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, SheetDay[]>> {
  const accounts = await timeAccounts(db, accountId, userIds, range);
  const work = new Map((await workRows(db, accountId, userIds, range)).map((row) => [row.id, row]));
  const ledgers = [...accounts].map(([id, account]) => [id, ledgerOf(account, range), account.days.zone] as const);
  const absenceIds = ledgers.flatMap(([, days]) => days.flatMap((day) => day.absenceIds));
  const titles = await absenceTitles(db, accountId, absenceIds);
  return new Map(
    ledgers.map(([id, days, zone]) => [
      id,
      days.map((day): SheetDay => {
        const trackings = day.timeTrackingIds.map((tracking) => work.get(tracking)).filter((row) => row !== undefined);
        const clock = (time: Date): string => localForm(time, zone).slice(11, 16);
        const absences = day.absenceIds.map((absence) => titles.get(absence)).filter((title) => title !== undefined);
        return {
          ...day,
          starts: trackings.map(({ starts_at }) => clock(starts_at)),
          ends: trackings.map(({ ends_at }) => clock(ends_at)),
          absence: joined([...absences, ...(day.holiday === null ? [] : [day.holiday])]),
          confirmedBy: joined(trackings.flatMap(({ confirmer }) => confirmer ?? [])),
        };
      }),
    ]),
  );
}

const joined = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

interface WorkRow {
  readonly id: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly confirmer: string | null;
}

/**
 * The finished work that begins in these days, and in those beside them, because zones differ. Its events say who confirmed it.
 * Without them, which are removed after some years, it was the last editor: only those who may confirm can change what is
 * confirmed.
 */
async function workRows(db: Db, accountId: number, userIds: readonly number[], { from, to }: DateRange) {
  const { rows } = await sql<WorkRow>`
    select coalesce(tracking.uuid::text, tracking.id::text) as id, tracking.starts_at, tracking.ends_at,
      confirmer.username as confirmer
    from time_trackings tracking
    left join lateral (
      select true as is_known, case event.actor_type when 'user' then event.actor_id::bigint end as user_id from events event
      where event.account_id = ${accountId} and event.record_type = 'time_tracking' and event.record_id = tracking.id::text
        and (event.name = 'time_tracking.confirmed' or event.name = 'time_tracking.created' and event.changes @> '{"confirmed": [null, true]}')
      order by event.epoch desc, event.transaction_id desc, event.id desc limit 1) confirmation on true
    left join users confirmer on tracking.confirmed and confirmer.account_id = ${accountId}
      and confirmer.id = case when confirmation.is_known then confirmation.user_id else tracking.last_editor_id end
    where tracking.account_id = ${accountId} and tracking.user_id = any(${userIds}::bigint[]) and tracking.ends_at is not null
      and tracking.starts_at >= ${addDays(from, -1)}::date and tracking.starts_at < ${addDays(to, 2)}::date`.execute(
    db,
  );
  return rows;
}

async function absenceTitles(db: Db, accountId: number, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('absences')
    .innerJoin('absence_types as type', (join) =>
      join.on('type.account_id', '=', accountId).onRef('type.id', '=', 'absences.absence_type_id'),
    )
    .select(['absences.id', 'type.title'])
    .where('absences.account_id', '=', accountId)
    .where(isAnyOf('absences.id', ids))
    .execute();
  return new Map(rows.map(({ id, title }) => [id, title]));
}

type Line = { readonly sheet: Sheet; readonly day: SheetDay };

const amounts: readonly (readonly [en: string, de: string, seconds: (day: SheetDay) => number])[] = [
  ['Breaks', 'Pausen', (day) => day.breaks],
  ['Net', 'Netto', (day) => day.worked.all],
  ['Target', 'Soll', (day) => day.target],
  ['Credit', 'Gutschrift', (day) => day.absenceCredit + day.holidayCredit],
  ['Adjustment', 'Korrektur', (day) => day.adjustment],
  ['Change', 'Veränderung', (day) => day.change.all],
  ['Balance', 'Saldo', (day) => day.balance.all],
];

const columns: readonly ColumnOf<Line>[] = [
  column('User id', 'Benutzer-Id', 'number', ({ sheet }) => sheet.userId),
  column('User', 'Benutzer', 'text', ({ sheet }) => sheet.username),
  column('Staff number', 'Personalnummer', 'text', ({ sheet }) => sheet.staffNumber),
  column('Date', 'Datum', 'day', ({ day }) => day.date),
  column('Start', 'Beginn', 'text', ({ day }) => day.starts.join(', ')),
  column('End', 'Ende', 'text', ({ day }) => day.ends.join(', ')),
  ...amounts.map(([en, de, seconds]) =>
    column<Line>(`${en} (h)`, `${de} (h)`, 'hours', ({ day }) => hoursOf(seconds(day))),
  ),
  column('Absence', 'Abwesenheit', 'text', ({ day }) => day.absence),
  column('Confirmed by', 'Bestätigt durch', 'text', ({ day }) => day.confirmedBy),
  ...amounts.map(([en, de, seconds]) => column<Line>(`${en} (s)`, `${de} (s)`, 'number', ({ day }) => seconds(day))),
];

/** The same as a table with a row for each day. */
export const timesheetTable = (sheets: AsyncIterable<Sheet>): Table => ({ columns, pages: pagesOf(sheets) });

async function* pagesOf(sheets: AsyncIterable<Sheet>): AsyncGenerator<Cell[][]> {
  for await (const sheet of sheets) yield sheet.days.map((day) => cellsOf(columns, { sheet, day }));
}
