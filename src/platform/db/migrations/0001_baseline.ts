import { sql, type Kysely } from 'kysely';
import { absence } from './0001_baseline/absence.ts';
import { access } from './0001_baseline/access.ts';
import { guards } from './0001_baseline/guards.ts';
import { integration } from './0001_baseline/integration.ts';
import { lifecycle } from './0001_baseline/lifecycle.ts';
import { organisation } from './0001_baseline/organisation.ts';
import { payroll } from './0001_baseline/payroll.ts';
import { planning } from './0001_baseline/planning.ts';
import { platform } from './0001_baseline/platform.ts';
import { profiles } from './0001_baseline/profiles.ts';
import { rowLevelSecurity } from './0001_baseline/row_level_security.ts';
import { timeAccount } from './0001_baseline/time_account.ts';
import { timeTrackingTotals } from './0001_baseline/totals.ts';
import { workingTime } from './0001_baseline/working_time.ts';

/*
 * The whole schema, domain by domain. Every table of a tenant has account_id in its primary key, its unique keys and its foreign
 * keys, so that the rows of an account can be found, fenced off and moved together.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const domains = [
    ...[organisation, profiles, workingTime, timeTrackingTotals, absence, timeAccount, payroll, guards],
    ...[planning, lifecycle, integration, access, platform, rowLevelSecurity],
  ];
  for (const domain of domains) await sql.raw(domain).execute(db);
}
