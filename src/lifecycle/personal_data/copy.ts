import { utcForm } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { piecesOf } from '../../platform/files/files.ts';
import { filesOfDeletedRecords, findAnyFile } from '../../platform/files/files_of_deleted_records.ts';
import { copiedRows, mentions } from './copied_rows.ts';
import { personalDataMap, tables, type Exempt, type PersonalTable, type TableName } from './personal_data_map.ts';
import type { Person } from './person.ts';
import { zip, type Entry } from './zip.ts';

/* The archive with everything about a person. */

/** Is told how much of the archive is made, from 0 to 1. */
export type Progress = (share: number) => void;

/** Writes the archive. */
export const copyOf = (db: Db, person: Person, now: Date, isDone: Progress): AsyncGenerator<Buffer> =>
  zip(entriesOf(db, person, now, isDone));

/** The entry of one file in the manifest of the archive. */
interface Listed {
  readonly path: string;
  readonly [detail: string]: unknown;
}

async function* entriesOf(db: Db, person: Person, now: Date, isDone: Progress): AsyncGenerator<Entry> {
  const listed: Listed[] = [];
  let done = 0;
  for (const personalTable of personalDataMap) {
    yield* tableEntries(db, person, personalTable, listed);
    isDone(++done / personalDataMap.length);
  }
  yield entryOf('manifest.json', JSON.stringify(manifestOf(person, listed, now), null, 2));
}

async function* tableEntries(
  db: Db,
  person: Person,
  entry: readonly [TableName, PersonalTable],
  listed: Listed[],
): AsyncGenerator<Entry> {
  const [table, personalTable] = entry;
  const files: string[] = [];
  const seen = (row: Readonly<Record<string, unknown>>): void => {
    for (const column of personalTable.files ?? []) if (typeof row[column] === 'string') files.push(row[column]);
  };
  yield* listEntry(`tables/${table}.json`, copiedRows(db, person, entry), listed, seen);
  for (const column of personalTable.mentions ?? [])
    yield* listEntry(`mentions/${table}.${column}.json`, mentions(db, person, entry, column), listed);
  if (table === 'deleted_records') files.push(...(await filesOfDeletedRecords(db, person)));
  for (const id of files) yield* fileEntry(db, person, id, table, listed);
}

/** A file with a JSON list. A list of mentions is left out if it is empty. */
async function* listEntry(
  path: string,
  rows: AsyncGenerator<Readonly<Record<string, unknown>>>,
  listed: Listed[],
  seen: (row: Readonly<Record<string, unknown>>) => void = () => {},
): AsyncGenerator<Entry> {
  let count = 0;
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for await (const row of rows) {
      seen(row);
      yield Buffer.from(`${count++ === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`);
    }
    yield Buffer.from(count === 0 ? '[]\n' : '\n]\n');
  };
  yield { path, bytes: bytes() };
  listed.push({ path, rows: count });
}

async function* fileEntry(
  db: Db,
  { accountId }: Person,
  id: string,
  table: TableName,
  listed: Listed[],
): AsyncGenerator<Entry> {
  const file = await findAnyFile(db, accountId, id);
  // Somebody has removed it since its record was read.
  if (!file) return;
  const path = `files/${id}${extensionOf(file.name)}`;
  yield { path, isCompressed: true, bytes: piecesOf(db, accountId, file) };
  const { name, content_type, size_bytes } = file;
  listed.push({ path, table, name, content_type, size_bytes });
}

const extensionOf = (name: string): string => /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';

const entryOf = (path: string, text: string): Entry => ({
  path,
  bytes: (async function* () {
    yield Buffer.from(text);
  })(),
});

const manifestOf = ({ accountId, userId }: Person, listed: readonly Listed[], now: Date) => ({
  about: `Everything that the service holds about the user ${userId} of the account ${accountId}.`,
  created_at: utcForm(now),
  contents: {
    tables: 'The rows about the user, a file for each table. Times are in UTC. Amounts that end in _s are in seconds.',
    mentions: 'The keys of records of others in which the user appears, by table and column.',
    files: 'Avatar, documents, attachments and signatures of the user.',
  },
  left_out: {
    secrets: 'Hashes of passwords and tokens.',
    others: 'Names of other people, and texts of the service that contain them. Their ids are included.',
    tables: Object.fromEntries(
      (Object.entries(tables) as [string, PersonalTable | Exempt][]).flatMap(([table, entry]) =>
        'reason' in entry ? [[table, entry.reason]] : [],
      ),
    ),
  },
  files: listed,
});
