import { sql } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import { AppError } from '../core/errors.ts';
import { groupBy } from '../core/group_by.ts';
import type { Db } from '../db/connection.ts';
import { overAllAccounts } from '../db/distribution/all_accounts.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { isAnyOf } from '../db/rows_by_ids.ts';
import { forAccount } from '../db/transactions.ts';
import { removeFiles } from './files.ts';
import { beginFile, completeFile, writeFile } from './streamed_files.ts';

/*
 * Records whose file a job makes, in pieces, each in a short transaction. If the process is killed, another worker begins a new
 * attempt with a new file. An older attempt that still runs fails after its next piece, because the record has another file.
 * After the last attempt the record fails and says so.
 */

type Table = Extract<keyof DB, 'exports' | 'data_exports'>;

/** The columns that these tables share. */
interface MadeFile {
  readonly account_id: number;
  readonly id: number;
  readonly status: string;
  readonly attempts: number;
  readonly progress: number;
  readonly file_id: string | null;
  readonly created_at: Date;
}

interface Maker<Row extends MadeFile> {
  readonly db: Db;
  readonly clock: () => Date;
  readonly table: Table;
  /** Why a record fails if every attempt was interrupted. */
  readonly interrupted: string;
  readonly fileOf: (row: Row) => { readonly name: string; readonly contentType: string };
  /** The content of the file. It reports which share of it is done. */
  readonly contentOf: (row: Row, report: (share: number) => void) => Promise<AsyncIterable<Buffer>>;
}

const mostAttempts = 3;

/** Makes the file of one record, unless that is done. Throws what the queue shall log and retry. */
export async function makeFile<Row extends MadeFile>(maker: Maker<Row>, accountId: number, id: number): Promise<void> {
  const { db, clock } = maker;
  const attempt = await forAccount(db, accountId, (tx) => beginAttempt(tx, maker, accountId, id));
  if (!attempt) return;
  try {
    await writeContent(maker, attempt);
  } catch (error) {
    // A store that is unavailable may be back at the next attempt.
    const isRefused = error instanceof AppError && error.status < 500;
    const isFinal = isRefused || attempt.attempts >= mostAttempts;
    const message = error instanceof AppError ? error.message : 'Something went wrong on our side.';
    if (isFinal) await forAccount(db, accountId, (tx) => fail(tx, maker.table, attempt, message, clock()));
    if (!isRefused) throw error;
  }
}

/** Begins a new file in the place of one that an earlier attempt has left. Undefined if there is nothing left to do. */
async function beginAttempt<Row extends MadeFile>(
  tx: OpenTransaction,
  { table, clock, fileOf, interrupted }: Maker<Row>,
  accountId: number,
  id: number,
): Promise<(Row & { file_id: string }) | undefined> {
  const now = clock();
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where account_id = ${accountId} and id = ${id} for update`.execute(tx);
  const row = rows[0];
  if (row?.status !== 'pending') return undefined;
  if (row.attempts >= mostAttempts) {
    await fail(tx, table, row, interrupted, now);
    return undefined;
  }
  const file_id = await beginFile(tx, accountId, fileOf(row), now);
  const attempts = row.attempts + 1;
  await update(tx, table, row, { file_id, attempts, progress: 0, updated_at: now });
  if (row.file_id !== null) await removeFiles(tx, accountId, [row.file_id]);
  return { ...row, file_id, attempts };
}

async function writeContent<Row extends MadeFile>(
  { db, clock, table, contentOf }: Maker<Row>,
  attempt: Row & { file_id: string },
): Promise<void> {
  const { account_id: accountId, file_id: fileId } = attempt;
  let progress = 0;
  const content = await contentOf(attempt, (share) => void (progress = Math.floor(share * 99)));
  const size = await writeFile(db, accountId, fileId, content, () =>
    forAccount(db, accountId, (tx) => update(tx, table, attempt, { progress, updated_at: clock() })),
  );
  await forAccount(db, accountId, async (tx) => {
    await completeFile(tx, accountId, fileId, size);
    await update(tx, table, attempt, { status: 'success', progress: 100, updated_at: clock() });
  });
}

/** Says why a record failed, and removes what was stored of its file. An attempt that was replaced changes nothing. */
async function fail(tx: OpenTransaction, table: Table, row: MadeFile, message: string, now: Date): Promise<void> {
  const changed = await tx
    .updateTable(table as 'exports')
    .set({ status: 'failed', message, file_id: null, updated_at: now })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .where('file_id', 'is not distinct from', row.file_id)
    .returning('id')
    .execute();
  if (changed.length > 0 && row.file_id !== null) await removeFiles(tx, row.account_id, [row.file_id]);
}

/** Changes a record. Throws if another attempt has replaced this one. */
async function update(
  tx: OpenTransaction,
  table: Table,
  { account_id, id, file_id }: MadeFile,
  change: { file_id?: string; attempts?: number; progress?: number; status?: string; updated_at: Date },
): Promise<void> {
  await tx
    .updateTable(table as 'exports')
    .set(change)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('file_id', 'is not distinct from', file_id)
    .returning('id')
    .executeTakeFirstOrThrow();
}

const keptDays = 7;
const dayMs = 86_400_000;

/** When a record and its file are removed. */
export const expiryOf = ({ created_at }: Pick<MadeFile, 'created_at'>): Date =>
  new Date(created_at.getTime() + keptDays * dayMs);

/** Removes the records of a table whose time is over, and their files. */
export async function deleteExpired(db: Db, table: Table, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs);
  await overAllAccounts(db, async (isAmong) => {
    const expired = await db
      .selectFrom(table as 'exports')
      .select(['account_id', 'id'])
      .where('created_at', '<=', before)
      .where(isAmong)
      .execute();
    for (const [accountId, records] of groupBy(expired, ({ account_id }) => account_id)) {
      const ids = records.map(({ id }) => id);
      await forAccount(db, accountId, (tx) => remove(tx, table, accountId, ids));
    }
  });
}

async function remove(tx: OpenTransaction, table: Table, accountId: number, ids: readonly number[]): Promise<void> {
  const removed = await tx
    .deleteFrom(table as 'exports')
    .where('account_id', '=', accountId)
    .where(isAnyOf('id', ids))
    .returning('file_id')
    .execute();
  await removeFiles(
    tx,
    accountId,
    removed.flatMap(({ file_id }) => file_id ?? []),
  );
}
