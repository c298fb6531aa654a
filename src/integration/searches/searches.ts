import { sql, type RawBuilder } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { invalid } from '../../platform/core/errors.ts';
import { listedNames } from '../../platform/core/known_names.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { ofNoTable } from '../../platform/db/list/computed_list.ts';
import { number, text, uuid } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';

/*
 * A search reads the names of the account and compares them. An index over parts of names (pg_trgm) would not be used: under
 * row-level security, PostgreSQL looks up nothing by a condition that could reveal rows of others, and "ilike" counts as one.
 */

type Attributes = components['schemas']['Search']['attributes'];
type Resource = Attributes['resource_type'];

export interface SearchRow extends Attributes {
  readonly id: string;
}

/** A UUID of version 8, which follows from the kind and the id. Rows are found and sorted by a number, so that only the shown ones need it. */
const stableUuid: RawBuilder<string> = sql`
  overlay(overlay(md5(search.resource_type || ' ' || search.resource_id) placing '8' from 13) placing '8' from 17)::uuid`;

const columns = {
  id: uuid(stableUuid),
  query: text('search.title'),
  title: text('search.title'),
  position: number('search.position'),
};

/** The names of the records of each kind that every member of the workspace may see. They are found in this order. */
const sourceOf: Readonly<Record<Resource, (actor: WorkspaceActor) => RawBuilder<unknown>>> = {
  User: ({ accountId, workspace }) => sql`
    select users.id, users.username as title from users
    join memberships member
      on member.account_id = ${accountId} and member.workspace_id = ${workspace.id} and member.user_id = users.id
    where users.account_id = ${accountId} and users.deleted_at is null`,
  Area: ({ accountId, workspace }) => sql`
    select areas.id, areas.name from areas
    where areas.account_id = ${accountId} and areas.workspace_id = ${workspace.id} and areas.status = 'active'`,
  Tag: ({ accountId, workspace }) => sql`
    select tags.id, tags.title from tags
    where tags.account_id = ${accountId} and tags.workspace_id = ${workspace.id}`,
};

const resources = Object.keys(sourceOf) as Resource[];

/** The records of the actor's workspace whose names contain the text that is searched for. */
export function search(db: Db, actor: WorkspaceActor, kinds: readonly Resource[], selection: Selection) {
  const source = db.selectFrom(
    sql<SearchRow>`(${sql.join(
      kinds.map(
        (kind) => sql`
          select found.id as resource_id, ${sql.lit(kind)} as resource_type, found.title,
            ${sql.lit(resources.indexOf(kind))} as position, ${sql.lit(resources.indexOf(kind))} * 1000000000000000 + found.id as key
          from (${sourceOf[kind](actor)}) found (id, title)`,
      ),
      sql` union all `,
    )})`.as<'search'>(sql`search`),
  );
  const rows = source.select([stableUuid.as('id'), 'search.resource_id', 'search.resource_type', 'search.title']);
  const { time_zone: timeZone } = actor.workspace;
  return list(
    db,
    { visible: ofNoTable(source), rows, id: 'search.key', columns, timeZone, defaultSort: ['position', 'title'] },
    { ...selection, filter: { ...selection.filter, query: queryIn(selection.filter) } },
  );
}

/** The kinds that a list of their names means. */
export const resourcesNamed = (names: string | undefined): readonly Resource[] =>
  names === undefined ? resources : listedNames('resources', names, resources, 'There are');

/** The texts that are searched for, as filters. The contract checks no filters. */
function queryIn({ query }: Selection['filter']): string[] {
  const texts = [query].flat().filter((text) => typeof text === 'string' && text !== '') as string[];
  if (texts.length === 0)
    throw invalid('required', 'filter[query]', 'filter[query] is required: the text to search for.');
  return texts.map((text) => (text.startsWith('ct:') ? text : `ct:${text}`));
}
