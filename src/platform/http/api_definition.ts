import type { Request } from 'express';
import type { FilePaths } from '../core/links.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { Readers } from '../db/readers/readers.ts';
import type { Contract, ContractOperation } from './contract_document.ts';
import type { UploadMemory } from './security/upload_memory.ts';

/** A contract with its handlers, and everything else that the frame needs to serve it. */
export interface ApiDefinition {
  readonly contract: Contract;
  readonly handlers: Readonly<Record<string, unknown>>;
  /** The database handle for requests of an account. Undefined means requests without an account. */
  readonly dbFor: (accountId: number | undefined) => Db;
  /** The servers that answer reads beside the primary, if there are any. */
  readonly readers?: Readers | undefined;
  readonly links: FilePaths;
  readonly gitCommit: string;
  /** Returns the current time. */
  readonly clock: () => Date;
  readonly publicUrl: string | undefined;
  /** v3 adds `meta` to every response; v1 sends bare records. */
  readonly hasMeta: boolean;
  /** v1 reads any body as JSON and accepts numbers as text; v3 is strict. */
  readonly isLenient: boolean;
  /** Whether reads go through row-level security. Writes always do. */
  readonly securesReads: boolean;
  readonly uploadMemory: UploadMemory;
  /** The page that describes what replaces deprecated operations. */
  readonly changesPage: string;
  /** Finds the caller, by security scheme. Null for a scheme that identifies a program rather than a person. */
  readonly authenticate: Readonly<Record<string, Authenticate>>;
}

export type Authenticate = (req: Request, operation: ContractOperation) => Promise<Actor | null>;
