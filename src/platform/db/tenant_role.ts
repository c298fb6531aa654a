import { sql, type RawBuilder } from 'kysely';
import type { Db } from './connection.ts';

/*
 * Row-level security applies to a role that connections take on. Roles belong to the whole cluster. The first installation on
 * a cluster uses `punchcard_app`. Another installation, whose database user may not use that role, gets a role that carries
 * the name of its database.
 */

/** The role of the first installation on a cluster. It cannot sign in, except to the workers of a distributed database; connections take it on. */
export const sharedTenantRole = 'punchcard_app';

/** Since PostgreSQL 16, to be a member of a role does not imply that one may take it on. */
const rightToSet = sql`case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end`;

const sharedName = sql.lit(sharedTenantRole);
const ownName = sql`(${sharedName} || '_' || current_database())`;

/** Selects the role that the database user may take on; null if there is none. It has no parameters, so that a block of PL/pgSQL can contain it. */
export const settableTenantRole = (): RawBuilder<string> => sql<string>`
  (select rolname from pg_roles
   where rolname in (${sharedName}::name, ${ownName}::name)
     and pg_has_role(session_user, oid, ${rightToSet})
   order by length(rolname) desc limit 1)`;

/** The role that transactions take on, or undefined where the database user may take on none but their own. */
export async function tenantRoleOf(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ role: string | null }>`
    select nullif(${settableTenantRole()}, session_user) as role`.execute(db);
  return rows[0]!.role ?? undefined;
}

/**
 * Creates the tenant role and grants it what it needs, as far as the database user may. Safe to repeat at every start. Since
 * PostgreSQL 16, who creates a role is a member of it, but may take it on only after a grant.
 */
export async function prepareTenantRole(db: Db): Promise<void> {
  await sql`
    do $$
    declare
      candidate name;
      chosen name;
      option text := case when current_setting('server_version_num')::int >= 160000 then ' with set true' else '' end;
    begin
      perform pg_advisory_xact_lock(hashtext('punchcard.grants'));
      chosen := ${settableTenantRole()};
      if chosen is null then
        foreach candidate in array array[${sharedName}, ${ownName}]::name[] loop
          begin
            if not exists (select from pg_roles where rolname = candidate) then
              execute format('create role %I nologin', candidate);
            end if;
            execute format('grant %I to %I%s', candidate, session_user, option);
            exit;
          exception
            when insufficient_privilege or duplicate_object or unique_violation then null;
          end;
        end loop;
        chosen := ${settableTenantRole()};
      end if;
      if chosen is null then
        return;
      end if;
      if not has_table_privilege(chosen, 'accounts', 'select') then
        execute format('grant usage on schema public to %I', chosen);
        execute format('grant select, insert, update, delete on all tables in schema public to %I', chosen);
        execute format('grant usage on all sequences in schema public to %I', chosen);
        execute format('alter default privileges in schema public grant select, insert, update, delete on tables to %I', chosen);
        execute format('alter default privileges in schema public grant usage on sequences to %I', chosen);
      end if;
      -- A Citus coordinator connects to its workers as the role, and workers draw ids.
      if exists (select from pg_extension where extname = 'citus') then
        if not (select rolcanlogin from pg_roles where rolname = chosen) then
          execute format('alter role %I login', chosen);
        end if;
        perform run_command_on_workers(format('grant usage on all sequences in schema public to %I', chosen));
      end if;
      -- Events are only appended.
      if has_table_privilege(chosen, 'events', 'update, delete') then
        execute format('revoke update, delete on events from %I', chosen);
      end if;
    end
    $$`.execute(db);
}

/** The statement that lets the service take on the role. An administrator of the cluster runs it. */
export const tenantRoleAdvice = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ user: string; role: string; grant: string }>`
    select current_user as user, (${sharedTenantRole} || '_' || current_database())::name as role,
      case when current_setting('server_version_num')::int >= 160000 then ' with set true' else '' end as grant`.execute(
    db,
  );
  const { user, role, grant } = rows[0]!;
  return `An administrator of the cluster can run: create role "${role}" nologin; grant "${role}" to "${user}"${grant};`;
};
