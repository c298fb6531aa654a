import type { LocalDate } from '../../days/calendar/dates.ts';
import type { Holidays } from '../../days/calendar/holidays.ts';
import type { RuleSettings } from '../../organisation/workspaces/rule_settings.ts';
import { sumOfSeconds, type Part, type RecordedWork } from './working_days.ts';
import type { Limit, Rule } from './rules.ts';

/** The facts about a user that the rules ask for. */
export interface JudgedUser {
  readonly zone: string;
  readonly birthday: LocalDate | null;
  readonly startOfAccounting: LocalDate;
  readonly holidays: Holidays;
  /** The days on which the user is absent for the whole day, confirmed. */
  readonly absentOn: ReadonlySet<LocalDate>;
  readonly settingsOf: (workspaceId: number) => RuleSettings;
}

/** Work of a user that a rule does not allow. There is at most one for each rule and date. */
export interface Violation {
  readonly rule: Rule;
  readonly paragraph: string | null;
  /** The working day; the Monday for a rule about weeks. */
  readonly date: LocalDate;
  /** The time tracking that completes it, and its workspace. */
  readonly timeTrackingId: number;
  readonly workspaceId: number;
  readonly limitSeconds: number;
  readonly valueSeconds: number;
  /** The part of the work that was done in other workspaces. */
  readonly elsewhereSeconds: number;
}

export function violation(
  rule: Rule,
  date: LocalDate,
  { seconds, paragraph }: Limit,
  { by, value, parts = [] }: { by: RecordedWork; value: number; parts?: readonly Part[] },
): Violation {
  return {
    rule,
    paragraph,
    date,
    timeTrackingId: by.id,
    workspaceId: by.workspaceId,
    limitSeconds: seconds,
    valueSeconds: value,
    elsewhereSeconds: sumOfSeconds(parts.filter(({ work }) => work.workspaceId !== by.workspaceId)),
  };
}

/** The time tracking with which the work of some parts exceeds a limit. */
export function completing(parts: readonly Part[], limitSeconds: number): RecordedWork {
  let sum = 0;
  return parts.find(({ seconds }) => (sum += seconds) > limitSeconds)!.work;
}
