import type { Request, Response } from 'express';
import { linksAt } from '../../core/links.ts';
import type { Actor } from '../../core/permissions.ts';
import { wholeSeconds } from '../../core/time.ts';
import type { ApiDefinition } from '../api_definition.ts';
import type { Call, Operation, UploadedFile } from '../contract.ts';
import { originOf } from '../server/origin.ts';
import { requestIdOf } from '../server/request_id.ts';
import { queryOptionsOf } from '../requests/query_options.ts';

/** Everything that a handler gets to know of a request. A call that is retried keeps the time at which it arrived. */
export function callOf(api: ApiDefinition, req: Request, res: Response): Call<Operation> {
  const requestId = requestIdOf(req);
  const actor = res.locals['actor'] as Actor | null | undefined;
  return {
    params: req.params as never,
    query: req.query as never,
    body: req.body as never,
    files: uploadsIn(req),
    actor: (actor && { ...actor, requestId }) as never,
    db: api.dbFor(actor?.accountId),
    now: wholeSeconds(api.clock()),
    queryOptions: queryOptionsOf(req.query, req.originalUrl),
    links: linksAt(originOf(api.publicUrl, req), api.links),
    address: req.ip ?? '',
    addressWith: (parameters) => addressWith(api, req, parameters),
    requestId,
    isAborted: () => res.destroyed,
    header: (name) => req.get(name),
  };
}

/** The address of the request with other parameters: clients fetch it unchanged. */
function addressWith(
  api: ApiDefinition,
  req: Request,
  changes: Readonly<Record<string, string | number | null>>,
): string {
  const [path, query] = req.originalUrl.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  // The public API takes parameters in the body, too.
  for (const [name, value] of Object.entries(api.isLenient ? req.query : {}))
    if (!parameters.has(name) && !parameters.has(`${name}[]`)) parameters.set(name, String(value));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) parameters.delete(name);
    else parameters.set(name, String(value));
  }
  return `${originOf(api.publicUrl, req)}${path}?${parameters}`;
}

const noFiles: readonly UploadedFile[] = [];

/** Browsers send file names in UTF-8, which the parser reads as Latin-1. */
const uploadsIn = (req: Request): readonly UploadedFile[] =>
  (req as { files?: Express.Multer.File[] }).files?.map(({ fieldname, originalname, buffer }) => ({
    field: fieldname,
    name: Buffer.from(originalname, 'latin1').toString('utf8'),
    bytes: buffer,
  })) ?? noFiles;
