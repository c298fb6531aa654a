import type { Request, Response } from 'express';
import { unavailable } from '../../core/errors.ts';

/**
 * Watches over a form while it is read into memory, and gives it up with 503 where all forms under way together have come to
 * hold more than they may. What counts is what has arrived: whoever only announces much holds nothing.
 */
export type UploadMemory = (req: Request, res: Response, giveUp: (error: Error) => void) => void;

/** The memory that all forms under way in this process may hold. */
export function uploadMemory(mostBytes: number): UploadMemory {
  let held = 0;
  return (req, res, giveUp) => {
    let own = 0;
    const release = (): void => {
      held -= own;
      own = 0;
    };
    const count = (chunk: Buffer): void => {
      own += chunk.length;
      held += chunk.length;
      if (held <= mostBytes) return;
      req.off('data', count);
      req.unpipe();
      release();
      // Nothing more of it is of interest.
      res.set('Connection', 'close');
      giveUp(unavailable());
    };
    // This only looks on: the form begins to flow when its reader is there.
    req.pause();
    req.on('data', count);
    // The files stay in memory until the request has been answered.
    res.once('close', release);
  };
}
