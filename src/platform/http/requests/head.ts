import type { RequestHandler } from 'express';
import { methodNotAllowed } from '../answers/errors.ts';
import type { Route } from '../route.ts';

/** A HEAD is a GET without a body. A GET may write where the contract says so, but a HEAD never does: programs send one to look. */
export function takeHead({ operation }: Route): RequestHandler {
  const isRefused = operation['x-writes'] === true;
  return (req, _res, next) => {
    if (req.method === 'HEAD' && isRefused) throw methodNotAllowed('GET');
    if (req.method === 'HEAD') req.method = 'GET';
    next();
  };
}
