import type { Route } from '../route.ts';

/** Where a problem is. Every problem has a pointer; one about a parameter or a header also names that, as JSON:API does. */
interface Source {
  readonly pointer: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** Where a problem of a request is. A request without a body can have problems with its parameters only. */
export function sourceOf(pointer: string, route: Route | undefined): Source {
  if (pointer === 'base' || route === undefined) return { pointer };
  const isNamed = ({ name }: { readonly name: string }): boolean => name.toLowerCase() === pointer.toLowerCase();
  const known = route.parameters.find(isNamed);
  if (known?.in === 'header') return { pointer, header: known.name };
  return route.bodySchema === undefined ? { pointer, parameter: pointer } : { pointer };
}
