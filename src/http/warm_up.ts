import type { RequestHandler } from 'express';
import type { Contract } from './spec.ts';
import { operationsOf } from './spec.ts';

/*
 * The validator compiles an operation when it is first asked for, which takes longer than most requests do, and finds a
 * mistake in the contract only then.
 */

/** The validator's steps that compile: the one that matches an operation, and the one that checks a request. */
export interface CompilingSteps {
  readonly match: RequestHandler;
  readonly validate: RequestHandler;
}

/** Has every operation compiled, one by one and with pauses for whoever is waiting; those that `first` names come first. */
export async function warmUp(contract: Contract, steps: CompilingSteps, first: readonly string[]): Promise<void> {
  const place = (operationId: string): number => (first.includes(operationId) ? first.indexOf(operationId) : first.length);
  const operations = operationsOf(contract).sort((a, b) => place(a.operation.operationId) - place(b.operation.operationId));
  const base = contract.servers[0]!.url;
  for (const { method, path, operation } of operations) {
    for (const type of Object.keys(operation.requestBody?.content ?? { '': null })) {
      // Multipart bodies are read before they are checked; there is none here.
      if (type.startsWith('multipart/')) continue;
      const address = base + path.replaceAll(/\{\w+\}/g, '0');
      await compile(steps, { method: method.toUpperCase(), address, type }, operation.operationId);
      await new Promise((resolve) => setTimeout(resolve, 10).unref());
    }
  }
}

/** Sends a request that is never served past the two steps. A refusal of the empty request is as good as its passing. */
async function compile({ match, validate }: CompilingSteps, call: { method: string; address: string; type: string }, operationId: string): Promise<void> {
  const request = {
    method: call.method,
    originalUrl: call.address,
    path: call.address,
    baseUrl: '',
    url: call.address,
    headers: call.type ? { 'content-type': call.type } : {},
    query: {},
    params: {},
    body: call.type ? {} : undefined,
    app: { enabled: () => false },
  };
  for (const step of [match, validate]) {
    const refusal = await new Promise<unknown>((resolve) => void step(request as never, {} as never, resolve));
    if (refusal !== undefined && (refusal as { status?: number }).status !== 400) throw new Error(`${operationId} cannot be compiled.`, { cause: refusal });
  }
}
