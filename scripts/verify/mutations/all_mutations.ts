import { absenceMutations } from './absences.ts';
import { accountingPeriodMutations } from './accounting_periods.ts';
import { limitMutations } from './limits.ts';
import { lockMutations } from './locks.ts';
import type { Mutation } from './mutation.ts';
import { permissionMutations } from './permissions.ts';
import { protectionMutations } from './protection.ts';
import { requestMutations } from './requests.ts';
import { stateMutations } from './states.ts';
import { tenancyMutations } from './tenancy.ts';
import { timeMutations } from './time.ts';
import { totalMutations } from './totals.ts';
import { vacationMutations } from './vacation.ts';

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
  ...about('states', stateMutations),
  ...about('totals', totalMutations),
  ...about('time', timeMutations),
  ...about('vacation', vacationMutations),
  ...about('absences', absenceMutations),
  ...about('accounting periods', accountingPeriodMutations),
  ...about('limits', limitMutations),
  ...about('protection', protectionMutations),
  ...about('requests', requestMutations),
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
