import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { components } from '../../../generated/v3.ts';
import { pick } from '../../platform/core/pick.ts';

/* The settings of a workspace that decide which work violates a working-time rule. Each is a column and an attribute. */

type WorkspaceChange = components['schemas']['WorkspaceUpdate']['data']['attributes'];

/** A change of one of them has the work of the account judged again. */
export const ruleSettings = [
  'working_time_rules',
  'minimum_rest_hours',
] as const satisfies readonly (keyof WorkspaceChange & keyof DB['workspaces'])[];

type Name = (typeof ruleSettings)[number];

export type RuleSettings = Readonly<Required<Pick<WorkspaceChange, Name>>>;

/** The settings in a row of a workspace. */
export const ruleSettingsIn = (row: Pick<Selectable<DB['workspaces']>, Name>): RuleSettings =>
  pick(row, ruleSettings) as RuleSettings;

/** The settings of `workspace`, a table of the statement, as one JSON value. */
export const ruleSettingsValue: RawBuilder<RuleSettings> = sql`json_build_object(${sql.join(
  ruleSettings.flatMap((name) => [sql.lit(name), sql.ref(`workspace.${name}`)]),
)})`;
