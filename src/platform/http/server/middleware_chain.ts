import type { RequestHandler } from 'express';

/** Runs middlewares one after another, as one. An Express router would match the path of the request for each of them. */
export function chain(...middlewares: readonly RequestHandler[]): RequestHandler {
  if (middlewares.length === 1) return middlewares[0]!;
  return (req, res, done) => {
    let position = 0;
    const next = (error?: unknown): void => {
      const middleware = middlewares[position++];
      if (error !== undefined || middleware === undefined) return done(error);
      try {
        const result: unknown = middleware(req, res, next);
        if (result instanceof Promise) result.catch(done);
      } catch (thrown) {
        done(thrown);
      }
    };
    next();
  };
}
