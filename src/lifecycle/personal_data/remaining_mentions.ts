import { sql, type RawBuilder } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import type { Db } from '../../platform/db/connection.ts';
import { freeTexts, type FreeTexts } from './free_texts.ts';
import type { NamesToBlank } from './names_to_blank.ts';
import type { Person } from './person.ts';

/* Texts of others that name the person. Only a reader can tell which person a text means. So the texts stay, and the operator gets a list of them. */

export type RemainingMention = components['schemas']['RemainingMention'];

type Query = RawBuilder<Omit<RemainingMention, 'record_type'>>;

/** Every text of others that contains a name of the person, once their own records are blanked. */
export async function remainingMentions(
  db: Db,
  { accountId }: Person,
  { names }: NamesToBlank,
): Promise<RemainingMention[]> {
  const queries: [string, Query][] = [
    ...Object.entries(freeTexts).map(([type, texts]): [string, Query] => [type, mentionsIn(accountId, names, texts)]),
    ['deleted_record', mentionsInDeletedRecords(accountId, names)],
    ['history_event', mentionsInEvents(accountId, names)],
  ];
  const found: RemainingMention[] = [];
  for (const [record_type, query] of queries) {
    const { rows } = await query.execute(db);
    found.push(...rows.map((row) => ({ record_type, ...row })));
  }
  return found;
}

const object = (type: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`jsonb_build_object('type', ${type}, 'id', ${id}::text)`;

function mentionsIn(accountId: number, names: string, texts: FreeTexts): Query {
  const { table, attributes, parents = {}, file } = texts;
  const values = Object.entries(attributes).map(([name, column]) => sql`(${sql.lit(name)}, held.${sql.ref(column)})`);
  if (file)
    values.push(sql`(${sql.lit(file[1])}, (
      select file.name from files file where file.account_id = ${accountId} and file.id = held.${sql.ref(file[0])}))`);
  const choices = Object.entries(parents).map(
    ([type, column]) =>
      sql`when held.${sql.ref(column)} is not null then ${object(sql.lit(type), sql`held.${sql.ref(column)}`)}`,
  );
  return sql`
    select held.id::text as record_id, text.attribute, ${workspaceOf(accountId, texts)} as workspace_id,
      ${choices.length > 0 ? sql`case ${sql.join(choices, sql` `)} end` : sql`null::jsonb`} as parent
    from ${sql.table(table)} held cross join lateral (values ${sql.join(values)}) text (attribute, value)
    where held.${sql.ref(table === 'accounts' ? 'id' : 'account_id')} = ${accountId} and text.value ~* ${names}
    order by held.id, text.attribute`;
}

/** The workspace of a record, or of the time tracking or absence that it belongs to. */
function workspaceOf(accountId: number, { table, isOfWorkspace, parents = {} }: FreeTexts): RawBuilder<unknown> {
  if (table === 'workspaces') return sql`held.id`;
  if (isOfWorkspace) return sql`held.workspace_id`;
  const owners = { time_tracking: 'time_trackings', absence: 'absences' };
  const found = Object.entries(owners)
    .filter(([type]) => type in parents)
    .map(
      ([type, owner]) => sql`(
        select owner.workspace_id from ${sql.table(owner)} owner
        where owner.account_id = ${accountId} and owner.id = held.${sql.ref(parents[type]!)})`,
    );
  return found.length > 0 ? sql`coalesce(${sql.join(found)})` : sql`null::bigint`;
}

const attributeNames = [...new Set(Object.values(freeTexts).flatMap(({ attributes }) => Object.keys(attributes)))];

const mentionsInDeletedRecords = (accountId: number, names: string): Query => sql`
  select distinct held.id::text as record_id, part.name || '.' || text.attribute as attribute, held.workspace_id,
    ${object(sql`held.record_type`, sql`held.record_id`)} as parent
  from deleted_records held
  cross join lateral jsonb_each(held.stored_rows) part (name, rows)
  cross join lateral jsonb_array_elements(part.rows) item
  cross join lateral jsonb_each_text(item) text (attribute, value)
  where held.account_id = ${accountId} and held.stored_rows::text ~* ${names}
    and text.attribute = any(${attributeNames}::text[]) and text.value ~* ${names}
  order by 1, 2`;

/** Most events have no text, so that their values need not be read. */
const mentionsInEvents = (accountId: number, names: string): Query => sql`
  select held.id::text as record_id, text.attribute, held.workspace_id,
    ${object(sql`held.record_type`, sql`held.record_id`)} as parent
  from events held cross join lateral jsonb_each_text(held.changes) text (attribute, value)
  where held.account_id = ${accountId} and held.changes ?| ${attributeNames}::text[]
    and text.attribute = any(${attributeNames}::text[]) and text.value ~* ${names}
  order by held.id, text.attribute`;
