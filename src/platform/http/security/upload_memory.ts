import type { Request, Response } from 'express';
import { AppError, unavailable } from '../../core/errors.ts';

/** The sender of a form: an account, or unknown until the form is read. */
export type Sender = { readonly accountId: number } | 'unknown';

/**
 * Counts the bytes of a form while it is read into memory. It aborts the form with 503 where all forms together, those of its
 * account or those of unknown senders hold more than they may, with 413 where it does so by itself, and with 408 where no byte
 * arrives for a while. Only bytes that have arrived count, not those that a client announces.
 */
export type UploadMemory = (req: Request, res: Response, sender: Sender, abort: (error: Error) => void) => void;

/** Unknown senders share this part of the memory, so that they cannot keep the others from uploading. */
const unknownShare = 1 / 4;
/** The forms of one account get this part of it, so that some is left for others. */
const accountShare = 1 / 2;

const unknownAccount = -1;

/** A limit on the memory that all forms in this process hold together. */
export function uploadMemory(maxBytes: number, { maxIdleMs = 30_000 } = {}): UploadMemory {
  /** By account. */
  const heldBytes = new Map<number, number>();
  let allBytes = 0;
  const hold = (accountId: number, bytes: number): void => {
    const held = (heldBytes.get(accountId) ?? 0) + bytes;
    if (held > 0) heldBytes.set(accountId, held);
    else heldBytes.delete(accountId);
    allBytes += bytes;
  };
  return (req, res, sender, abort) => {
    const accountId = sender === 'unknown' ? unknownAccount : sender.accountId;
    const ownBytes = maxBytes * (sender === 'unknown' ? unknownShare : accountShare);
    let formBytes = 0;
    const release = (): void => {
      clearTimeout(idle);
      hold(accountId, -formBytes);
      formBytes = 0;
    };
    const stop = (error: Error): void => {
      req.off('data', count);
      req.unpipe();
      release();
      // The rest of the form is not read.
      res.set('Connection', 'close');
      abort(error);
    };
    const idle = setTimeout(() => stop(tooSlow(maxIdleMs)), maxIdleMs);
    const count = (chunk: Buffer): void => {
      idle.refresh();
      formBytes += chunk.length;
      hold(accountId, chunk.length);
      if (formBytes > ownBytes) stop(tooLarge(ownBytes));
      else if (allBytes > maxBytes || heldBytes.get(accountId)! > ownBytes) stop(unavailable());
    };
    // Listening for data would start the stream before the reader of the form is attached.
    req.pause();
    req.on('data', count);
    req.once('end', () => clearTimeout(idle));
    // The files stay in memory until the response is sent.
    res.once('close', release);
  };
}

const tooLarge = (maxBytes: number): AppError =>
  new AppError(413, [
    {
      code: 'payload_too_large',
      pointer: 'base',
      title: `The form is too large. It may have ${Math.floor(maxBytes / 2 ** 20)} MiB in total.`,
    },
  ]);

const tooSlow = (maxIdleMs: number): AppError =>
  new AppError(408, [
    {
      code: 'timeout',
      pointer: 'base',
      title: `The request did not arrive in time. No byte came for ${maxIdleMs / 1_000} seconds.`,
    },
  ]);
