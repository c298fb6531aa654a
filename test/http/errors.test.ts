import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import type { AppError } from '../../src/core/errors.ts';
import { forbidden, invalid, notFound, refuse, tooManyRequests, unauthorized } from '../../src/core/errors.ts';
import { toAppError } from '../../src/http/answers/errors.ts';
import { asAppError } from '../../src/http/validator/problems.ts';

const asked = (body: unknown = {}, query: object = {}) => ({ body, query }) as Request;
const thrown = (code: string, others: object = {}) => Object.assign(new Error('secret internals'), { code, ...others });
const titles = ({ problems }: AppError): string[] => problems.map(({ title }) => title);

/** The error response for an error of the validator, in an operation whose body has the members `data` and `user`. */
const refused = (
  errors: readonly { path: string; message: string; errorCode?: string }[],
  req: Request = asked(),
): AppError => asAppError({ status: 400, errors }, req, new Set(['data', 'user'])) as AppError;

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

describe("the validator's errors", () => {
  const say = (path: string, message: string, body: unknown = {}, query: object = {}) =>
    refused([{ path, message }], asked(body, query)).problems[0]!;

  it.each([
    ['must be integer', 'x must be a whole number, but was "v".'],
    ['must be string,null', 'x must be text or null, but was "v".'],
    ['must be boolean', 'x must be true or false, but was "v".'],
    ['must be array', 'x must be a list, but was "v".'],
    ['must be integer,string', 'x must be a whole number or text, but was "v".'],
    ['must match format "date"', 'x must be a day that exists, like 2026-01-30, but was "v".'],
    ['must match format "email"', 'x must be an e-mail address, but was "v".'],
    ['must NOT have more than 255 characters', 'x must have at most 255 characters, but was "v".'],
    ['must be >= 1', 'x must be at least 1, but was "v".'],
    ['must be equal to one of the allowed values: area', 'x must be "area", but was "v".'],
    ['must be equal to one of the allowed values: a, b', 'x must be one of a, b, but was "v".'],
    ['must match pattern "^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$"', 'x must be a month such as 2026-05, but was "v".'],
    ['must match pattern "\\S"', 'x must not be blank, but was "v".'],
    ['must match pattern "^#[0-9A-Fa-f]{6}$"', 'x must be a colour like #2196F3, but was "v".'],
  ])('%s', (message, title) => {
    expect(say('/body/data/attributes/x', message, { data: { attributes: { x: 'v' } } })).toMatchObject({
      pointer: 'x',
      title,
    });
  });

  it('name what is missing', () => {
    expect(say('/body/data/attributes/name', "must have required property 'name'")).toMatchObject({
      pointer: 'name',
      title: 'name is required.',
    });
  });

  it('point into lists, and at parameters', () => {
    expect(say('/body/data/attributes/parts/0/at', 'must be string').pointer).toBe('parts/0/at');
    expect(say('/query/items', 'must be <= 100', {}, { items: 500 })).toMatchObject({
      pointer: 'items',
      title: 'items must be at most 100, but was 500.',
    });
    expect(say('/body', 'must be object', 5)).toMatchObject({
      pointer: 'base',
      title: 'The body must be an object, but was 5.',
    });
  });

  it('never repeat a secret, and cut what is long', () => {
    const body = {
      data: {
        attributes: {
          password: 'short',
          reset_password_token: 't',
          identifier_pin: 'p',
          tablet_pin: 'p',
          name: 'x'.repeat(500),
        },
      },
    };
    for (const name of ['password', 'reset_password_token', 'identifier_pin', 'tablet_pin'])
      expect(say(`/body/data/attributes/${name}`, 'must be string', body).title).toBe(`${name} must be text.`);
    expect(say('/body/data/attributes/name', 'must be string', body).title.length).toBeLessThan(140);
  });

  it('can contain names with odd characters', () => {
    expect(say('/body/user/data_profiles/100%', 'must be string').pointer).toBe('data_profiles/100%');
    expect(say('/body/a~1b~0c', 'must be string').pointer).toBe('a/b~c');
  });

  it('occur once each, without those of the branches of a union, and never in thousands', () => {
    const union = refused([
      { path: '/body/x', message: 'must be string', errorCode: 'type.openapi.validation' },
      { path: '/body/x', message: 'must match exactly one schema in oneOf', errorCode: 'oneOf.openapi.validation' },
      { path: '/body/y', message: 'must be string', errorCode: 'type.openapi.validation' },
      { path: '/body/y', message: 'must be string', errorCode: 'type.openapi.validation' },
    ]);
    expect(union.problems.map(({ pointer }) => pointer)).toEqual(['x', 'y']);
    const many = Array.from({ length: 5000 }, (_, index) => ({
      path: `/body/ids/${index}`,
      message: 'must be integer',
    }));
    expect(refused(many).problems).toHaveLength(100);
  });
});
