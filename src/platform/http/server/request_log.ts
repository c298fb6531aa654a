import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { giveRequestId } from './request_id.ts';

/** Logs one line per request, without credentials, and with the error where the server failed. */
export const requestLog =
  (log: Logger): RequestHandler =>
  (req, res, next) => {
    const startedAt = performance.now();
    const { method, originalUrl } = req;
    const { remoteAddress } = req.socket;
    const id = giveRequestId(req);
    res.on('close', () => {
      const { statusCode, locals } = res;
      const level = statusCode >= 500 ? 'error' : statusCode >= 400 ? 'warn' : 'info';
      if (!log.isLevelEnabled(level)) return;
      const facts = {
        req: { id, method, url: withoutSecrets(originalUrl), address: remoteAddress },
        res: { status: statusCode },
        responseTime: Math.round(performance.now() - startedAt),
        err: locals['failure'] as unknown,
      };
      log[level](facts, res.writableFinished ? 'request completed' : 'request aborted');
    });
    next();
  };

/** The parameters whose values the log shows. Others may hold secrets, or names and addresses of people. */
const shownNames = /^(page|items|outset|after|sort|include|fields|permissions|id|from|to|month|lang|expires)$/i;

/** The address without tokens of invitations and secrets of calendars, and without the values of most parameters. */
export function withoutSecrets(url: string): string {
  const [path, query] = url.split(/\?(.*)/s, 2) as [string, string | undefined];
  const shownPath = path.replace(/(\/(?:invitations|calendars)\/)[^/]+/i, '$1[redacted]');
  if (query === undefined) return shownPath;
  const parts = query.split('&').map((part) => {
    const name = part.split('=', 1)[0]!;
    return part.includes('=') && !shownNames.test(name) ? `${name}=[redacted]` : part;
  });
  return `${shownPath}?${parts.join('&')}`;
}
