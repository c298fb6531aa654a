import type { LocalDate } from '../calendar/dates.ts';
import type { Holidays } from '../calendar/holidays.ts';
import { sumOfSeconds, type Part, type RecordedWork } from './working_days.ts';
import type { Limit, Rule } from './rules.ts';

/** What the rules need to know about a user. */
export interface JudgedUser {
  readonly zone: string;
  readonly birthday: LocalDate | null;
  readonly startOfAccounting: LocalDate;
  readonly holidays: Holidays;
  /** The days on which the user is absent for the whole day, confirmed. */
  readonly absentOn: ReadonlySet<LocalDate>;
  readonly settingsOf: (workspaceId: number) => RuleSettings;
}

/** The settings of a workspace. */
export interface RuleSettings {
  /** The rules that warn. */
  readonly rules: readonly Rule[];
  readonly minimumRestHours: number;
}

/** What a user did that a rule does not allow. There is at most one for each rule and date. */
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
