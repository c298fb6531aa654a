import type { Request, Response } from 'express';
import { unavailable } from '../../core/errors.ts';

/**
 * Counts the bytes of a form while it is read into memory, and aborts it with 503 where all forms together hold more than they
 * may. Only bytes that have arrived count, not those that a client announces.
 */
export type UploadMemory = (req: Request, res: Response, abort: (error: Error) => void) => void;

/** A limit on the memory that all forms in this process hold together. */
export function uploadMemory(maxBytes: number): UploadMemory {
  let heldBytes = 0;
  return (req, res, abort) => {
    let formBytes = 0;
    const release = (): void => {
      heldBytes -= formBytes;
      formBytes = 0;
    };
    const count = (chunk: Buffer): void => {
      formBytes += chunk.length;
      heldBytes += chunk.length;
      if (heldBytes <= maxBytes) return;
      req.off('data', count);
      req.unpipe();
      release();
      // The rest of the form is not read.
      res.set('Connection', 'close');
      abort(unavailable());
    };
    // Listening for data would start the stream before the reader of the form is attached.
    req.pause();
    req.on('data', count);
    // The files stay in memory until the response is sent.
    res.once('close', release);
  };
}
