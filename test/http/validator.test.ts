import { createRequire } from 'node:module';
import { inspect } from 'node:util';
import type { RequestHandler } from 'express';
import type * as OpenApiValidator from 'express-openapi-validator';
import { describe, expect, it } from 'vitest';
import { operationsOf, readContract } from '../../src/http/contract_document.ts';
import { validatorCopy } from '../../src/http/validator/contract_copy.ts';
import { libraryMiddlewares } from '../../src/http/validator/library.ts';

/** The path and the validators of every operation after the validator has read a contract. */
async function readings(api: 'v3' | 'public', steps: readonly RequestHandler[]): Promise<Record<string, string>> {
  const contract = readContract(api);
  const match = steps.find(({ name }) => name === 'metadataMiddleware')!;
  const read: Record<string, string> = {};
  for (const { method, path, operation } of operationsOf(contract)) {
    const address = contract.servers[0]!.url + path.replaceAll(/\{\w+\}/g, '0');
    const request = {
      method: method.toUpperCase(),
      originalUrl: address,
      path: address,
      baseUrl: '',
      app: { enabled: () => false },
    };
    const error = await new Promise<unknown>((resolve) => void match(request as never, {} as never, resolve));
    if (error !== undefined) throw new Error(`${operation.operationId}: ${String(error)}`);
    // Unlike JSON, `inspect` can print recursive schemas and the names of functions.
    read[operation.operationId] = inspect(
      { ...(request as { openapi?: object }).openapi, serial: undefined },
      { depth: null },
    );
  }
  return read;
}

/** A second copy of the library. The app in this process has patched the first. */
function libraryByItself(): typeof OpenApiValidator {
  const require = createRequire(import.meta.url);
  for (const file of Object.keys(require.cache))
    if (file.includes('express-openapi-validator')) delete require.cache[file];
  return require('express-openapi-validator') as typeof OpenApiValidator;
}

describe('the validator', () => {
  it('reads our contracts as the unpatched library does', async () => {
    const apis = ['v3', 'public'] as const;
    const options = (api: 'v3' | 'public') => ({
      apiSpec: validatorCopy(readContract(api)) as never,
      validateSecurity: false,
      validateApiSpec: false,
    });
    const { middleware } = libraryByItself();
    const own = await Promise.all(
      apis.map((api) => readings(api, middleware(options(api)) as unknown as RequestHandler[])),
    );
    const ours = await Promise.all(apis.map((api) => readings(api, libraryMiddlewares(options(api)))));
    expect(ours).toEqual(own);
  });
});
