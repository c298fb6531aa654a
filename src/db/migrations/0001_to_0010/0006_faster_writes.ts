import { sql, type Kysely } from 'kysely';

/*
 * What a batch is to do lies with the batch itself, in one value, in place of a row for each item; the rows that remain are
 * those of items that failed. A batch is finished once all of them were tried: a process of an earlier release, which still
 * looks for rows and finds none, may not say so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table batches add column item_type text not null default 'time_tracking', add column item_ids bigint[] not null default '{}';
    -- Done ones are forgotten, but each has its place.
    update batches set
      item_type = coalesce((
        select min(item.item_type) from batch_items item where item.account_id = batches.account_id and item.batch_id = batches.id), item_type),
      item_ids = array(
        select coalesce(item.item_id, 0) from generate_series(0, total - 1) place (position)
        left join batch_items item on item.account_id = batches.account_id and item.batch_id = batches.id and item.position = place.position
        order by place.position)
    where state in ('queued', 'running');
    delete from batch_items where failure is null;
    alter table batch_items alter column failure set not null;
    alter table batches add constraint batches_finished check (state <> 'finished' or done + failed = total) not valid;

    -- What lasts longer than a day, by whose work it is: few, and all that judging somebody's work has to look for far back.
    create index time_trackings_long_by_user on time_trackings (account_id, workspace_id, user_id, starts_at) where gross_s > 86400;
  `.execute(db);
}
