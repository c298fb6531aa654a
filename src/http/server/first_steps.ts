import compression from 'compression';
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { unavailable } from '../../core/errors.ts';
import { inOrder } from './in_order.ts';
import { rateLimitHeaders } from '../security/rate_limits.ts';
import { requestIdOf } from '../requests/request_id.ts';
import { standingHeaders } from './standing_headers.ts';

/** What every answer says, whatever was asked; and that there is none once the process is about to end. */
export const introduction = (isStopping: () => boolean): RequestHandler =>
  inOrder(identified(isStopping), forBrowsers(), compressed());

const identified =
  (isStopping: () => boolean): RequestHandler =>
  (req, res, next) => {
    res.setHeader('X-Request-Id', requestIdOf(req));
    if (isStopping()) throw unavailable();
    next();
  };

const exposedHeaders = [
  'Authorization',
  'Current-Page',
  'Page-Items',
  'Total-Pages',
  'Total-Count',
  'X-Request-Id',
  'Retry-After',
  ...rateLimitHeaders,
];

/** The headers by which browsers decide what a page may do with an answer. */
function forBrowsers(): RequestHandler {
  const crossOrigin = cors({ exposedHeaders, maxAge: 600 });
  const protection = helmet({ contentSecurityPolicy: false, crossOriginResourcePolicy: { policy: 'cross-origin' } });
  const [standing, preflight] = [standingHeaders(protection, crossOrigin), inOrder(protection, crossOrigin)];
  return (req, res, next) => (req.method === 'OPTIONS' ? preflight : standing)(req, res, next);
}

/** Only for those who say that they can read it. */
function compressed(): RequestHandler {
  const compress = compression();
  return (req, res, next) => {
    if (req.headers['accept-encoding'] !== undefined) return compress(req, res, next);
    res.setHeader('Vary', 'Accept-Encoding');
    next();
  };
}
