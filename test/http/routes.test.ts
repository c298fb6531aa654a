import * as OpenApiValidator from 'express-openapi-validator';
import type { RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { operationsOf, readContract } from '../../src/http/contract_document.ts';
import { validatorCopy } from '../../src/http/validator/contract_copy.ts';
import type { LibraryRequest } from '../../src/http/validator/matched_operation.ts';
import { cachedRoutes } from '../../src/http/validator/routes.ts';

type Found = Pick<NonNullable<LibraryRequest['openapi']>, 'openApiRoute' | 'pathParams'> & { operationId: string };

/** Asks a step for the operation of a request, as the frame does. */
const askerOf = (step: RequestHandler) => (method: string, originalUrl: string) =>
  new Promise<Found | { status: number }>((resolve) => {
    const path = originalUrl.split('?')[0];
    const req = { method, originalUrl, path, baseUrl: '', app: { enabled: () => false } } as unknown as LibraryRequest;
    void step(req as never, {} as never, (error?: unknown) => {
      if (error !== undefined) return resolve({ status: (error as { status: number }).status });
      const { schema, openApiRoute, pathParams } = req.openapi!;
      expect(req.params).toBe(pathParams);
      resolve({ operationId: schema.operationId, openApiRoute, pathParams });
    });
  });

describe.each(['v3', 'public'] as const)('the way to an operation of %s', (api) => {
  const contract = readContract(api);
  const steps = OpenApiValidator.middleware({
    apiSpec: validatorCopy(contract) as never,
    validateApiSpec: false,
  }) as unknown as RequestHandler[];
  const metadata = steps.find(({ name }) => name === 'metadataMiddleware')!;
  let asked = 0;
  const match: RequestHandler = (req, res, next) => {
    asked += 1;
    return metadata(req, res, next);
  };
  const [validator, memory] = [askerOf(metadata), askerOf(cachedRoutes(contract, match))];
  const base = contract.servers[0]!.url;

  it('is the one that the validator finds, which is asked once for each', async () => {
    const operations = operationsOf(contract);
    for (const filling of ['7', 'a%2Fb%C3%A9', 'me']) {
      for (const { method, path } of operations) {
        const address = base + path.replaceAll(/\{\w+\}/g, filling);
        const request = [method.toUpperCase(), `${address}?page=2/3`] as const;
        const expected = await validator(...request);
        for (let turn = 0; turn < 2; turn++) expect(await memory(...request)).toEqual(expected);
      }
      expect(asked).toBeGreaterThanOrEqual(operations.length);
      if (filling !== 'me') expect(asked).toBe(operations.length);
    }
  });

  it('is refused where the validator refuses it', async () => {
    const [first] = Object.keys(contract.paths) as [string];
    const refused: [method: string, address: string][] = [
      ['GET', `${base}/nowhere`],
      ['GET', `${base}//`],
      ['TRACE', base + first],
    ];
    for (const request of refused) {
      const refusal = await validator(...request);
      expect([404, 405]).toContain((refusal as { status: number }).status);
      expect(await memory(...request)).toEqual(refusal);
    }
  });

  it('does not depend on capitals or a last slash, as with the validator', async () => {
    const path = Object.keys(contract.paths).find(
      (candidate) => !candidate.includes('{') && contract.paths[candidate]!['get'],
    )!;
    for (const address of [base + path + '/', (base + path).toUpperCase()])
      expect(await memory('GET', address)).toEqual(await validator('GET', address));
  });
});
