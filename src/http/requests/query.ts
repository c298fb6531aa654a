import type { RequestHandler } from 'express';

/**
 * Accepts other spellings of a query: `ids[]=1&ids[]=2` and `ids=1&ids=2` mean `ids=1,2`, and a blank in a time is the `+` of
 * its offset, sent without encoding.
 */
export const normaliseQuery: RequestHandler = (req, _res, next) => {
  const query = Object.fromEntries(Object.entries(req.query).map(([name, value]) => [name, normalised(value)]));
  // Express parses the query at every access. From here on, this one is used.
  Object.defineProperty(req, 'query', { value: query, writable: true, configurable: true, enumerable: true });
  next();
};

function normalised(value: unknown): unknown {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  return typeof value === 'string' ? value.replace(/^(\d{4}-\d{2}-\d{2}T[\d:.]+) (\d{2}:?\d{2})$/i, '$1+$2') : value;
}
