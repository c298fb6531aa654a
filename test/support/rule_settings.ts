import type { RuleSettings } from '../../src/organisation/workspaces/rule_settings.ts';

/** The settings of a workspace that turned no rule on. A new setting is added here. */
export const ruleSettings: RuleSettings = { working_time_rules: [], minimum_rest_hours: 11 };
