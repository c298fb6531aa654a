import type { RequestHandler } from 'express';
import { operationsOf, type Contract } from '../spec.ts';

/*
 * The validator compiles an operation when it is first asked for, which takes longer than most requests do, and finds a
 * mistake in the contract only then.
 */

/** Has every operation compiled, one by one and with pauses for whoever is waiting; those that `first` names come first. */
export async function warmUp(
  contract: Contract,
  steps: readonly RequestHandler[],
  first: readonly string[],
): Promise<void> {
  const place = (operationId: string): number =>
    first.includes(operationId) ? first.indexOf(operationId) : first.length;
  const operations = operationsOf(contract).sort(
    (a, b) => place(a.operation.operationId) - place(b.operation.operationId),
  );
  const base = contract.servers[0]!.url;
  for (const { method, path, operation } of operations) {
    // Validators are kept per media type of the body.
    for (const type of Object.keys(operation.requestBody?.content ?? { '': null })) {
      // Also before the first: whoever has waited for the start is answered now.
      await new Promise((resolve) => setTimeout(resolve, 10).unref());
      const request = emptyRequest(method.toUpperCase(), base + path.replaceAll(/\{\w+\}/g, '0'), type);
      for (const step of steps) {
        const refusal = await new Promise<unknown>((resolve) => void step(request as never, {} as never, resolve));
        // That an empty request is refused is as good as its passing.
        if (refusal !== undefined && (refusal as { status?: number }).status !== 400)
          throw new Error(`${operation.operationId}: ${String(refusal)}`);
      }
    }
  }
}

/** What the validator reads of a request. */
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
