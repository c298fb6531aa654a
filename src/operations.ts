import { absenceCalendarHandlers } from './absence_calendar/v3.ts';
import { publicAbsenceTypeHandlers } from './absence_types/public.ts';
import { absenceTypeHandlers } from './absence_types/v3.ts';
import { publicAbsenceHandlers } from './absences/public.ts';
import { absenceHandlers } from './absences/v3.ts';
import { payrollHandlers } from './accounting_periods/public.ts';
import { accountingPeriodHandlers } from './accounting_periods/v3.ts';
import { publicAccountHandlers } from './accounts/public.ts';
import { accountHandlers } from './accounts/v3.ts';
import { actionHandlers } from './actions/v3.ts';
import { apiTokenHandlers } from './api_tokens/v3.ts';
import { wageTypeHandlers } from './wage_types/v3.ts';
import { workingAreaHandlers } from './areas/public.ts';
import { areaHandlers } from './areas/v3.ts';
import { assumedRoleHandlers } from './assumed_roles/v3.ts';
import { assignmentHandlers } from './assignments/public.ts';
import { authHandlers } from './auth/v3.ts';
import { batchActionHandlers } from './batch_actions/v3.ts';
import { breakHandlers } from './breaks/v3.ts';
import { calendarFeedHandlers } from './calendar_feeds/v3.ts';
import { currentUserHandlers } from './current_user/v3.ts';
import { dataProfileHandlers } from './data_profiles/v3.ts';
import { userDataProfileHandlers } from './user_data_profiles/v3.ts';
import { deletedRecordHandlers } from './deleted_records/v3.ts';
import { evaluationHandlers } from './evaluations/public.ts';
import type { ChangeFeed } from './events/feed/feed.ts';
import { publicChangeHandlers } from './events/public.ts';
import { eventHandlers } from './events/v3.ts';
import { exportHandlers } from './exports/v3.ts';
import { featureHandlers } from './features/v3.ts';
import { suggestedFollowerHandlers } from './followers/v3.ts';
import { holidayRegionHandlers } from './holiday_regions/v3.ts';
import { industryExampleHandlers } from './industry_examples/v3.ts';
import { invitationHandlers } from './invitations/v3.ts';
import { ledgerHandlers } from './ledger/v3.ts';
import { notificationHandlers } from './notifications/v3.ts';
import { personalDataHandlers } from './personal_data/v3.ts';
import { pingHandlers } from './ping/public.ts';
import { preferenceHandlers } from './preferences/v3.ts';
import { publicHolidayHandlers } from './public_holidays/v3.ts';
import { restorationHandlers } from './restorations/v3.ts';
import { roleHandlers } from './roles/v3.ts';
import { searchHandlers } from './searches/v3.ts';
import { publicShiftHandlers } from './shifts/public.ts';
import { shiftHandlers } from './shifts/v3.ts';
import { statusHandlers } from './status/v3.ts';
import { summaryHandlers } from './summaries/v3.ts';
import { taggingHandlers } from './taggings/v3.ts';
import { filterHandlers } from './tags/public.ts';
import { tagHandlers } from './tags/v3.ts';
import { targetHourHandlers } from './target_hours/v3.ts';
import { publicTargetHourHandlers } from './target_hours/public.ts';
import { timeAccountEntryHandlers } from './time_account_entries/v3.ts';
import { timeTrackingHandlers } from './time_trackings/v3.ts';
import { uploadHandlers } from './uploads/public.ts';
import { publicUserHandlers } from './users/public.ts';
import { userHandlers } from './users/v3.ts';
import { vacationEntitlementHandlers } from './vacation_entitlements/public.ts';
import { userVacationEntitlementHandlers } from './vacation_entitlements/v3.ts';
import { publicActionHandlers } from './actions/public.ts';
import { workingSessionHandlers } from './working_sessions/public.ts';
import { workingTimeViolationHandlers } from './working_time_violations/v3.ts';
import { webhookHandlers } from './webhooks/v3.ts';
import { locationHandlers } from './workspaces/public.ts';
import { workspaceHandlers } from './workspaces/v3.ts';
import type { Credentials } from './auth/credentials.ts';
import type { Config } from './config.ts';
import { publicApi, type PublicHandlers } from './http/public.ts';
import { v3, type V3Handlers } from './http/v3.ts';
import { userSummaryHandlers } from './user_summaries/v3.ts';

/** Every operation of the resource API. The compiler refuses a missing one, and one that the contract lacks. */
export const v3Handlers = (config: Config, feed: ChangeFeed, credentials: Credentials): V3Handlers =>
  v3.complete({
    ...statusHandlers,
    ...authHandlers(config),
    ...industryExampleHandlers,
    ...accountHandlers,
    ...apiTokenHandlers,
    ...webhookHandlers(config),
    ...personalDataHandlers,
    ...dataProfileHandlers,
    ...userDataProfileHandlers,
    ...workspaceHandlers,
    ...roleHandlers,
    ...areaHandlers,
    ...tagHandlers,
    ...taggingHandlers,
    ...actionHandlers,
    ...userHandlers,
    ...currentUserHandlers,
    ...assumedRoleHandlers,
    ...invitationHandlers(config),
    ...preferenceHandlers,
    ...calendarFeedHandlers,
    ...absenceCalendarHandlers,
    ...suggestedFollowerHandlers,
    ...targetHourHandlers,
    ...userVacationEntitlementHandlers,
    ...timeAccountEntryHandlers,
    ...ledgerHandlers,
    ...accountingPeriodHandlers,
    ...holidayRegionHandlers,
    ...eventHandlers(feed, credentials),
    ...publicHolidayHandlers,
    ...shiftHandlers,
    ...deletedRecordHandlers(config),
    ...restorationHandlers,
    ...userSummaryHandlers,
    ...summaryHandlers,
    ...searchHandlers,
    ...exportHandlers,
    ...wageTypeHandlers,
    ...featureHandlers,
    ...timeTrackingHandlers,
    ...workingTimeViolationHandlers,
    ...breakHandlers,
    ...absenceHandlers,
    ...absenceTypeHandlers,
    ...notificationHandlers,
    ...batchActionHandlers,
  });

/** Every operation of the public API. */
export const publicHandlers = (feed: ChangeFeed, credentials: Credentials): PublicHandlers =>
  publicApi.complete({
    ...pingHandlers,
    ...locationHandlers,
    ...workingSessionHandlers,
    ...publicActionHandlers,
    ...filterHandlers,
    ...publicShiftHandlers,
    ...assignmentHandlers,
    ...publicAccountHandlers,
    ...publicAbsenceTypeHandlers,
    ...workingAreaHandlers,
    ...publicUserHandlers,
    ...uploadHandlers,
    ...vacationEntitlementHandlers,
    ...publicTargetHourHandlers,
    ...evaluationHandlers,
    ...payrollHandlers,
    ...publicAbsenceHandlers,
    ...publicChangeHandlers(feed, credentials),
  });
