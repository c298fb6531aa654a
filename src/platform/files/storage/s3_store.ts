import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStoreAddress } from '../../core/object_store_address.ts';
import { adviceOnStore, statusOf, storeFailed } from './s3_errors.ts';
import type { FileStore, StoredContent } from './store.ts';

/** A store of objects, which also lists what it has. */
export interface ObjectStore extends FileStore {
  /** Its name in messages. */
  readonly place: string;
  /** Says what is wrong where the store refuses this service. Undefined if nothing is. */
  problem(): Promise<{ readonly advice: string; readonly isPermanent: boolean } | undefined>;
  /** The prefix of the keys that are made on the day of this time. */
  dayKey(at: Date): string;
  /** The objects whose key lies after this text, in order. */
  list(after: string): AsyncIterable<{ readonly key: string; readonly modifiedAt: Date }>;
  removeKey(key: string): Promise<void>;
  /** Removes what is left of uploads that began before this time and were never completed. */
  removeUploads(before: Date): Promise<void>;
  close(): void;
}

// A request waits for the store while its transaction is open.
const connectionTimeoutMs = 2_000;
const silenceTimeoutMs = 15_000;

/**
 * Contents in an S3-compatible object store. `home` is the first part of all keys, and differs for each database, so that two
 * of them can share a bucket. The client is loaded here and not before, because it takes a third of a second.
 */
export async function s3Store(address: ObjectStoreAddress, home: string): Promise<ObjectStore> {
  const s3 = await import('@aws-sdk/client-s3');
  const { Upload } = await import('@aws-sdk/lib-storage');
  const client = clientOf(s3.S3Client, address);
  const { bucket: Bucket, prefix } = address;
  const base = prefix === '' ? '' : `${prefix}/`;
  const inBucket = (key: string) => ({ Bucket, Key: base + key });
  const dayKey = (at: Date): string => `${home}/${at.toISOString().slice(0, 10)}`;
  const answered = async <T>(question: Promise<T>): Promise<T> => {
    try {
      return await question;
    } catch (error) {
      throw storeFailed(error, address);
    }
  };
  const removeKey = async (key: string): Promise<void> =>
    void (await answered(client.send(new s3.DeleteObjectCommand(inBucket(key)))));

  return {
    place: `the bucket ${Bucket}${prefix && `, under ${prefix}`}, at ${address.endpoint ?? `AWS in ${address.region}`}`,

    // The day lets housekeeping list what is new. The id is new for each object, so that no key is ever written twice.
    newKey: (accountId, now) => `${dayKey(now)}/${accountId}/${randomUUID()}`,
    dayKey,

    async put(_run, file, content) {
      const source = remembering(content);
      // One part at a time: the upload holds two parts of 5 MiB at most. A smaller file is one request.
      const params = { ...inBucket(keyOf(file)), Body: Readable.from(source.pieces) };
      const upload = new Upload({ client, params, queueSize: 1 });
      await upload.done().catch((error: unknown) => {
        throw source.failure() ?? storeFailed(error, address);
      });
    },

    async get(_db, file) {
      const key = keyOf(file);
      const found = await client.send(new s3.GetObjectCommand(inBucket(key))).catch((error: unknown) => {
        if (error instanceof s3.NoSuchKey)
          throw new Error(`The object ${key} of the file ${file.id} is missing in the store.`, { cause: error });
        throw storeFailed(error, address);
      });
      return found.Body as Readable;
    },

    remove: (_run, file) => removeKey(keyOf(file)),
    removeKey,

    async problem() {
      try {
        await client.send(new s3.ListObjectsV2Command({ Bucket, Prefix: base, MaxKeys: 1 }));
        return undefined;
      } catch (error) {
        const status = statusOf(error);
        return {
          advice: adviceOnStore(error, address),
          isPermanent: status !== undefined && status < 500 && status !== 429,
        };
      }
    },

    async *list(after) {
      const input = { Bucket, Prefix: `${base}${home}/`, StartAfter: base + after };
      for (let next: string | undefined, isMore = true; isMore;) {
        const page = await answered(client.send(new s3.ListObjectsV2Command({ ...input, ContinuationToken: next })));
        for (const { Key, LastModified } of page.Contents ?? [])
          yield { key: Key!.slice(base.length), modifiedAt: LastModified! };
        next = page.NextContinuationToken;
        isMore = next !== undefined;
      }
    },

    async removeUploads(before) {
      const { Uploads = [] } = await answered(
        client.send(new s3.ListMultipartUploadsCommand({ Bucket, Prefix: `${base}${home}/` })),
      );
      for (const { Key, UploadId, Initiated } of Uploads)
        if (Initiated! < before)
          await answered(client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
    },

    close: () => client.destroy(),
  };
}

const clientOf = (
  Client: typeof S3Client,
  { region, endpoint, hasPathStyle, credentials }: ObjectStoreAddress,
): S3Client =>
  new Client({
    region,
    forcePathStyle: hasPathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    maxAttempts: 2,
    requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout: silenceTimeoutMs },
    // Many compatible stores do not know the checksums that AWS has added later.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

function keyOf({ id, object_key }: StoredContent): string {
  if (object_key === null) throw new Error(`The file ${id} is not in the object store.`);
  return object_key;
}

/** Hands on what a source yields, and keeps the error with which it failed apart from errors of the store. */
function remembering(source: AsyncIterable<Buffer>): { pieces: AsyncIterable<Buffer>; failure: () => unknown } {
  let thrown: unknown;
  const pieces = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* source;
    } catch (error) {
      thrown = error;
      throw error;
    }
  };
  return { pieces: pieces(), failure: () => thrown };
}
