import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { earliestOf } from '../../days/calendar/dates.ts';
import { notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import { localDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listComputed } from '../../platform/db/list/computed_list.ts';
import { namedFilter, parser } from '../../platform/db/list/filters.ts';
import type { Selection } from '../../platform/db/list/list.ts';
import { conditionsIn } from '../../platform/db/list/read_filters.ts';
import { findToChange } from '../../platform/db/record_locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { takenProblems } from '../../platform/db/unique_values.ts';
import { eventsOf } from '../../platform/events/record.ts';
import { calendarHolidays } from '../../days/calendar/holiday_calendar.ts';
import { enqueueRemeasurement } from '../../days/balance/jobs.ts';
import { findWorkspace } from '../../organisation/workspaces/workspaces.ts';

type Schemas = components['schemas'];

type NewPublicHoliday = Schemas['PublicHolidayCreation']['data']['attributes'];
type PublicHolidayChange = Schemas['PublicHolidayUpdate']['data']['attributes'];

/** A day of the calendar of a region, or one that the workspace has added. */
export interface PublicHoliday {
  readonly id: string;
  readonly kind: 'calendar' | 'own';
  readonly date: string;
  readonly title: string;
  readonly factor: number;
}

const stored = storedAttributes({
  table: 'public_holidays',
  schemas: ['PublicHolidayCreation', 'PublicHolidayUpdate'],
  handled: ['reset_confirmed_absences'],
});

const ownColumns = ['id', 'workspace_id', ...stored] as const;

const ownRows = (db: Db, { accountId, workspace }: WorkspaceActor) =>
  db
    .selectFrom('public_holidays')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .select(ownColumns);

type OwnRow = Awaited<ReturnType<ReturnType<typeof ownRows>['executeTakeFirstOrThrow']>>;

const publicHolidayEvents = eventsOf<OwnRow>()('public_holiday', stored);

const ownHoliday = ({ id, date, title, factor }: OwnRow): PublicHoliday => ({
  id: String(id),
  kind: 'own',
  date,
  title,
  factor,
});

/** The public holidays of the workspace in the year that the filter names, otherwise in this year. */
export async function listPublicHolidays(db: Db, actor: WorkspaceActor, selection: Selection, now: Date) {
  const { time_zone: timeZone, locale } = actor.workspace;
  const year = yearIn(selection.filter) ?? Number(localDay(now, timeZone).slice(0, 4));
  const { holiday_region: region } = await findWorkspace(db, actor);
  const calendar = (await calendarHolidays(region, year, locale)).map((day): PublicHoliday => ({
    ...day,
    id: `${region}-${day.date}`,
    kind: 'calendar',
  }));
  const own = await ownRows(db, actor)
    .where('date', '>=', `${year}-01-01`)
    .where('date', '<=', `${year}-12-31`)
    .execute();
  return listComputed(
    db,
    {
      rows: [...calendar, ...own.map(ownHoliday)],
      kinds: { id: 'text', kind: 'text', date: 'day', title: 'text', factor: 'number' },
      named: { year: yearFilter },
      timeZone,
      defaultSort: ['date'],
    },
    selection,
  );
}

/** A year with four digits. It chooses the rows, so there is no condition left. */
const yearFilter = namedFilter(
  parser({ allowed: 'a year such as 2026' }, (text) => (/^[1-9]\d{3}$/.test(text) ? Number(text) : undefined)),
  () => sql`true`,
);

const yearIn = ({ year }: Selection['filter']): number | undefined => {
  const [condition] = conditionsIn({ columns: {}, named: { year: yearFilter }, timeZone: 'UTC' }, { year });
  return condition?.matcher === 'named' ? (condition.value as number) : undefined;
};

/** Adds a public holiday to the actor's workspace. */
export async function createPublicHoliday(
  db: OpenTransaction,
  actor: WorkspaceActor,
  input: NewPublicHoliday,
  now: Date,
): Promise<PublicHoliday> {
  refuse(await dateProblems(db, actor, input.date, null));
  const row = await db
    .insertInto('public_holidays')
    .values({
      ...pick(input, stored),
      account_id: actor.accountId,
      workspace_id: actor.workspace.id,
      created_at: now,
      updated_at: now,
    })
    .returning(ownColumns)
    .executeTakeFirstOrThrow();
  publicHolidayEvents.record(db, actor, 'created', { before: null, after: row }, now);
  await remeasure(db, actor, [row.date], input);
  return ownHoliday(row);
}

/** Changes the given attributes. */
export async function updatePublicHoliday(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  change: PublicHolidayChange,
  now: Date,
): Promise<PublicHoliday> {
  const before = await findToChange(db, actor, 'public_holidays', ref, (found) => findOwn(db, actor, found));
  const { id, date } = before;
  authorize(actor, 'update', 'public_holiday', { isOwn: true });
  refuse(await dateProblems(db, actor, change.date, id));
  await db
    .updateTable('public_holidays')
    .set({ ...pick(change, stored), updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', id)
    .execute();
  await remeasure(db, actor, [date, change.date ?? date], change);
  const after = await findOwn(db, actor, id);
  publicHolidayEvents.record(db, actor, 'updated', { before, after }, now);
  return ownHoliday(after);
}

/** Deletes a public holiday and returns it as it was. */
export async function deletePublicHoliday(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  options: RemeasureOptions,
  now: Date,
): Promise<PublicHoliday> {
  const row = await findToChange(db, actor, 'public_holidays', ref, (found) => findOwn(db, actor, found));
  authorize(actor, 'destroy', 'public_holiday', { isOwn: true });
  // Of two deletions at the same time, the second finds nothing.
  const deleted = await db
    .deleteFrom('public_holidays')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', row.id)
    .returning('id')
    .executeTakeFirst();
  if (!deleted) throw notFound('public holiday');
  publicHolidayEvents.record(db, actor, 'deleted', { before: row, after: null }, now);
  await remeasure(db, actor, [row.date], options);
  return ownHoliday(row);
}

interface RemeasureOptions {
  readonly reset_confirmed_absences?: boolean;
}

/** Measures the absences of the users for whom the workspace's holidays count again, from the first of the days on. */
const remeasure = (
  tx: OpenTransaction,
  { accountId, workspace }: WorkspaceActor,
  days: readonly string[],
  { reset_confirmed_absences: resetsConfirmed = false }: RemeasureOptions,
): Promise<void> => enqueueRemeasurement(tx, accountId, workspace.id, { from: earliestOf(days), resetsConfirmed });

/** One public holiday that the actor's workspace has added; 404 otherwise. */
async function findOwn(db: Db, actor: WorkspaceActor, ref: Id): Promise<OwnRow> {
  const id = numericId(ref);
  const row = id === undefined ? undefined : await ownRows(db, actor).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('public holiday');
  return row;
}

const dateProblems = (
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  date: string | undefined,
  exceptId: number | null,
): Promise<Problem[]> =>
  takenProblems(
    db
      .selectFrom('public_holidays')
      .where('account_id', '=', accountId)
      .where('workspace_id', '=', workspace.id)
      .where('id', 'is distinct from', exceptId),
    'date',
    date,
    'public holiday of this workspace',
  );
