import type { Db } from '../../db/connection.ts';
import { inPieces, pieceBytes } from './pieces.ts';
import type { FileStore, StoredContent } from './store.ts';

/** Contents in the database: in the transaction of the record, in every backup, and visible to every process. */
export const databaseStore: FileStore = {
  newKey: () => null,

  /** Throws if the record of the file was removed meanwhile. */
  async put(run, { account_id, id }, content) {
    let position = 0;
    for await (const bytes of inPieces(content)) {
      const piece = { account_id, file_id: id, position, bytes };
      await run((db) => db.insertInto('file_pieces').values(piece).execute());
      position++;
    }
  },

  get: async (db, file) => piecesIn(db, file),

  remove: (run, { account_id, id }) =>
    run(async (db) => {
      await db.deleteFrom('file_pieces').where('account_id', '=', account_id).where('file_id', '=', id).execute();
    }),
};

/** Throws if the content was removed meanwhile. */
async function* piecesIn(db: Db, { account_id, id, size_bytes }: StoredContent): AsyncGenerator<Buffer> {
  for (let position = 0; position * pieceBytes < size_bytes; position++) {
    const { bytes } = await db
      .selectFrom('file_pieces')
      .select('bytes')
      .where('account_id', '=', account_id)
      .where('file_id', '=', id)
      .where('position', '=', position)
      .executeTakeFirstOrThrow();
    yield bytes;
  }
}
