import type { Request, RequestHandler } from 'express';
import { AppError } from '../../core/errors.ts';
import type { Route } from '../route.ts';

type WithHeaders = Pick<Request, 'headers'>;

export const formType = 'multipart/form-data';
const jsonTypes = ['application/json', 'application/vnd.api+json'];

export const isJsonType = (type: string): boolean => jsonTypes.includes(type);

/** The media type of the body, without its parameters. */
export const mediaTypeOf = (req: WithHeaders): string | undefined =>
  req.headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase();

/**
 * Refuses a media type that the operation does not read (415). Content-Type has one spelling afterwards: the validator compiles
 * and keeps a validator per spelling, so that each new one would cost time, and memory for ever.
 */
export function checkMediaType({ operation, mediaTypes }: Route, isLenient: boolean): RequestHandler {
  const jsonType = mediaTypes.find(isJsonType);
  // A missing body is treated as an object without members, so that the error names the members that are required.
  const missingType = operation.requestBody?.required ? jsonType : undefined;
  return (req, _res, next) => {
    const type = sentType(req, isLenient);
    if (type === undefined) {
      if (missingType) req.body = {};
      setType(req, missingType);
    } else if (mediaTypes.length === 0) {
      // An operation without a body ignores one, whatever its type. In the public API it may contain the token.
      setType(req, isLenient && isJsonType(type) ? type : undefined);
    } else if (!mediaTypes.includes(type)) {
      const title = `The body must be one of ${mediaTypes.join(', ')}.`;
      throw new AppError(415, [{ code: 'unsupported_media_type', pointer: 'base', title }]);
    } else if (type !== formType) {
      setType(req, jsonType);
    }
    next();
  };
}

/** The media type of the body, or undefined for an empty one. The public API reads everything but forms as JSON. */
function sentType(req: WithHeaders, isLenient: boolean): string | undefined {
  const isEmpty = !req.headers['transfer-encoding'] && !Number(req.headers['content-length'] ?? 0);
  if (isEmpty) return undefined;
  const type = mediaTypeOf(req) ?? 'application/octet-stream';
  return isLenient && type !== formType ? 'application/json' : type;
}

/** Gives Content-Type a value, or removes it. */
export function setType(req: WithHeaders, type: string | undefined): void {
  if (type === undefined) delete req.headers['content-type'];
  else req.headers['content-type'] = type;
}
