import { describe, expect, it } from 'vitest';
import { readContract } from '../../../../src/platform/http/contract_document.ts';
import { allowed, routesOf } from '../../../../src/platform/http/route.ts';

describe.each(['v3', 'public'] as const)('the routes of %s', (api) => {
  const contract = readContract(api);
  const routes = routesOf(contract);
  const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

  it('are all in the contract, each at its path', () => {
    expect(routes.map(([path]) => path).toSorted()).toEqual(Object.keys(contract.paths).toSorted());
    for (const [path, ofPath] of routes) expect(ofPath.every((route) => route.path === path)).toBe(true);
  });

  it('are compared with a request in an order in which each is found', () => {
    for (const [path] of routes) {
      const address = path.replaceAll(/\{\w+\}/g, '7');
      expect(routes.find(([other]) => patternOf(other).test(address))![0]).toBe(path);
    }
  });

  it('name the methods of their path', () => {
    for (const [path, ofPath] of routes)
      expect(allowed(ofPath).split(', ').toSorted()).toEqual(
        Object.keys(contract.paths[path]!)
          .filter((name) => name !== 'parameters')
          .map((name) => name.toUpperCase())
          .toSorted(),
      );
  });
});
