import { absenceCalendarHandlers } from '../absence/absence_calendar/v3.ts';
import { publicAbsenceTypeHandlers } from '../absence/absence_types/public.ts';
import { absenceTypeHandlers } from '../absence/absence_types/v3.ts';
import { publicAbsenceHandlers } from '../absence/absences/public.ts';
import { absenceHandlers } from '../absence/absences/v3.ts';
import { payrollHandlers } from '../payroll/accounting_periods/public.ts';
import { accountingPeriodHandlers } from '../payroll/accounting_periods/v3.ts';
import { publicAccountHandlers } from '../organisation/accounts/public.ts';
import { accountHandlers } from '../organisation/accounts/v3.ts';
import { actionHandlers } from '../working_time/punches/v3.ts';
import { apiTokenHandlers } from '../access/api_tokens/v3.ts';
import { wageTypeHandlers } from '../payroll/wage_types/v3.ts';
import { workingAreaHandlers } from '../organisation/areas/public.ts';
import { areaHandlers } from '../organisation/areas/v3.ts';
import { assignmentHandlers } from '../planning/assignments/public.ts';
import { authHandlers } from '../access/auth/v3.ts';
import { batchActionHandlers } from '../working_time/time_trackings/batch/v3.ts';
import { breakHandlers } from '../working_time/breaks/v3.ts';
import { calendarFeedHandlers } from '../integration/calendar_feeds/v3.ts';
import { currentUserHandlers } from '../organisation/current_user/v3.ts';
import { dataProfileHandlers } from '../organisation/data_profiles/v3.ts';
import { userDataProfileHandlers } from '../organisation/user_data_profiles/v3.ts';
import { deletedRecordHandlers } from '../lifecycle/deleted_records/v3.ts';
import { evaluationHandlers } from '../time_account/evaluations/public.ts';
import type { ChangeFeed } from '../integration/events/feed/feed.ts';
import { publicChangeHandlers } from '../integration/events/public.ts';
import { eventHandlers } from '../integration/events/v3.ts';
import { exportHandlers } from '../payroll/exports/v3.ts';
import { featureHandlers } from '../organisation/features/v3.ts';
import { suggestedFollowerHandlers } from '../working_time/time_trackings/followers/v3.ts';
import { invitationHandlers } from '../access/invitations/v3.ts';
import { sessionHandlers } from '../access/sessions/v3.ts';
import { ledgerHandlers } from '../time_account/ledger/v3.ts';
import { notificationHandlers } from '../integration/notifications/v3.ts';
import { personalDataHandlers } from '../lifecycle/personal_data/v3.ts';
import { pingHandlers } from './public.ts';
import { preferenceHandlers } from '../organisation/preferences/v3.ts';
import { publicHolidayHandlers } from '../time_account/public_holidays/v3.ts';
import { restorationHandlers } from '../lifecycle/restorations/v3.ts';
import { searchHandlers } from '../integration/searches/v3.ts';
import { publicShiftHandlers } from '../planning/shifts/public.ts';
import { shiftHandlers } from '../planning/shifts/v3.ts';
import { statusHandlers } from './v3.ts';
import { taggingHandlers } from '../working_time/taggings/v3.ts';
import { filterHandlers } from '../organisation/tags/public.ts';
import { tagHandlers } from '../organisation/tags/v3.ts';
import { targetHourHandlers } from '../time_account/target_hours/v3.ts';
import { publicTargetHourHandlers } from '../time_account/target_hours/public.ts';
import { timeAccountEntryHandlers } from '../time_account/time_account_entries/v3.ts';
import { timeTrackingHandlers } from '../working_time/time_trackings/v3.ts';
import { uploadHandlers } from '../integration/uploads/public.ts';
import { publicUserHandlers } from '../organisation/users/public.ts';
import { userHandlers } from '../organisation/users/v3.ts';
import { vacationEntitlementHandlers } from '../absence/vacation_entitlements/public.ts';
import { userVacationEntitlementHandlers } from '../absence/vacation_entitlements/v3.ts';
import { publicActionHandlers } from '../working_time/punches/public.ts';
import { workingSessionHandlers } from '../working_time/working_sessions/public.ts';
import { workingTimeViolationHandlers } from '../working_time/working_time_violations/v3.ts';
import { webhookHandlers } from '../integration/webhooks/v3.ts';
import { locationHandlers } from '../organisation/workspaces/public.ts';
import { workspaceHandlers } from '../organisation/workspaces/v3.ts';
import type { Credentials } from '../access/auth/credentials.ts';
import type { Config } from '../platform/config.ts';
import { publicApi, type PublicHandlers } from '../platform/http/public.ts';
import { v3, type V3Handlers } from '../platform/http/v3.ts';
import { userSummaryHandlers } from '../time_account/user_summaries/v3.ts';

/** Every operation of the resource API. The compiler refuses a missing one, and one that the contract lacks. */
export const v3Handlers = (config: Config, feed: ChangeFeed, credentials: Credentials): V3Handlers =>
  v3.complete({
    ...statusHandlers,
    ...authHandlers(config),
    ...accountHandlers,
    ...sessionHandlers(config),
    ...apiTokenHandlers,
    ...webhookHandlers(config),
    ...personalDataHandlers,
    ...dataProfileHandlers,
    ...userDataProfileHandlers,
    ...workspaceHandlers,
    ...areaHandlers,
    ...tagHandlers,
    ...taggingHandlers,
    ...actionHandlers,
    ...userHandlers(config),
    ...currentUserHandlers,
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
    ...eventHandlers(feed, credentials),
    ...publicHolidayHandlers,
    ...shiftHandlers,
    ...deletedRecordHandlers(config),
    ...restorationHandlers,
    ...userSummaryHandlers,
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
export const publicHandlers = (config: Config, feed: ChangeFeed, credentials: Credentials): PublicHandlers =>
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
    ...publicUserHandlers(config),
    ...uploadHandlers,
    ...vacationEntitlementHandlers,
    ...publicTargetHourHandlers,
    ...evaluationHandlers,
    ...payrollHandlers,
    ...publicAbsenceHandlers,
    ...publicChangeHandlers(feed, credentials),
  });
