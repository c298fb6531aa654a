import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';

const tagRows = (db: Db, accountId: number) =>
  db
    .selectFrom('tags')
    .where('tags.account_id', '=', accountId)
    .selectAll('tags')
    .select(
      sql<number[]>`array(
        select tagging.user_id from user_tags tagging
        where tagging.account_id = ${accountId} and tagging.tag_id = tags.id
        order by tagging.user_id)`.as('user_ids'),
    );

export type TagRow = Awaited<ReturnType<ReturnType<typeof tagRows>['executeTakeFirstOrThrow']>>;

export const tagsByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<TagRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : tagRows(db, accountId)
        .where('tags.id', 'in', [...new Set(ids)])
        .orderBy('tags.id')
        .execute();
