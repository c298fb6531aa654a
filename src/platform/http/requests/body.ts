import express, { type RequestHandler } from 'express';
import { invalid, refuse } from '../../core/errors.ts';
import { prefersStrict, unknownParameters } from '../answers/strictness.ts';
import { resolveSchema } from '../contract_document.ts';
import type { Route } from '../route.ts';
import { limitProblems } from './body_limits.ts';
import { withData } from './flat_body.ts';
import { isJsonType, mediaTypeOf } from './media_type.ts';
import { withNamedObject } from './named_object.ts';
import { normaliseBody } from './normalise_body.ts';
import { unknownMembers } from './unknown_members.ts';

export const readJson: RequestHandler = express.json({
  limit: '1mb',
  type: (req) => isJsonType(mediaTypeOf(req) ?? ''),
  strict: false,
});

/** Refuses a body that cannot be stored or is too long for the validator, and normalises it for the validator. */
export function prepareBody(route: Route, isLenient: boolean): RequestHandler {
  const { operation, bodySchema: schema, resolve } = route;
  const isRequired = operation.requestBody?.required === true;
  const options = { isCreate: route.method === 'post', isLenient, resolve };
  const names = route.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  // In the public API, parameters may stand for members of the body.
  const refusesParameters =
    !isLenient && schema !== undefined && resolveSchema(schema, resolve).additionalProperties === false;
  return (req, res, next) => {
    if (isRequired && mediaTypeOf(req) === undefined) throw invalid('required', 'base', 'The request needs a body.');
    if (req.body === undefined) return next();
    const body = withData(req.body, operation, schema, resolve);
    refuse(limitProblems(body, route));
    const meant = isLenient ? withNamedObject(body, schema, resolve) : body;
    const isStrict = prefersStrict(req.get('Prefer'));
    res.locals['unknownMembers'] = [
      ...(schema && isStrict ? unknownMembers(meant, schema, route) : []),
      ...(refusesParameters || (isStrict && !isLenient) ? unknownParameters('The operation', req.query, names) : []),
    ];
    req.body = normaliseBody(meant, schema, options);
    next();
  };
}
