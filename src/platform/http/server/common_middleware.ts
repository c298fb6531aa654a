import compression from 'compression';
import cors from 'cors';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { unavailable } from '../../core/errors.ts';
import { requestIdOf } from './request_id.ts';
import { rateLimitHeaders } from '../security/rate_limits.ts';
import { chain } from './middleware_chain.ts';
import { constantHeaders } from './constant_headers.ts';

/** The steps of every request: the request id, 503 while the process stops, headers for browsers, compression. */
export const commonMiddleware = (isStopping: () => boolean): RequestHandler =>
  chain(
    sendRequestId,
    (_req, _res, next) => {
      if (isStopping()) throw unavailable();
      next();
    },
    browserHeaders(),
    compress(),
  );

const sendRequestId: RequestHandler = (req, res, next) => {
  res.setHeader('X-Request-Id', requestIdOf(req));
  next();
};

const exposedHeaders = [
  'Authorization',
  'Current-Page',
  'Page-Items',
  'Total-Pages',
  'Total-Count',
  'Preference-Applied',
  'ETag',
  'Location',
  'X-Request-Id',
  'Idempotency-Replayed',
  'WWW-Authenticate',
  'Allow',
  'Deprecation',
  'Sunset',
  'Link',
  'Retry-After',
  ...rateLimitHeaders,
];

/** The headers that tell browsers what a page may do with a response. */
function browserHeaders(): RequestHandler {
  const crossOrigin = cors({ exposedHeaders, maxAge: 600 });
  const protection = helmet({ contentSecurityPolicy: false, crossOriginResourcePolicy: { policy: 'cross-origin' } });
  const [standing, preflight] = [constantHeaders(protection, crossOrigin), chain(protection, crossOrigin)];
  return (req, res, next) => (req.method === 'OPTIONS' ? preflight : standing)(req, res, next);
}

/** Compresses responses for clients that accept it. */
function compress(): RequestHandler {
  // The contracts are YAML, a type that the package does not know.
  const isYaml = (res: Response): boolean => String(res.getHeader('Content-Type')).startsWith('application/yaml');
  const middleware = compression({ filter: (req, res) => isYaml(res) || compression.filter(req, res) });
  return (req, res, next) => {
    if (req.headers['accept-encoding'] !== undefined) return middleware(req, res, next);
    res.setHeader('Vary', 'Accept-Encoding');
    next();
  };
}
