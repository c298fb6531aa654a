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
    queryOptions: queryOptionsOf(req.query),
    links: linksAt(originOf(api.publicUrl, req), api.links),
    address: req.ip ?? '',
    addressOf: (page) => addressOf(api, req, page),
    requestId,
    isAborted: () => res.destroyed,
    header: (name) => req.get(name),
  };
}

/** The address of another page of the same list, with every parameter: clients fetch it unchanged. */
function addressOf(api: ApiDefinition, req: Request, page: number): string {
  const [path, query] = req.originalUrl.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  // Parameters may also be in the body.
  for (const [name, value] of Object.entries(req.query))
    if (!parameters.has(name) && !parameters.has(`${name}[]`)) parameters.set(name, String(value));
  parameters.set('page', String(page));
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
