import { sql } from 'kysely';
import type { Names } from '../../platform/core/names.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { day } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import type { ClosedSums } from '../../days/balance/closed_months.ts';
import { findUser } from '../../organisation/users/users.ts';

const payrollRows = (db: Db, accountId: number) =>
  db
    .selectFrom('accounting_periods')
    .where('accounting_periods.account_id', '=', accountId)
    .select([
      'accounting_periods.id',
      'accounting_periods.user_id',
      sql<string>`accounting_periods.next_date - 1`.as('day'),
      'accounting_periods.salary',
      sql<ClosedSums>`accounting_periods.sums`.as('sums'),
      'accounting_periods.closed_at',
    ]);

export type PayrollRow = Awaited<ReturnType<ReturnType<typeof payrollRows>['executeTakeFirstOrThrow']>>;

/** The closed months of a user, by month. */
export async function listPayrolls(db: Db, actor: Actor, names: Names, selection: Selection) {
  const { accountId } = actor;
  const user = await findUser(db, actor, names);
  const visible = db
    .selectFrom('accounting_periods')
    .where('accounting_periods.account_id', '=', accountId)
    .where('accounting_periods.user_id', '=', user.id)
    .where('accounting_periods.reopened_at', 'is', null);
  return list(
    db,
    {
      visible,
      rows: payrollRows(db, accountId),
      id: 'accounting_periods.id',
      columns: { month: day('accounting_periods.month') },
      timeZone: 'UTC',
      defaultSort: ['month'],
    },
    selection,
  );
}
