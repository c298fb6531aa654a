import type { RequestHandler } from 'express';
import type { ApiDefinition } from '../api_definition.ts';
import type { Route } from '../route.ts';

/** Finds out who is calling, and keeps the actor in `res.locals`. Nothing is asked where the contract asks for no credential. */
export function authenticate(
  { authenticate: schemes }: Pick<ApiDefinition, 'authenticate'>,
  { id, operation, schemes: names }: Route,
): RequestHandler | undefined {
  const [identify, ...others] = new Set(names.map((name) => schemes[name]));
  if (others.length > 0) throw new Error(`${id} has security schemes that look for the credential in different ways.`);
  if (!identify) return undefined;
  return async (req, res, next) => {
    res.locals['actor'] = await identify(req, operation);
    next();
  };
}
