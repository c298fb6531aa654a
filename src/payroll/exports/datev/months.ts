import { sql, type RawBuilder } from 'kysely';
import { isMonth, type DateRange } from '../../../days/calendar/dates.ts';
import { invalid, refuse, type Problem } from '../../../platform/core/errors.ts';
import { authorize, type WorkspaceActor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import type { ClosedDay } from '../../../days/balance/period_sums.ts';
import type { ClosedSums } from '../../../days/balance/closed_months.ts';
import { allWageTypes, type WageTypeRow } from '../../wage_types/wage_types.ts';
import { characterProblems } from './characters.ts';

/* What a DATEV file is made of: one closed month, from the figures that were stored when it was closed. */

export interface ClosedMonth {
  readonly username: string;
  readonly staffNumber: string;
  readonly costCentre: string;
  readonly sums: ClosedSums;
  readonly days: readonly ClosedDay[];
}

export interface DatevMonth {
  readonly consultantNumber: number;
  readonly clientNumber: number;
  readonly range: DateRange;
  readonly wageTypes: readonly WageTypeRow[];
  readonly months: readonly ClosedMonth[];
}

/** The users that a file covers. Without ids, all whose month is closed. */
export interface DatevAsked {
  readonly range: DateRange;
  readonly userIds?: readonly number[] | undefined;
}

/** Refuses what a DATEV file could not hold, without reading its figures; 400 with all that is missing. Workspace admins only. */
export const requireDatevMonth = async (db: Db, actor: WorkspaceActor, asked: DatevAsked): Promise<void> =>
  void (await checked<Covered>(db, actor, asked, sql``));

/** Everything that a DATEV file needs; 400 with all that is missing. Workspace admins only. */
export async function datevMonth(db: Db, actor: WorkspaceActor, asked: DatevAsked): Promise<DatevMonth> {
  const { numbers, wageTypes, months } = await checked<StoredMonth>(db, actor, asked, sql`, period.sums, period.days`);
  return {
    consultantNumber: numbers.datev_consultant_number!,
    clientNumber: numbers.datev_client_number!,
    range: asked.range,
    wageTypes,
    months: months.map((month) => ({ ...month, staffNumber: month.staffNumber! })),
  };
}

/** A user whose month is closed. */
interface Covered {
  readonly userId: number;
  readonly username: string;
  readonly staffNumber: string | null;
  readonly costCentre: string;
}

type StoredMonth = Covered & Pick<ClosedMonth, 'sums' | 'days'>;

/** The parts of a file, once no problem is left. `figures` are further columns of the closed months. */
async function checked<Row extends Covered>(
  db: Db,
  actor: WorkspaceActor,
  { range, userIds }: DatevAsked,
  figures: RawBuilder<unknown>,
) {
  authorize(actor, 'export_for_payroll', 'workspace', actor.workspace);
  if (!isMonth(range))
    throw invalid(
      'out_of_range',
      'from',
      `from and to must be the first and the last day of one month, but were ${range.from} and ${range.to}.`,
    );
  const numbers = await db
    .selectFrom('workspaces')
    .select(['datev_consultant_number', 'datev_client_number'])
    .where('account_id', '=', actor.accountId)
    .where('id', '=', actor.workspace.id)
    .executeTakeFirstOrThrow();
  const wageTypes = await allWageTypes(db, actor);
  const months = await closedMonths<Row>(db, actor, { range, userIds }, figures);
  refuse([
    ...(Object.entries(numbers) as [string, number | null][])
      .filter(([, value]) => value === null)
      .map(([name]): Problem => ({
        code: 'setup_incomplete',
        pointer: name,
        title: `${name} of the workspace is not set, and DATEV needs it.`,
      })),
    ...(wageTypes.length > 0 ? [] : [noWageTypes]),
    ...openProblems(range, months, userIds),
    ...staffNumberProblems(months),
    ...months.flatMap(costCentreProblems),
    ...wageTypes.flatMap(({ title, absence_key }) =>
      characterProblems('absence_key', `the wage type "${title}"`, absence_key ?? ''),
    ),
  ]);
  return { numbers, wageTypes, months };
}

async function closedMonths<Row extends Covered>(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  { range: { from }, userIds }: DatevAsked,
  figures: RawBuilder<unknown>,
): Promise<Row[]> {
  const wanted = userIds === undefined ? sql`true` : sql`period.user_id = any(${userIds}::bigint[])`;
  const { rows } = await sql<Row>`
    select period.user_id as "userId", "user".username, "user".staff_number as "staffNumber",
      coalesce((
        select field_value.value from custom_field_values field_value
        join custom_fields field on field.account_id = ${accountId} and field.id = field_value.custom_field_id
        where field_value.account_id = ${accountId} and field_value.user_id = period.user_id and field.key = 'cost_center'
        order by field.data_profile_id limit 1), '') as "costCentre" ${figures}
    from accounting_periods period
    join users "user" on "user".account_id = ${accountId} and "user".id = period.user_id
    where period.account_id = ${accountId} and period.month = ${from}::date and period.reopened_at is null and ${wanted}
      and (period.workspace_id = ${workspace.id} or exists (
        select from memberships member
        where member.account_id = ${accountId} and member.workspace_id = ${workspace.id} and member.user_id = period.user_id))
    order by "user".staff_number, period.user_id`.execute(db);
  return rows;
}

function openProblems(
  { from }: DateRange,
  months: readonly Covered[],
  userIds: readonly number[] | undefined,
): Problem[] {
  const month = from.slice(0, 7);
  const closed = new Set(months.map(({ userId }) => userId));
  const open = (userIds ?? []).filter((id) => !closed.has(id));
  if (open.length > 0)
    return [
      {
        code: 'wrong_state',
        pointer: 'user_ids',
        title: `user_ids names ${open.join(', ')}, whose month ${month} is not closed.`,
      },
    ];
  return months.length > 0
    ? []
    : [
        {
          code: 'wrong_state',
          pointer: 'from',
          title: `The month ${month} is closed for nobody. Close it with createAccountingPeriods first.`,
        },
      ];
}

const noWageTypes: Problem = {
  code: 'setup_incomplete',
  pointer: 'base',
  title: 'The workspace has no wage types. Create them with createWageType.',
};

/** Payroll knows employees by their staff numbers alone. */
function staffNumberProblems(months: readonly Covered[]): Problem[] {
  const without = months.filter(({ staffNumber }) => !/^\d{1,5}$/.test(staffNumber ?? ''));
  if (without.length === 0) return [];
  const names = without.map(({ username, staffNumber }) => `${username} (${staffNumber ?? 'none'})`).join(', ');
  return [
    {
      code: 'setup_incomplete',
      pointer: 'staff_number',
      title: `DATEV needs a staff_number of at most 5 digits, which these users lack: ${names}.`,
    },
  ];
}

const costCentreProblems = ({ username, costCentre }: Covered): Problem[] => [
  ...(/[;\r\n]/.test(costCentre)
    ? [{ code: 'setup_incomplete' as const, pointer: 'cost_center', title: `cost_center of ${username} must have no semicolon and no line break, but is "${costCentre}".` }] // prettier-ignore
    : []),
  ...characterProblems('cost_center', username, costCentre),
];
