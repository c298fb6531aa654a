import { fileStoreUnavailable, type AppError } from '../../core/errors.ts';
import type { ObjectStoreAddress } from '../../core/object_store_address.ts';

/** An error of the store's client. */
interface ClientError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** The status of the answer. Undefined where there was none. */
export const statusOf = (thrown: unknown): number | undefined => (thrown as ClientError).$metadata?.httpStatusCode;

/** Explains a failure to an operator: the cause, and the next step. Contains no secret. */
export function adviceOnStore(thrown: unknown, { setting, bucket, region, endpoint }: ObjectStoreAddress): string {
  const error = thrown as ClientError;
  const store = `The object store at ${endpoint ?? `AWS in ${region}`}`;
  const reason = `${error.code ?? error.name}: ${error.message}`;
  switch (statusOf(thrown)) {
    case undefined:
      return `${store} cannot be reached (${reason}). Check the endpoint in ${setting}, and that the store runs.`;
    case 301:
      return `${store} says that the bucket "${bucket}" is in another region (${reason}). Correct the region in ${setting}.`;
    case 401:
    case 403:
      return `${store} refuses the credentials (${reason}). Check FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY, and that they may list, read, write and delete objects in the bucket "${bucket}".`;
    case 404:
      return `${store} has no bucket "${bucket}" (${reason}). Create it, or correct ${setting}.`;
    default:
      return `${store} has failed (${reason}).`;
  }
}

/** 503 for the client. The cause, for the log, says what an operator can do. */
export const storeFailed = (thrown: unknown, address: ObjectStoreAddress): AppError =>
  fileStoreUnavailable(new Error(adviceOnStore(thrown, address), { cause: thrown }));
