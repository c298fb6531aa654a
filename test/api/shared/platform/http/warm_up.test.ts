import type { RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { createApp } from '../../../../../src/programs/app.ts';
import { signedLinks } from '../../../../../src/platform/files/links.ts';
import { warmUp } from '../../../../../src/platform/http/validator/warm_up.ts';
import { readContract } from '../../../../../src/platform/http/contract_document.ts';
import { routesOf } from '../../../../../src/platform/http/route.ts';
import { service } from '../../../../support/service.ts';

const contract = readContract('v3');
const routes = routesOf(contract).flatMap(([, ofPath]) => ofPath);

describe('warm-up', () => {
  it('compiles every operation of both contracts', async () => {
    const { config, database } = await service();
    await createApp({ config, database, links: signedLinks('test key'), log: pino({ level: 'silent' }) }).warmUp();
  });

  it('sends one request per operation, in the order of use, and accepts a refusal', async () => {
    const seen: string[] = [];
    const validator: RequestHandler = ({ method, originalUrl, headers }, _res, next) => {
      seen.push(`${method} ${originalUrl} ${headers['content-type'] ?? ''}`.trim());
      next({ status: 400 });
    };
    await warmUp(
      contract,
      routes.map((route) => [route, validator]),
      ['signIn', 'getCurrentUser'],
    );
    expect(seen.slice(0, 2)).toEqual(['POST /api/v3/sign_in application/vnd.api+json', 'GET /api/v3/users/me']);
    expect(new Set(seen).size).toBe(routes.length);
  });

  it('names the operation that cannot be compiled', async () => {
    const validator: RequestHandler = (_req, _res, next) => next(new Error('no such schema'));
    const status = routes.filter(({ id }) => id === 'getStatus').map((route) => [route, validator] as const);
    await expect(warmUp(contract, status, [])).rejects.toThrow('getStatus: Error: no such schema');
  });
});
