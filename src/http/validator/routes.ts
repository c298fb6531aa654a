import type { RequestHandler } from 'express';
import { recentlyUsed } from '../../core/remember.ts';
import type { Matched, MatchedRequest } from '../definition.ts';
import { operationsOf, type Contract } from '../spec.ts';

/*
 * The validator finds the operation of a request by trying the pattern of every path in turn, which took a tenth of the time
 * of a request. Here the segments of the address lead to the path, and what the validator said about its operation is
 * remembered. Whatever this does not know, the validator is asked.
 */

/** A step on the way through the paths of a contract. */
interface Node {
  readonly named: Map<string, Node>;
  parameter?: Node;
  path?: string;
  /** The names of the parameters on the way. */
  names?: readonly string[];
}

/** `match`, the validator's own way to find an operation, with a memory. */
export function rememberingRoutes(contract: Contract, match: RequestHandler): RequestHandler {
  const find = finder(contract);
  const remembered = recentlyUsed<string, Matched>(1_000);
  return (req: MatchedRequest, res, next) => {
    const found = find(req.originalUrl);
    const key = found && `${req.method} ${found.path}`;
    const known = remembered.get(key ?? '');
    if (!found || !known) {
      return match(req, res, (error?: unknown) => {
        if (found && req.openapi?.openApiRoute === found.path) remembered.set(key!, req.openapi);
        next(error);
      });
    }
    const { schema, openApiRoute, expressRoute, serial } = known;
    req.openapi = { schema, openApiRoute, expressRoute, serial, pathParams: found.parameters };
    req.params = found.parameters;
    next();
  };
}

/** Finds the path of the contract that an address means, where there can be no doubt about it. */
function finder(
  contract: Contract,
): (address: string) => { path: string; parameters: Record<string, string> } | undefined {
  const root = treeOf(contract);
  return (address) => {
    const end = address.indexOf('?');
    const values: string[] = [];
    let node: Node | undefined = root;
    for (const segment of (end < 0 ? address : address.slice(0, end)).split('/')) {
      const named: Node | undefined = node.named.get(segment);
      if (!named) values.push(segment.includes('%') ? decodeURIComponent(segment) : segment);
      node = named ?? (segment === '' ? undefined : node.parameter);
      if (!node) return undefined;
    }
    const { path, names } = node;
    if (path === undefined) return undefined;
    const parameters: Record<string, string> = {};
    for (const [index, name] of names!.entries()) parameters[name] = values[index]!;
    return { path, parameters };
  };
}

function treeOf(contract: Contract): Node {
  const root: Node = { named: new Map() };
  for (const { path } of operationsOf(contract)) {
    const whole = contract.servers[0]!.url + path;
    const names: string[] = [];
    let node = root;
    for (const segment of whole.split('/')) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      let next = name === undefined ? node.named.get(segment) : node.parameter;
      if (!next) {
        next = { named: new Map() };
        if (name === undefined) node.named.set(segment, next);
        else node.parameter = next;
      }
      if (name !== undefined) names.push(name);
      node = next;
    }
    Object.assign(node, { path: whole, names });
  }
  return root;
}
