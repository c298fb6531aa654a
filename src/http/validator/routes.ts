import type { RequestHandler } from 'express';
import { recentlyUsed } from '../../core/remember.ts';
import { operationsOf, type Contract } from '../contract_document.ts';
import type { LibraryMatch, LibraryRequest } from './matched_operation.ts';

/*
 * The library finds the operation of a request by trying the pattern of every path in turn, which took a tenth of the time of
 * a request. Here a tree of path segments leads to the path, and the library's result for the operation is cached. The library
 * still decides wherever the tree does not.
 */

/** A node of the tree: one segment of a path. */
interface Node {
  readonly literals: Map<string, Node>;
  parameter?: Node;
  /** The path that ends here. */
  path?: string;
  /** The names of that path's parameters, in order. */
  parameterNames?: readonly string[];
}

/** The library's `match` with a cache. */
export function cachedRoutes(contract: Contract, match: RequestHandler): RequestHandler {
  const find = pathFinder(contract);
  const cache = recentlyUsed<string, LibraryMatch>(1_000);
  return (req: LibraryRequest, res, next) => {
    const found = find(req.originalUrl);
    const key = found && `${req.method} ${found.path}`;
    const cached = cache.get(key ?? '');
    if (!found || !cached) {
      return match(req, res, (error?: unknown) => {
        if (found && req.openapi?.openApiRoute === found.path) cache.set(key!, req.openapi);
        next(error);
      });
    }
    const { schema, openApiRoute, expressRoute, serial } = cached;
    req.openapi = { schema, openApiRoute, expressRoute, serial, pathParams: found.parameters };
    req.params = found.parameters;
    next();
  };
}

/** Finds the path of the contract for an address, or undefined where the library must decide. */
function pathFinder(
  contract: Contract,
): (address: string) => { path: string; parameters: Record<string, string> } | undefined {
  const root = treeOf(contract);
  return (address) => {
    const end = address.indexOf('?');
    const values: string[] = [];
    let node: Node | undefined = root;
    for (const segment of (end < 0 ? address : address.slice(0, end)).split('/')) {
      const literal: Node | undefined = node.literals.get(segment);
      if (!literal) values.push(segment.includes('%') ? decodeURIComponent(segment) : segment);
      node = literal ?? (segment === '' ? undefined : node.parameter);
      if (!node) return undefined;
    }
    const { path, parameterNames } = node;
    if (path === undefined) return undefined;
    const parameters: Record<string, string> = {};
    for (const [index, name] of parameterNames!.entries()) parameters[name] = values[index]!;
    return { path, parameters };
  };
}

function treeOf(contract: Contract): Node {
  const root: Node = { literals: new Map() };
  for (const { path } of operationsOf(contract)) {
    const fullPath = contract.servers[0]!.url + path;
    const parameterNames: string[] = [];
    let node = root;
    for (const segment of fullPath.split('/')) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      let next = name === undefined ? node.literals.get(segment) : node.parameter;
      if (!next) {
        next = { literals: new Map() };
        if (name === undefined) node.literals.set(segment, next);
        else node.parameter = next;
      }
      if (name !== undefined) parameterNames.push(name);
      node = next;
    }
    Object.assign(node, { path: fullPath, parameterNames });
  }
  return root;
}
