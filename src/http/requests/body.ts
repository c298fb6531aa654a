import express, { type RequestHandler } from 'express';
import { invalid, refuse } from '../../core/errors.ts';
import type { ApiDefinition } from '../api_definition.ts';
import { operationsOf, requestBodySchema, resolver } from '../contract_document.ts';
import { matchedOperation } from '../validator/matched_operation.ts';
import { isTooDeep, maxDepth, nulProblems } from './body_checks.ts';
import { withData } from './flat_body.ts';
import { lengthProblems } from './list_lengths.ts';
import { isJson, mediaTypeOf } from './media_type.ts';
import { withNamedObject } from './named_object.ts';
import { normaliseBody } from './normalise_body.ts';
import { envelopesOf } from './pointers.ts';

export const readJson: RequestHandler = express.json({ limit: '1mb', type: isJson, strict: false });

/** Refuses a body that cannot be stored or is too long for the validator, and normalises it for the validator. */
export function prepareBody({ contract, isLenient }: Pick<ApiDefinition, 'contract' | 'isLenient'>): RequestHandler {
  const resolve = resolver(contract);
  // Not the operation of the request: the validator changes its own copy of the contract, in which any time may be null.
  const operations = new Map(
    operationsOf(contract).map(({ operation }) => [
      operation.operationId,
      { operation, envelopes: envelopesOf(operation, resolve) },
    ]),
  );
  return (req, _res, next) => {
    const known = operations.get(matchedOperation(req)?.operation.operationId ?? '');
    if (!known) return next();
    const { operation, envelopes } = known;
    if (operation.requestBody?.required && mediaTypeOf(req) === undefined)
      throw invalid('required', 'base', 'The request needs a body.');
    if (req.body === undefined) return next();
    const schema = requestBodySchema(operation, mediaTypeOf(req), resolve);
    const body = withData(req.body, operation, schema, resolve);
    // The lengths come first: all other checks look at every item.
    refuse(lengthProblems(body, schema, { envelopes, resolve }));
    if (isTooDeep(body))
      throw invalid('malformed_request', 'base', `The body is nested more than ${maxDepth} levels deep.`);
    refuse(nulProblems(body, envelopes));
    const meant = isLenient ? withNamedObject(body, schema, resolve) : body;
    req.body = normaliseBody(meant, schema, { isCreate: req.method === 'POST', isLenient, resolve });
    next();
  };
}
