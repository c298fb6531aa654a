import * as fields from '../../../generated/fields.ts';
import { daysShown } from '../../days/calendar/amounts.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { rankOf } from '../../platform/core/ranks.ts';
import { utcForm } from '../../platform/core/time.ts';
import { many, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { Generated } from './generate.ts';
import type { VacationOnDay } from './summary.ts';
import type { EntitlementOf } from './vacation_entitlements.ts';

const vacationEntitlement = resource('vacation_entitlement', fields.VacationEntitlement);

export const presentEntitlement = ({ row, user }: EntitlementOf, { actor, queryOptions }: PresentContext) =>
  vacationEntitlement(
    {
      id: row.id,
      permissions: permissionsOf(
        actor,
        'vacation_entitlement',
        { user_id: user.id, user_rank: rankOf(user), area_ids: user.area_ids },
        queryOptions.permissions,
      ),
      title: row.title,
      starts_at: row.starts_at,
      ends_at: row.ends_at,
      planned_days: row.planned_days,
      spent_days: row.spent_days,
      transferred_days: row.transferred_days,
      remaining_days: row.remaining_days,
      expires: row.expires,
      transfer_remaining: row.transfer_remaining,
      end_of_transfer_period: row.end_of_transfer_period,
      status: row.status,
      created_at: utcForm(row.created_at),
      updated_at: utcForm(row.updated_at),
    },
    { user: one('user_overview', user.id) },
  );

const vacationSummary = resource('vacation_summary', fields.VacationSummary);

export const presentVacationSummary = ({ userId, date, summary }: VacationOnDay) =>
  vacationSummary({
    id: userId,
    date,
    planned_vacation_days_this_year: daysShown(summary.planned),
    remaining_vacation_days_this_year: daysShown(summary.remaining),
    transferred_days: daysShown(summary.transferred),
    lapsed_days: daysShown(summary.lapsed),
    taken_days: daysShown(summary.taken),
    booked_days: daysShown(summary.booked),
    requested_days: daysShown(summary.requested),
    uncovered_days: daysShown(summary.uncovered),
  });

const generatedEntitlement = resource('generated_vacation_entitlement', fields.GeneratedVacationEntitlement);

export const presentGenerated = (generated: Generated) =>
  generatedEntitlement(
    {
      id: generated.userId,
      username: generated.username,
      outcome: generated.outcome,
      earned_days: generated.earned.days,
      months: generated.earned.months,
      working_days_per_week: generated.earned.workingDaysPerWeek,
    },
    {
      user: one('user_overview', generated.userId),
      vacation_entitlements: many('vacation_entitlement', generated.entitlementIds),
    },
  );
