import { absenceMutations } from './topics/absences.ts';
import { accountingPeriodMutations } from './topics/accounting_periods.ts';
import { calendarMutations } from './topics/calendars.ts';
import { changeFeedMutations } from './topics/events/change_feed.ts';
import { dataProfileMutations } from './topics/data_profiles.ts';
import { errorMutations } from './topics/errors.ts';
import { exportMutations } from './topics/exports.ts';
import { invitationMutations } from './topics/invitations.ts';
import { webhookMutations } from './topics/events/webhooks.ts';
import { limitMutations } from './topics/limits.ts';
import { lockMutations } from './topics/locks.ts';
import type { Mutation } from './mutation.ts';
import { organisationEventMutations } from './topics/events/organisation.ts';
import { personalDataMutations } from './topics/personal_data.ts';
import { permissionMutations } from './topics/permissions.ts';
import { protectionMutations } from './topics/protection.ts';
import { recordedWorkMutations } from './topics/events/recorded_work.ts';
import { requestMutations } from './topics/requests.ts';
import { shiftMutations } from './topics/shifts.ts';
import { stateMutations } from './topics/states.ts';
import { tenancyMutations } from './topics/tenancy.ts';
import { timeMutations } from './topics/time.ts';
import { totalMutations } from './topics/totals.ts';
import { vacationMutations } from './topics/vacation.ts';
import { workingSessionMutations } from './topics/working_sessions.ts';

/** A mutation with the topic it belongs to. */
export interface ListedMutation extends Mutation {
  readonly topic: string;
}

const about = (topic: string, mutations: readonly Mutation[]): ListedMutation[] =>
  mutations.map((mutation) => ({ topic, ...mutation }));

/** Every mutation, by topic. */
export const allMutations: readonly ListedMutation[] = [
  ...about('permissions', permissionMutations),
  ...about('tenancy', tenancyMutations),
  ...about('locks', lockMutations),
  ...about('personal data', personalDataMutations),
  ...about('states', stateMutations),
  ...about('totals', totalMutations),
  ...about('time', timeMutations),
  ...about('vacation', vacationMutations),
  ...about('absences', absenceMutations),
  ...about('accounting periods', accountingPeriodMutations),
  ...about('calendars', calendarMutations),
  ...about('data profiles', dataProfileMutations),
  ...about('errors', errorMutations),
  ...about('exports', exportMutations),
  ...about('invitations', invitationMutations),
  ...about('events of the organisation', organisationEventMutations),
  ...about('webhooks', webhookMutations),
  ...about('limits', limitMutations),
  ...about('protection', protectionMutations),
  ...about('recorded work', recordedWorkMutations),
  ...about('requests', requestMutations),
  ...about('shifts', shiftMutations),
  ...about('working sessions', workingSessionMutations),
  ...about('change feed', changeFeedMutations),
];

/** At least this many must be caught. */
export const leastCaught = 62;

/** The source with the mutation in place. Throws where its text does not occur exactly once. */
export function mutated(source: string, { file, find, replace, breaks }: Mutation): string {
  const occurrences = source.split(find).length - 1;
  if (occurrences !== 1)
    throw new Error(
      `The mutation "${breaks}" does not fit any more: its text must occur once in ${file}, and occurs ${occurrences} times. Its text: ${find}`,
    );
  return source.replace(find, () => replace);
}
