import type { RequestHandler } from 'express';
import { operationsOf, type Contract } from '../contract_document.ts';

/*
 * The library compiles an operation at its first request, which takes longer than most requests do, and finds a mistake in the
 * contract only then.
 */

const pauseMs = 10;

/** Compiles every operation, with pauses in which requests are served. The operations in `first` come first. */
export async function warmUp(
  contract: Contract,
  steps: readonly RequestHandler[],
  first: readonly string[],
): Promise<void> {
  const orderOf = (operationId: string): number =>
    first.includes(operationId) ? first.indexOf(operationId) : first.length;
  const operations = operationsOf(contract).sort(
    (a, b) => orderOf(a.operation.operationId) - orderOf(b.operation.operationId),
  );
  const base = contract.servers[0]!.url;
  for (const { method, path, operation } of operations) {
    // The library keeps one compiled validator per media type of the body.
    for (const type of Object.keys(operation.requestBody?.content ?? { '': null })) {
      // Also before the first operation, because requests may have waited for the start.
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
      const request = emptyRequest(method.toUpperCase(), base + path.replaceAll(/\{\w+\}/g, '0'), type);
      for (const step of steps) {
        const error = await new Promise<unknown>((resolve) => void step(request as never, {} as never, resolve));
        // An empty request is often invalid. Its operation is compiled all the same.
        if (error !== undefined && (error as { status?: number }).status !== 400)
          throw new Error(`${operation.operationId}: ${String(error)}`);
      }
    }
  }
}

/** The members of a request that the library reads. */
const emptyRequest = (method: string, address: string, type: string): object => ({
  method,
  originalUrl: address,
  path: address,
  baseUrl: '',
  headers: type ? { 'content-type': type } : {},
  query: {},
  params: {},
  body: type ? {} : undefined,
  app: { enabled: () => false, param: () => {} },
});
