import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { newRequestId } from './request_id.ts';

/** One line per request, with every credential taken out. */
export const requestLog = (log: Logger): RequestHandler =>
  pinoHttp({
    logger: log,
    genReqId: newRequestId,
    serializers: {
      req: (req: { id: string; method: string; url: string; remoteAddress: string }) => ({
        id: req.id,
        method: req.method,
        url: withoutSecrets(req.url),
        address: req.remoteAddress,
      }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
    },
    customLogLevel: (_req, res, error) => (error || res.statusCode >= 500 ? 'error' : res.statusCode >= 400 ? 'warn' : 'info'),
  }) as unknown as (req: Request, res: unknown, next: () => void) => void as RequestHandler;

const secretNames = /token|password|signature|api.?key/i;

/** The address without the values of parameters that may be secrets, however their names are written. */
export function withoutSecrets(url: string): string {
  const [path, query] = url.split(/\?(.*)/s, 2) as [string, string | undefined];
  if (query === undefined) return url;
  const parts = query.split('&').map((part) => {
    const name = part.split('=', 1)[0]!;
    return part.includes('=') && isSecret(name) ? `${name}=[redacted]` : part;
  });
  return `${path}?${parts.join('&')}`;
}

function isSecret(name: string): boolean {
  try {
    return secretNames.test(decodeURIComponent(name));
  } catch {
    // What cannot be read is not shown.
    return true;
  }
}
