import type { RequestHandler } from 'express';
import type { Contract } from '../contract_document.ts';
import type { Route } from '../route.ts';

/*
 * The library compiles an operation at its first request, which takes longer than most requests do, and finds a mistake in the
 * contract only then.
 */

const pauseMs = 10;

/** Compiles every operation, with pauses in which requests are served. The operations in `first` come first. */
export async function warmUp(
  contract: Contract,
  validated: readonly (readonly [Route, RequestHandler])[],
  first: readonly string[],
): Promise<void> {
  const orderOf = ([{ id }]: readonly [Route, RequestHandler]): number =>
    first.includes(id) ? first.indexOf(id) : first.length;
  for (const [route, validator] of validated.toSorted((one, other) => orderOf(one) - orderOf(other))) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    const request = emptyRequest(route, contract.servers[0]!.url);
    const error = await new Promise<unknown>((resolve) => void validator(request as never, {} as never, resolve));
    // An empty request is often invalid. Its operation is compiled all the same.
    if (error !== undefined && (error as { status?: number }).status !== 400)
      throw new Error(`${route.id}: ${String(error)}`);
  }
}

/** The members of a request that the library reads. */
function emptyRequest({ method, path, mediaTypes: [type] }: Route, base: string): object {
  const address = base + path.replaceAll(/\{\w+\}/g, '0');
  return {
    method: method.toUpperCase(),
    originalUrl: address,
    path: address,
    baseUrl: '',
    headers: type ? { 'content-type': type } : {},
    query: {},
    params: {},
    body: type ? {} : undefined,
    app: { enabled: () => false, param: () => {} },
  };
}
