import type { RequestHandler } from 'express';
import type { ContractOperation } from '../contract_document.ts';
import type { Route } from '../route.ts';

/*
 * An operation that the contract calls deprecated says so in every response: since when (RFC 9745), until when it is served
 * (RFC 8594) once that is decided, and which page describes the replacement.
 */

/** Sets the headers of a deprecated operation. `page` is the address of the page about upcoming changes. */
export function announceDeprecation({ operation }: Route, page: string): RequestHandler | undefined {
  if (operation.deprecated !== true) return undefined;
  const headers = headersOf(operation, page);
  return (_req, res, next) => {
    res.set(headers);
    next();
  };
}

function headersOf(operation: ContractOperation, page: string): Record<string, string> {
  const { 'x-deprecated-since': since, 'x-sunset': sunset } = operation;
  if (since === undefined)
    throw new Error(`${operation.operationId} is deprecated and has no x-deprecated-since. Add it to the contract.`);
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset === undefined ? {} : { Sunset: new Date(sunset).toUTCString() }),
    Link: `<${page}>; rel="deprecation"; type="text/html"`,
  };
}
