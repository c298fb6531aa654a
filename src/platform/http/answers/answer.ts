import type { RequestHandler, Response } from 'express';
import type { ApiDefinition } from '../api_definition.ts';
import {
  hasOwnTransaction,
  preparationOf,
  surroundingsOf,
  type Answer,
  type Handle,
  type PreparedResponse,
} from '../handlers.ts';
import { oncePerKey } from './idempotency.ts';
import { ifMatching } from './if_match.ts';
import { asPreferred, readStrictly } from './strictness.ts';
import { takes, type Route } from '../route.ts';
import { callOf } from './call.ts';
import { withDatabase } from './database.ts';
import { presented } from './response.ts';

/** The last step of a request: calls the handler, with what the contract puts around it, and sends the response. */
export function answer(api: ApiDefinition, route: Route): RequestHandler {
  const handler = api.handlers[route.id] as Handle;
  const prepare = preparationOf(handler);
  const respond: Answer = prepare
    ? async (call, req) => around(api, route, await prepare(call))(call, req)
    : around(api, route, handler);
  const surround = surroundingsOf(handler) ?? ((_call, answered) => answered());
  return async (req, res) => {
    const call = callOf(api, req, res);
    send(res, await surround(call, () => respond(call, req)));
  };
}

/** A handler with what surrounds it, from the inside to the outside. */
function around(api: ApiDefinition, route: Route, handle: Handle): Answer {
  const isManaged = !hasOwnTransaction(api.handlers[route.id] as Handle);
  const isWrite = isManaged && (route.method !== 'get' || route.operation['x-writes'] === true);
  const preferred = route.bodySchema ? readStrictly : (given: Handle) => asPreferred(api, route, given);
  let respond = presented(api, route, takes(route, 'Prefer') ? preferred(handle) : handle);
  if (isWrite && takes(route, 'If-Match')) respond = ifMatching(api, route, respond);
  if (isWrite && takes(route, 'Idempotency-Key')) respond = oncePerKey(respond);
  return withDatabase(api, { isWrite, isManaged, readsPrimary: route.operation['x-reads-primary'] === true }, respond);
}

function send(res: Response, { status, headers, body }: PreparedResponse): void {
  res.statusCode = status;
  for (const name in headers) res.setHeader(name, headers[name]!);
  if (body === null) return void res.end();
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  // Not res.send(), which answers 304 to conditional requests.
  res.end(body);
}
