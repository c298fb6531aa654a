import { sql } from 'kysely';
import type { Db } from '../../platform/db/connection.ts';
import { anonymousText } from './personal_data_map.ts';
import type { Person } from './person.ts';

/*
 * Texts of the service contain names: "Erin changed the times". They are in records of others too, so they are found by the names
 * that the person has and had.
 */

export interface NamesToBlank {
  /** A regular expression of the database that matches the names and addresses of the person, as whole words. */
  readonly names: string;
  /** The titles of their absences, as texts of the service quote them. Titles of absence types are no one's own. */
  readonly quotedTitles: readonly string[];
}

/** The names, addresses and titles that are known of a person, former ones included as far as the history has them. */
export async function namesToBlankOf(db: Db, person: Person): Promise<NamesToBlank> {
  const names = (await namesOf(db, person)).filter((name) => name.trim().length > 1 && name !== anonymousText);
  const alternatives = names.sort((one, other) => other.length - one.length).map(escaped);
  return {
    // Without a name it matches nothing.
    names: alternatives.length === 0 ? '(?!)' : `(?<![[:alnum:]])(?:${alternatives.join('|')})(?![[:alnum:]])`,
    quotedTitles: (await titlesOf(db, person)).map((title) => `"${title}"`),
  };
}

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

async function namesOf(db: Db, { accountId, userId }: Person): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from (
      select unnest(array[username, email]) as name from users where account_id = ${accountId} and id = ${userId}
      union all
      select unnest(array[changes->'username'->>0, changes->'username'->>1, changes->'email'->>0, changes->'email'->>1]) from events
      where account_id = ${accountId} and user_id = ${userId} and record_type = 'user'
      union all
      select author from notes where account_id = ${accountId} and author_id = ${userId}
      union all
      select author from attachments where account_id = ${accountId} and author_id = ${userId}
    ) known where name is not null`.execute(db);
  return rows.map(({ name }) => name);
}

async function titlesOf(db: Db, { accountId, userId }: Person): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select distinct title from (
      select title from absences where account_id = ${accountId} and user_id = ${userId}
      union all
      select stored_rows->'absences'->0->>'title' from deleted_records
      where account_id = ${accountId} and user_id = ${userId} and record_type = 'absence'
      union all
      select unnest(array[changes->'title'->>0, changes->'title'->>1]) from events
      where account_id = ${accountId} and user_id = ${userId} and record_type = 'absence'
    ) known
    where title <> '' and title not in (select type.title from absence_types type where type.account_id = ${accountId})`.execute(
    db,
  );
  return rows.map(({ title }) => title);
}
