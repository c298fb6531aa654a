import { Ajv2020 } from 'ajv/dist/2020.js';
import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { chain } from '../../src/platform/http/server/middleware_chain.ts';

/* Faults of packages that our code works around. Where a test fails, the fault is mended, and the file that it names gets simpler. */

const contract = {
  openapi: '3.1.0',
  info: { title: 'Small', version: '1' },
  servers: [{ url: '/' }],
  paths: { '/one': { get: { responses: {} } }, '/two': { get: { responses: {} } } },
};

const libraryOf = (): RequestHandler =>
  chain(
    ...(OpenApiValidator.middleware({
      apiSpec: contract as never,
      validateApiSpec: false,
      validateSecurity: false,
      fileUploader: false,
    }) as unknown as RequestHandler[]),
  );

const send = (library: RequestHandler, address: string): Promise<unknown> => {
  const app = { enabled: () => false, param: () => {} };
  const req = {
    method: 'GET',
    originalUrl: address,
    path: address,
    baseUrl: '',
    headers: {},
    query: {},
    params: {},
    app,
  };
  return new Promise((resolve) => void library(req as never, {} as never, resolve));
};

describe('express-openapi-validator', () => {
  it('compiles the schema of OpenAPI for every instance (validator/validator.ts)', async () => {
    const compile = vi.spyOn(Ajv2020.prototype, 'compile');
    onTestFinished(() => compile.mockRestore());
    expect(await send(libraryOf(), '/one')).toBeUndefined();
    const compiled = compile.mock.calls.map(([schema]) => String((schema as { $id?: string }).$id));
    expect(compiled.filter((id) => id.startsWith('https://spec.openapis.org/oas/3.1/'))).toHaveLength(1);
  });

  it('compiles the patterns of paths for every request (validator/validator.ts)', async () => {
    const library = libraryOf();
    await send(library, '/two');
    const patterns: string[] = [];
    class ObservedRegExp extends RegExp {
      constructor(pattern: string | RegExp, flags?: string) {
        super(pattern, flags);
        patterns.push(String(pattern));
      }
    }
    vi.stubGlobal('RegExp', ObservedRegExp);
    onTestFinished(() => void vi.unstubAllGlobals());
    await send(library, '/two');
    expect(patterns.filter((pattern) => /one|two/.test(pattern))).toHaveLength(2);
  });
});

describe('ajv', () => {
  it('copies all errors of a list for each further one (requests/body_limits.ts)', () => {
    const check = new Ajv2020({ allErrors: true }).compile({
      $defs: { item: { type: 'object', properties: { part: { $ref: '#/$defs/item' } }, required: ['name'] } },
      type: 'array',
      items: { $ref: '#/$defs/item' },
    });
    const concat = vi.spyOn(Array.prototype, 'concat');
    onTestFinished(() => concat.mockRestore());
    check(Array<object>(100).fill({}));
    expect(concat.mock.calls.length).toBeGreaterThanOrEqual(99);
  });
});
