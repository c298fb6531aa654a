import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

/** A file of an archive. What is compressed already is stored as it is. */
export interface Entry {
  readonly path: string;
  readonly isCompressed?: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Writes an archive while its files are read, so that no file is in memory as a whole. */
export async function* zip(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  const written: Buffer[] = [];
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    written.push(Buffer.from(chunk));
  });
  for await (const { path, isCompressed = false, bytes } of entries) {
    const file = isCompressed ? new ZipPassThrough(path) : new ZipDeflate(path);
    archive.add(file);
    for await (const chunk of bytes) {
      file.push(chunk);
      yield* written.splice(0);
    }
    file.push(new Uint8Array(0), true);
    yield* written.splice(0);
  }
  archive.end();
  yield* written.splice(0);
}
