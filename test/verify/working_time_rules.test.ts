import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/working_time/working_time_rules/judge.ts';
import { oracle, type Found } from './working_time_rules/oracle.ts';
import { allRules, anyHalfYear, anyWeek, type Scenario } from './working_time_rules/scenarios.ts';
import { progress, repetitions, seed, tally, walkTimeoutMs } from '../support/verification.ts';

/*
 * Compares the working-time rules with an oracle that counts slices of time. Work begins and ends a second before, at and after every
 * limit, in several workspaces, around midnight, clock changes and eighteenth birthdays.
 */

const judged = (scenario: Scenario): Found[] =>
  judge(
    scenario.trackings,
    {
      zone: scenario.zone,
      birthday: scenario.birthday,
      startOfAccounting: scenario.startOfAccounting,
      holidays: new Map(scenario.holidays.map(([date, factor]) => [date, { title: 'Holiday', factor }])),
      absentOn: new Set(scenario.absentOn),
      settingsOf: (workspaceId) => scenario.settings[workspaceId]!,
    },
    { dates: { from: '2000-01-01', to: '2100-01-01' }, averageOf: scenario.mondays, now: scenario.now },
  );

const inOrder = (violations: readonly Found[]): Found[] =>
  violations.toSorted((one, other) => `${one.date}${one.rule}`.localeCompare(`${other.date}${other.rule}`));

function compare(what: string, scenarios: fc.Arbitrary<Scenario>, numRuns: number): Map<string, number> {
  const cases = tally(what);
  const byRule = new Map<string, number>();
  try {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        cases.count();
        const found = oracle(scenario);
        for (const { rule } of found) byRule.set(rule, (byRule.get(rule) ?? 0) + 1);
        expect(inOrder(judged(scenario))).toEqual(inOrder(found));
      }),
      { numRuns, seed, includeErrorInReport: true },
    );
  } catch (error) {
    cases.fail((error as Error).message);
  }
  progress([...byRule].map(([rule, count]) => `${rule} ${count}`).join(', '));
  cases.close();
  return byRule;
}

describe('the working-time rules', () => {
  it(
    'find what the oracle finds, in any week',
    () => {
      const byRule = compare('weeks of work, judged and compared with the oracle', anyWeek, repetitions(400, 20_000));
      expect([...byRule.keys()].sort()).toEqual(allRules.filter((rule) => rule !== 'long_average').sort());
    },
    walkTimeoutMs,
  );

  it(
    'find what the oracle finds about averages, in any half year',
    () => {
      const byRule = compare('half years of work, judged and compared', anyHalfYear, repetitions(30, 1_000));
      expect(byRule.get('long_average')).toBeGreaterThan(0);
    },
    walkTimeoutMs,
  );
});
