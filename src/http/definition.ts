import type { Request } from 'express';
import type { Links } from '../core/links.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { Contract, ContractOperation } from './spec.ts';
import type { UploadMemory } from './security/upload_memory.ts';

/** All that the frame needs to serve one contract. */
export interface Api {
  readonly contract: Contract;
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly db: Db;
  readonly links: Links;
  readonly gitCommit: string;
  /** What time it is. */
  readonly clock: () => Date;
  readonly publicUrl: string | undefined;
  /** v3 wraps answers with `meta`; v1 sends bare records. */
  readonly hasMeta: boolean;
  /** v1 reads any body as JSON and numbers from text; v3 is strict. */
  readonly isLenient: boolean;
  /** Whether reads, too, go through row-level security. Writes always do. */
  readonly fencesReads: boolean;
  /** Watches over the memory that forms take up. */
  readonly uploads: UploadMemory;
  /** Who calls, by security scheme. Null for a scheme that names a program rather than a person. */
  readonly authenticate: Readonly<
    Record<string, (req: MatchedRequest, operation: ContractOperation) => Promise<Actor | null>>
  >;
}

/** What the validator says of the operation that a request is for. */
export interface Matched {
  readonly schema: ContractOperation;
  readonly openApiRoute: string;
  readonly expressRoute: string;
  readonly serial: number;
  readonly pathParams: Record<string, string>;
}

export type MatchedRequest = Request & { openapi?: Matched };
