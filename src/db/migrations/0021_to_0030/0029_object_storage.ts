import { sql, type Kysely } from 'kysely';

/*
 * The content of a file is in the database, or in an object store under the key in its record. Objects that lose their record
 * are noted in the same transaction, and housekeeping removes them from the store.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table files
      -- Null where the content is in file_pieces.
      add column object_key text,
      -- False while the content of a file is still being written.
      add column is_complete boolean not null default true;
    create index files_object_key on files (object_key) where object_key is not null;

    create table removed_objects (
      account_id bigint not null,
      object_key text not null,
      removed_at timestamptz not null default now(),
      primary key (account_id, object_key)
    );
    alter table removed_objects enable row level security;
    create policy tenant on removed_objects using (account_id = nullif(current_setting('app.account', true), '')::bigint);

    create function note_objects_of_deleted_files() returns trigger language plpgsql as $$
    begin
      insert into removed_objects (account_id, object_key)
        select account_id, object_key from removed where object_key is not null on conflict do nothing;
      return null;
    end
    $$;
    create trigger note_objects_of_deleted_files after delete on files
      referencing old table as removed for each statement execute function note_objects_of_deleted_files();

    create function note_object_of_moved_file() returns trigger language plpgsql as $$
    begin
      insert into removed_objects (account_id, object_key) values (old.account_id, old.object_key) on conflict do nothing;
      return null;
    end
    $$;
    create trigger note_object_of_moved_file after update of object_key on files
      for each row when (old.object_key is not null and old.object_key is distinct from new.object_key)
      execute function note_object_of_moved_file();

    -- An export that is being made has a file without a size.
    update files set is_complete = false from exports
    where exports.account_id = files.account_id and exports.file_id = files.id and exports.status = 'pending';
  `.execute(db);
}
