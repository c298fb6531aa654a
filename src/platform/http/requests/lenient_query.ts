import type { Request, RequestHandler } from 'express';
import { meantTime } from '../../core/lenient_times.ts';
import type { Route } from '../route.ts';
import { setType } from './media_type.ts';

/**
 * Accepts what clients of the public API send as parameters: those of a GET also as members of a JSON body, where the query
 * wins; several values of one name as a list; and other spellings of times. An empty value counts as not sent.
 * A credential is taken as it is.
 */
export function readLenientQuery({ method }: Route): RequestHandler {
  return (req, _res, next) => {
    const sent = Object.entries({ ...(method === 'get' ? parametersInBody(req) : {}), ...req.query });
    const query = Object.fromEntries(
      sent
        .map(([name, value]) => [name, name === 'api_token' ? value : meaningOf(value)])
        .filter(([, value]) => value !== ''),
    );
    // Express parses the query at every access. From here on, this one is used.
    Object.defineProperty(req, 'query', { value: query, writable: true, configurable: true, enumerable: true });
    next();
  };
}

/** The parameters in the body of a GET, which has no other use for one. */
function parametersInBody(req: Request): Readonly<Record<string, unknown>> {
  const body: unknown = req.body;
  setType(req, undefined);
  req.body = undefined;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== null && (isPlain(value) || isList(value))),
  );
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.every(isPlain);

/** A text. `ids[]=1&ids[]=2` and `ids=1&ids=2` mean `ids=1,2`. */
function meaningOf(value: unknown): unknown {
  if (isList(value)) return value.join(',');
  return isPlain(value) ? meantTime(String(value)) : value;
}
