import type { Request } from 'express';
import type { MatchedOperation } from '../api_definition.ts';
import type { ContractOperation } from '../contract_document.ts';

/** What the library attaches to a request once it has matched an operation. */
export interface LibraryMatch {
  readonly schema: ContractOperation;
  readonly openApiRoute: string;
  readonly expressRoute: string;
  readonly serial: number;
  readonly pathParams: Record<string, string>;
}

export type LibraryRequest = Request & { openapi?: LibraryMatch };

/** The operation that `match` found for a request, if it found one. */
export function matchedOperation(req: Request): MatchedOperation | undefined {
  const match = (req as LibraryRequest).openapi;
  return match?.schema && { operation: match.schema, pathParameters: match.pathParams };
}
