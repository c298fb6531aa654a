import { sql, type Kysely } from 'kysely';

/*
 * Custom fields get a type, and data profiles the least rank that sees them. The type of a field follows from its kind, so that
 * fields of the previous release have one too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table data_profiles add column least_rank smallint not null default 1 check (least_rank between 1 and 4);

    alter table custom_fields
      add check (kind in ('text', 'float', 'boolean', 'date', 'time', 'country_select')),
      add column data_type text not null generated always as (case kind when 'text' then 'string' else kind end) stored,
      drop constraint custom_fields_account_id_data_profile_id_fkey,
      add foreign key (account_id, data_profile_id) references data_profiles on delete cascade;
    alter table custom_fields rename constraint custom_fields_account_id_data_profile_id_key_key to custom_fields_key;

    alter table custom_field_values
      drop constraint custom_field_values_account_id_custom_field_id_fkey,
      add foreign key (account_id, custom_field_id) references custom_fields on delete cascade;
    create index custom_field_values_by_field on custom_field_values (account_id, custom_field_id);

    -- Time accounts read two fields of the default data profile. The others leave the kept months alone.
    create function is_field_of_time_account(key text) returns boolean language sql immutable as $$
      select key in ('start_of_work', 'end_of_contract')
    $$;
    create function forget_months_of_field() returns trigger language plpgsql as $$
    begin
      if is_field_of_time_account(old.key) or is_field_of_time_account(new.key) then
        perform forget_months_of_account(coalesce(new.account_id, old.account_id));
      end if;
      return null;
    end
    $$;
    create function forget_months_of_field_value() returns trigger language plpgsql as $$
    begin
      if exists (
        select from custom_fields field
        where field.account_id = coalesce(new.account_id, old.account_id)
          and field.id = coalesce(new.custom_field_id, old.custom_field_id) and is_field_of_time_account(field.key)
      ) then
        perform forget_months(coalesce(new.account_id, old.account_id), coalesce(new.user_id, old.user_id), '-infinity');
      end if;
      return null;
    end
    $$;
    -- The default data profile is the oldest one, so a new one changes nothing. It cannot be deleted.
    drop trigger forget_months on data_profiles;
    drop trigger forget_months on custom_fields;
    create trigger forget_months after insert or update of key, data_profile_id or delete on custom_fields
      for each row execute function forget_months_of_field();
    drop trigger forget_months on custom_field_values;
    create trigger forget_months after insert or update or delete on custom_field_values
      for each row execute function forget_months_of_field_value();
  `.execute(db);
}
