import { sql, type Kysely } from 'kysely';

/*
 * What the public API has of working sessions and locations beyond the resource API: a break without times beside those that
 * have them, and whether a workspace is in use. The seconds of breaks are computed by the database, so their column is made
 * anew, and the index that holds it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table workspaces add column active boolean not null default true;

    alter table time_trackings
      -- A break without times that is added to all others, in minutes.
      add column manual_pause_min integer check (manual_pause_min >= 0),
      -- Cannot be guessed.
      add column secure_id uuid not null default gen_random_uuid(),
      drop column break_s;
    alter table time_trackings add column break_s bigint generated always as (
      case when force_custom_break_duration and custom_break_s is not null then custom_break_s else coalesce(breaks_s, 0) end
      + coalesce(manual_pause_min, 0) * 60) stored;
    create index time_trackings_by_start on time_trackings (account_id, workspace_id, starts_at, id) include (ends_at, gross_s, break_s, confirmed);
  `.execute(db);
}
