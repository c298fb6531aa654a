import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { isUuid } from '../../core/ids.ts';

type Identified = Request & { id: string };

export const requestIdOf = (req: Request): string => (req as Identified).id;

/** Gives a request its id. A UUID that the client sent is used, so that the logs of both sides agree. */
export function giveRequestId(req: Request): string {
  const given = req.headers['x-request-id'];
  return ((req as Identified).id = typeof given === 'string' && isUuid(given) ? given.toLowerCase() : randomUUID());
}
