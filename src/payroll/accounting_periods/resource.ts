import * as fields from '../../../generated/fields.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { localTime, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import { figuresOf } from '../../time_account/user_summaries/resource.ts';
import type { AccountingPeriodRow } from './rows.ts';

const accountingPeriod = resource('accounting_period', fields.AccountingPeriod);

export const presentAccountingPeriod = (row: AccountingPeriodRow, context: PresentContext) =>
  accountingPeriod(
    {
      id: row.id,
      permissions: permissionsOf(context.actor, 'accounting_period', row, context.queryOptions.permissions),
      month: row.month,
      status: row.status,
      username: row.username,
      summary: figuresOf(row.sums),
      closed_at: localTime(row.closed_at, context),
      closed_by: row.closed_by,
      reopened_at: row.reopened_at === null ? null : localTime(row.reopened_at, context),
      reopened_by: row.reopened_by,
      reopening_reason: row.reopening_reason,
    },
    {
      user: one('user', row.user_id),
      closer: one('user', row.closed_by_user_id),
      reopener: one('user', row.reopened_by_user_id),
    },
  );
