import type { Request, Response } from 'express';
import { AppError, unavailable } from '../../core/errors.ts';

/** Whether the sender of a form was let in before it is read. */
export type Sender = 'known' | 'unknown';

/**
 * Counts the bytes of a form while it is read into memory. It aborts the form with 503 where all forms together, or those of
 * unknown senders, hold more than they may, and with 408 where no byte arrives for a while. Only bytes that have arrived
 * count, not those that a client announces.
 */
export type UploadMemory = (req: Request, res: Response, sender: Sender, abort: (error: Error) => void) => void;

/** Unknown senders share this part of the memory, so that they cannot keep the others from uploading. */
const unknownShare = 1 / 4;

/** A limit on the memory that all forms in this process hold together. */
export function uploadMemory(maxBytes: number, { maxIdleMs = 30_000 } = {}): UploadMemory {
  const heldBytes = { known: 0, unknown: 0 };
  const isFull = (): boolean =>
    heldBytes.known + heldBytes.unknown > maxBytes || heldBytes.unknown > maxBytes * unknownShare;
  return (req, res, sender, abort) => {
    let formBytes = 0;
    const release = (): void => {
      clearTimeout(idle);
      heldBytes[sender] -= formBytes;
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
      heldBytes[sender] += chunk.length;
      if (isFull()) stop(unavailable());
    };
    // Listening for data would start the stream before the reader of the form is attached.
    req.pause();
    req.on('data', count);
    req.once('end', () => clearTimeout(idle));
    // The files stay in memory until the response is sent.
    res.once('close', release);
  };
}

const tooSlow = (maxIdleMs: number): AppError =>
  new AppError(408, [
    { pointer: 'base', title: `The request did not arrive in time. No byte came for ${maxIdleMs / 1_000} seconds.` },
  ]);
