import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { isUuid } from '../core/ids.ts';

export const requestIdOf = (req: Request): string => (req as Request & { id: string }).id;

/** A UUID that the caller sent is kept, so that both sides' logs agree. */
export const newRequestId = (req: { headers: Record<string, unknown> }): string => {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && isUuid(given) ? given.toLowerCase() : randomUUID();
};
