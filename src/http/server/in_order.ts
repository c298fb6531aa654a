import type { RequestHandler } from 'express';

/** Middlewares that all belong to one path, as one. A router would ask each of them anew whether it is meant. */
export const inOrder =
  (...steps: readonly RequestHandler[]): RequestHandler =>
  (req, res, done) => {
    let taken = 0;
    const next = (error?: unknown): void => {
      const step = steps[taken++];
      if (error !== undefined || step === undefined) return done(error);
      try {
        const work: unknown = step(req, res, next);
        if (work instanceof Promise) work.catch(done);
      } catch (thrown) {
        done(thrown);
      }
    };
    next();
  };
