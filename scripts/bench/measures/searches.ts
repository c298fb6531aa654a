import pg from 'pg';
import { accountId, adminId, tokenOf, type DataSet } from '../data_set.ts';
import type { LoadGenerator, Sent } from '../loading.ts';
import type { Options } from '../options.ts';
import type { Server } from '../processes.ts';
import { measureReads, type Figures } from '../rounds.ts';
import type { ReadRow } from '../rows.ts';

/* Searches in a workspace of 5,000 users. No other contender has them, so they are compared with a plain list of the users. */

const users = 5_000;

/** A workspace that the data set does not have. */
const workspaceOf = ({ workspaces }: DataSet): number => workspaces.length + 1;

export function searchRows(dataSet: DataSet): ReadRow[] {
  const get = (path: string): Sent => ({
    method: 'GET',
    path: `/api/v3/workspaces/${workspaceOf(dataSet)}/${path}`,
    headers: { authorization: `Bearer ${tokenOf(adminId)}` },
  });
  return [
    { name: 'searches_list', about: 'list 20 of 5,000 users', requests: [get('users')] },
    {
      name: 'searches',
      about: 'search among 5,000 users',
      requests: ['12', 'name 4', 'NAME 77', 'e'].map((text) =>
        get(`searches?filter%5Bquery%5D=${encodeURIComponent(text)}`),
      ),
    },
  ];
}

/** Creates the workspace with its users, and measures the rows. */
export async function measureSearches(
  generator: LoadGenerator,
  ours: Server,
  databaseUrl: string,
  rows: readonly ReadRow[],
  options: Options,
  say: (text: string) => void,
): Promise<Figures> {
  await createWorkspace(databaseUrl, workspaceOf(options.dataSet));
  return measureReads(generator, { ours: [ours] }, rows, options, say);
}

async function createWorkspace(databaseUrl: string, id: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `with workspace as (
         insert into workspaces (account_id, id, name, time_zone, locale, created_at, updated_at)
         values ($1, $2, 'Searched', 'Europe/Berlin', 'de', now(), now()) returning id
       ), directory as (
         insert into directory_workspaces (workspace_id, account_id) select id, $1 from workspace
       ), named as (
         insert into users (account_id, username, created_in_workspace, start_of_accounting, recognition_color_variant, created_at, updated_at)
         select $1, 'Name ' || number, true, '2026-01-01', number % 8 + 1, now(), now() from generate_series(1, $3::int) number
         returning id
       )
       insert into memberships (account_id, workspace_id, user_id, identifier_pin, created_at)
       select $1, workspace.id, named.id, lpad((row_number() over ())::text, 6, '0'), now() from named, workspace`,
      [accountId, id, users],
    );
    await client.query('vacuum (analyze) users, memberships');
  } finally {
    await client.end();
  }
}
