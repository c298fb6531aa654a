import { IncomingMessage, ServerResponse, type ClientRequest } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/**
 * The headers that middlewares give to every answer alike. They are asked once, here, instead of a dozen of them at every
 * request.
 */
export function standingHeaders(...middlewares: readonly RequestHandler[]): RequestHandler {
  const req = new IncomingMessage(new Socket());
  req.method = 'GET';
  const res = new ServerResponse(req);
  for (const middleware of middlewares) void middleware(req as never, res as never, () => {});
  // Node has had it for every kind of message for long; the types know it of requests only.
  const names = (res as unknown as Pick<ClientRequest, 'getRawHeaderNames'>).getRawHeaderNames();
  const headers = names.map((name) => [name, res.getHeader(name)!] as const);
  return (_req, answer, next) => {
    for (const [name, value] of headers) answer.setHeader(name, value);
    next();
  };
}
