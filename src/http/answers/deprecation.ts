import type { RequestHandler } from 'express';
import { operationsOf, type Contract, type ContractOperation } from '../contract_document.ts';
import { matchedOperation } from '../validator/matched_operation.ts';

/*
 * An operation that the contract calls deprecated says so in every response: since when (RFC 9745), until when it is served
 * (RFC 8594), and which page describes the replacement.
 */

/** Sets the headers of deprecated operations. `page` is the address of the page about upcoming changes. */
export function announceDeprecations(contract: Contract, page: string): RequestHandler {
  const announced = new Map(
    operationsOf(contract)
      .filter(({ operation }) => operation.deprecated === true)
      .map(({ operation }) => [operation.operationId, headersOf(operation, page)] as const),
  );
  return (req, res, next) => {
    const headers = announced.get(matchedOperation(req)?.operation.operationId ?? '');
    if (headers) res.set(headers);
    next();
  };
}

function headersOf(operation: ContractOperation, page: string): Record<string, string> {
  const { 'x-deprecated-since': since, 'x-sunset': sunset } = operation;
  const missing = since === undefined ? 'x-deprecated-since' : sunset === undefined ? 'x-sunset' : undefined;
  if (missing) throw new Error(`${operation.operationId} is deprecated and has no ${missing}. Add it to the contract.`);
  return {
    Deprecation: `@${Date.parse(since!) / 1000}`,
    Sunset: new Date(sunset!).toUTCString(),
    Link: `<${page}>; rel="deprecation"; type="text/html"`,
  };
}
