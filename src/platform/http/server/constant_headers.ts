import { IncomingMessage, ServerResponse, type ClientRequest } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** Sets the headers that some middlewares set on every response alike. The middlewares run once, here, not at every request. */
export function constantHeaders(...middlewares: readonly RequestHandler[]): RequestHandler {
  const req = new IncomingMessage(new Socket());
  req.method = 'GET';
  const res = new ServerResponse(req);
  for (const middleware of middlewares) void middleware(req as never, res as never, () => {});
  // Node has this method on responses too. Its types have it on requests only.
  const names = (res as unknown as Pick<ClientRequest, 'getRawHeaderNames'>).getRawHeaderNames();
  const headers = names.map((name) => [name, res.getHeader(name)!] as const);
  return (_req, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
