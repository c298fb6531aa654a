import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computed, found } from './time_account/compared_figures.ts';
import { anyScenario, zones } from './time_account/scenarios.ts';
import { progress, repetitions, seed, tally, walkTimeoutMs } from '../support/verification.ts';

/*
 * Compares the time account with an oracle that counts on a printed calendar and watches the clock. Users have every pattern of
 * weekdays, cycles, holidays, custom hours, joining and leaving dates, around clock changes, leap days and ends of years.
 */

describe('the time account', () => {
  it(
    'is what the oracle finds, for any user in any of the zones',
    () => {
      const cases = tally('users around unusual days, compared with the oracle');
      const byZone = new Map(zones.map((zone) => [zone, 0]));
      try {
        fc.assert(
          fc.property(anyScenario, (scenario) => {
            cases.count();
            byZone.set(scenario.zone, byZone.get(scenario.zone)! + 1);
            expect(computed(scenario)).toEqual(found(scenario));
          }),
          { numRuns: repetitions(300, 100_000), seed, includeErrorInReport: true },
        );
      } catch (error) {
        cases.fail((error as Error).message);
      }
      progress([...byZone].map(([zone, count]) => `${zone} ${count}`).join(', '));
      cases.close();
      expect(Math.min(...byZone.values())).toBeGreaterThan(0);
    },
    walkTimeoutMs,
  );
});
