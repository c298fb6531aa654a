import express, { type RequestHandler } from 'express';
import { invalid, refuse } from '../../core/errors.ts';
import type { Route } from '../route.ts';
import { isTooDeep, maxDepth, nulProblems } from './body_checks.ts';
import { withData } from './flat_body.ts';
import { lengthProblems } from './list_lengths.ts';
import { isJsonType, mediaTypeOf } from './media_type.ts';
import { withNamedObject } from './named_object.ts';
import { normaliseBody } from './normalise_body.ts';

export const readJson: RequestHandler = express.json({
  limit: '1mb',
  type: (req) => isJsonType(mediaTypeOf(req) ?? ''),
  strict: false,
});

/** Refuses a body that cannot be stored or is too long for the validator, and normalises it for the validator. */
export function prepareBody(route: Route, isLenient: boolean): RequestHandler {
  const { operation, bodySchema: schema, envelopes, resolve } = route;
  const isRequired = operation.requestBody?.required === true;
  const options = { isCreate: route.method === 'post', isLenient, resolve };
  return (req, _res, next) => {
    if (isRequired && mediaTypeOf(req) === undefined) throw invalid('required', 'base', 'The request needs a body.');
    if (req.body === undefined) return next();
    const body = withData(req.body, operation, schema, resolve);
    // The lengths come first: all other checks look at every item.
    refuse(lengthProblems(body, schema, { envelopes, resolve }));
    if (isTooDeep(body))
      throw invalid('malformed_request', 'base', `The body is nested more than ${maxDepth} levels deep.`);
    refuse(nulProblems(body, envelopes));
    req.body = normaliseBody(isLenient ? withNamedObject(body, schema, resolve) : body, schema, options);
    next();
  };
}
