import { describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { signedLinks } from '../../src/files/links.ts';
import { warmUp } from '../../src/http/validator/warm_up.ts';
import { readContract } from '../../src/http/contract_document.ts';
import { service } from '../support/service.ts';

describe('warm-up', () => {
  it('compiles every operation of both contracts', async () => {
    const { config, database } = await service();
    await createApp({ config, database, links: signedLinks('test key'), log: pino({ level: 'silent' }) }).warmUp();
  });

  it('sends one request per operation and media type, in the order of use, and accepts a refusal', async () => {
    const seen: string[] = [];
    const step = (
      req: { method: string; originalUrl: string; headers: Record<string, string> },
      _res: unknown,
      next: (error?: unknown) => void,
    ) => {
      seen.push(`${req.method} ${req.originalUrl} ${req.headers['content-type'] ?? ''}`.trim());
      next({ status: 400 });
    };
    await warmUp(readContract('v3'), [step as never], ['signIn', 'getCurrentUser']);
    expect(seen.slice(0, 3)).toEqual([
      'POST /api/v3/sign_in application/vnd.api+json',
      'POST /api/v3/sign_in application/json',
      'GET /api/v3/users/me',
    ]);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('names the operation that cannot be compiled', async () => {
    const step = (_req: unknown, _res: unknown, next: (error?: unknown) => void) => next(new Error('no such schema'));
    await expect(warmUp(readContract('v3'), [step as never], ['getStatus'])).rejects.toThrow(
      'getStatus: Error: no such schema',
    );
  });
});
