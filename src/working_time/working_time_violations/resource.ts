import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { hoursOf } from '../../days/calendar/worked_time.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { shownId } from '../../platform/core/ids.ts';
import { localTime, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import { messageOf, titleOf } from '../working_time_rules/messages.ts';
import type { Rule } from '../working_time_rules/rules.ts';
import type { Violation } from '../working_time_rules/violation.ts';
import type { ViolationRow } from './working_time_violations.ts';

type Schemas = components['schemas'];

const violation = resource('working_time_violation', fields.WorkingTimeViolation);
const check = resource('time_tracking_check', fields.TimeTrackingCheck);

type Described = Omit<Violation, 'timeTrackingId' | 'workspaceId'>;

/** The text about a violation, stored or expected. */
const description = (found: Described): Schemas['ExpectedViolation'] => ({
  rule: found.rule,
  paragraph: found.paragraph,
  date: found.date,
  limit: hoursOf(found.limitSeconds),
  value: hoursOf(found.valueSeconds),
  hours_elsewhere: hoursOf(found.elsewhereSeconds),
  title: titleOf(found),
  message: messageOf(found),
});

export const presentViolation = (row: ViolationRow, context: PresentContext) =>
  violation(
    {
      id: row.id,
      permissions: permissionsOf(context.actor, 'working_time_violation', row, context.queryOptions.permissions),
      ...description({
        rule: row.rule as Rule,
        paragraph: row.paragraph,
        date: row.date,
        limitSeconds: row.limit_s,
        valueSeconds: row.value_s,
        elsewhereSeconds: row.elsewhere_s,
      }),
      acknowledged_at: row.acknowledged_at && localTime(row.acknowledged_at, context),
      acknowledgement_reason: row.acknowledgement_reason,
      created_at: localTime(row.created_at, context),
      updated_at: localTime(row.updated_at, context),
    },
    {
      user: one('user', row.user_id),
      time_tracking: one(
        'time_tracking',
        row.time_tracking_id && shownId({ id: row.time_tracking_id, uuid: row.time_tracking_uuid }),
      ),
      acknowledged_by: one('user', row.acknowledged_by_user_id),
    },
  );

/** A check is not stored, so it has the id of its request. */
export const presentCheck = (violations: readonly Violation[], requestId: string) =>
  check({ id: requestId, violations: violations.map(description) });
