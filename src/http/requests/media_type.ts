import type { RequestHandler } from 'express';
import { AppError } from '../../core/errors.ts';
import { matchedOperation } from '../validator/matched_operation.ts';

interface WithHeaders {
  readonly headers: { 'content-type'?: string };
}

const jsonTypes = new Set(['application/json', 'application/vnd.api+json']);

/** The media type of the body, without its parameters. */
export const mediaTypeOf = (req: WithHeaders): string | undefined =>
  req.headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase();

export const isJson = (req: WithHeaders): boolean => jsonTypes.has(mediaTypeOf(req) ?? '');

/**
 * Reduces Content-Type to a handful of spellings. The validator compiles and keeps a validator per spelling, so that each new
 * one would cost time, and memory for ever.
 */
export const normaliseMediaType =
  (isLenient: boolean): RequestHandler =>
  (req, _res, next) => {
    const type = mediaTypeOf(req);
    const isEmpty = !req.headers['transfer-encoding'] && !Number(req.headers['content-length'] ?? 0);
    if (type === 'multipart/form-data' && !isEmpty) return next();
    if (isEmpty) delete req.headers['content-type'];
    else if (isLenient) req.headers['content-type'] = 'application/json';
    else req.headers['content-type'] = jsonTypes.has(type ?? '') ? type : 'application/octet-stream';
    next();
  };

/** Refuses a media type that the operation does not read (415). */
export const requireReadableType =
  (isLenient: boolean): RequestHandler =>
  (req, _res, next) => {
    const type = mediaTypeOf(req);
    const requestBody = matchedOperation(req)?.operation.requestBody;
    const content = requestBody?.content;
    const jsonType = Object.keys(content ?? {}).find((name) => jsonTypes.has(name));
    // A missing body is treated as an object without members, so that the error names the members that are required.
    if (type === undefined && jsonType !== undefined && requestBody?.required) {
      req.headers['content-type'] = jsonType;
      req.body = {};
    }
    if (type !== undefined && content && !Object.hasOwn(content, type)) {
      throw new AppError(415, [
        {
          code: 'unsupported_media_type',
          pointer: 'base',
          title: `The body must be one of ${Object.keys(content).join(', ')}.`,
        },
      ]);
    }
    // An operation without a body ignores one, whatever its type.
    if (!content && !isLenient) delete req.headers['content-type'];
    next();
  };
