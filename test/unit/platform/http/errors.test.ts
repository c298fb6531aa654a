import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../../src/platform/core/errors.ts';
import {
  forbidden,
  invalid,
  notFound,
  refuse,
  tooManyRequests,
  unauthorized,
} from '../../../../src/platform/core/errors.ts';
import { toAppError } from '../../../../src/platform/http/answers/errors.ts';

const thrown = (code: string, others: object = {}) => Object.assign(new Error('secret internals'), { code, ...others });
const titles = ({ problems }: AppError): string[] => problems.map(({ title }) => title);

describe('our own refusals', () => {
  it('stay as they are', () => {
    const refusals = [
      notFound('area'),
      forbidden(),
      unauthorized(),
      invalid('invalid_value', 'name', 'name is bad.'),
      tooManyRequests(5, 'Too many attempts.'),
    ];
    expect(refusals.map((refusal) => toAppError(refusal))).toEqual(refusals);
    expect(refusals.map(({ status }) => status)).toEqual([404, 403, 401, 400, 429]);
    expect(tooManyRequests(5, 'Too many attempts.').headers).toEqual({ 'Retry-After': '5' });
  });

  it('need a reason', () => {
    expect(() => refuse([])).not.toThrow();
    expect(() => refuse([{ code: 'invalid_value', pointer: 'name', title: 'name is bad.' }])).toThrow('name is bad.');
  });
});

describe('the database', () => {
  it('refuses a taken value in the words of the API', () => {
    const error = thrown('23505', {
      constraint: 'areas_name',
      detail: 'Key (account_id, workspace_id, name)=(1, 2, a, (b)) already exists.',
    });
    expect(toAppError(error)).toMatchObject({
      status: 400,
      problems: [{ pointer: 'name', title: 'name "a, (b)" is already used by another active area of this workspace.' }],
    });
  });

  it('never names a PIN', () => {
    const error = thrown('23505', {
      constraint: 'memberships_identifier_pin',
      detail: 'Key (account_id, workspace_id, identifier_pin)=(1, 2, 4711) already exists.',
    });
    expect(titles(toAppError(error))).toEqual(['identifier_pin is already used by another user of this workspace.']);
  });

  it.each(['23503', '22003', '22021', '22P02'])('%s is a 400', (code) => {
    expect(toAppError(thrown(code)).status).toBe(400);
  });

  it.each(['42P01', '23505', 'XX000'])('%s is a 500 without details', (code) => {
    const error = toAppError(thrown(code));
    expect(error.status).toBe(500);
    expect(titles(error)).toEqual(['Something went wrong on our side. The request id leads to it in the logs.']);
  });

  it.each(['ECONNREFUSED', '57P01', '53300', '08006', '40001', '40P01'])(
    '%s is a 503 that asks for patience',
    (code) => {
      expect(toAppError(thrown(code))).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
    },
  );
});

describe('anything else', () => {
  it.each([new Error('secret'), new TypeError('secret'), 'secret', undefined, null, { status: 200 }, { status: 599 }])(
    '%s is a 500',
    (error) => {
      expect(toAppError(error)).toMatchObject({ status: 500, problems: [{ pointer: 'base' }] });
      expect(JSON.stringify(toAppError(error).problems)).not.toContain('secret');
    },
  );

  it.each([
    [{ status: 400, type: 'entity.parse.failed' }, 400, 'The body is not valid JSON.'],
    [
      { status: 413, type: 'entity.too.large' },
      413,
      'The body is too large. A JSON body may have 1 MiB, an uploaded file 25 MiB, and a form 20 files.',
    ],
    [{ status: 415, type: 'encoding.unsupported' }, 415, 'The media type of the body is not understood.'],
    [{ status: 400, type: 'request.aborted' }, 400, 'The request could not be read.'],
    [{ status: 405, headers: { Allow: 'GET' } }, 405, 'This address does not take this method.'],
    [{ status: 418 }, 400, 'The request could not be read.'],
  ])('%j is a %i', (error, status, title) => {
    const made = toAppError(error);
    expect([made.status, ...titles(made)]).toEqual([status, title]);
  });
});
