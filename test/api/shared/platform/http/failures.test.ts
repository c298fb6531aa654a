import { Writable } from 'node:stream';
import { pino } from 'pino';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../../src/platform/db/connection.ts';
import { withoutSecrets } from '../../../../../src/platform/http/server/request_log.ts';
import { images } from '../../../../support/images.ts';
import { service, serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

/** A log that the test can read. */
function openLog() {
  const lines: string[] = [];
  const stream = new Writable({ write: (line: Buffer, _encoding, done) => (lines.push(line.toString()), done()) });
  return { log: pino({ level: 'debug' }, stream), lines };
}

describe('500', () => {
  it('shows no details, which are in the log under the request id', async () => {
    const { employee, admin } = await newWorld();
    const { log, lines } = openLog();
    const links = {
      file: () => {
        throw new Error('a secret of the server');
      },
      isValid: () => true,
      sign: () => '',
    };
    const image = `data:image/png;base64,${images.png}`;
    await admin.call('updateUser', { params: { user_id: employee.id }, body: bodyOf('user', { avatar: image }) });
    const response = await employee.call('getCurrentUser', { at: await serviceWith({}, { log, links }) });
    expect(response.status).toBe(500);
    expect(response.body.errors).toEqual([
      {
        status: 'internal_server_error',
        code: 'internal_error',
        source: { pointer: 'base' },
        title: 'Something went wrong on our side. The request id leads to it in the logs.',
        links: { about: expect.stringMatching(/^http:.*#internal_error$/) },
      },
    ]);
    expect(response.text).not.toContain('secret');
    const logged = lines.filter((line) => line.includes('a secret of the server'));
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.every((line) => line.includes(response.body.meta.request_id))).toBe(true);
  });
});

describe('503', () => {
  it('while the service is stopping', async () => {
    const url = await serviceWith({}, { isStopping: () => true });
    for (const address of ['/api/v3/status', '/public_api/v1/ping', '/docs']) {
      const response = await supertest(url).get(address);
      expect(response).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5' },
        body: { errors: [{ status: 'service_unavailable', code: 'unavailable' }] },
      });
    }
  });

  it('while the database cannot be reached', async () => {
    const database = await openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 1 });
    onTestFinished(() => database.close());
    const { employee } = await newWorld();
    const at = await serviceWith({}, { database });
    for (const operation of ['getStatus', 'getCurrentUser']) {
      const response = await employee.call(operation, { at });
      expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
      expect(response.text).not.toMatch(/postgres|nobody|127\.0\.0\.1:1\b|ECONNREFUSED/);
    }
  });
});

describe('the log', () => {
  it('has a line per request, and no credential in it', async () => {
    const { admin, apiToken } = await newWorld();
    const { log, lines } = openLog();
    const at = await serviceWith({ REQUIRE_API_KEY: 'false' }, { log });
    await admin.call('getCurrentUser', { at });
    await supertest(at).get('/public_api/v1/ping').query({ api_token: apiToken, page: 1 });
    await supertest(at)
      .put('/api/v3/password?reset_password_token=query-secret')
      .set('Content-Type', 'application/json')
      .send(bodyOf('user', { reset_password_token: 'body-secret', password: 'password-secret' }));
    await supertest(at).get('/files/1/x?expires=1&signature=signature-secret');
    const written = lines.join('');
    for (const secret of [admin.token, apiToken, 'query-secret', 'body-secret', 'password-secret', 'signature-secret'])
      expect(written).not.toContain(secret);
    const requests = lines
      .map(
        (line) =>
          JSON.parse(line) as { level: number; req?: { method: string; url: string }; res?: { status: number } },
      )
      .filter(({ req }) => req);
    expect(requests.map(({ req, res, level }) => [req!.method, req!.url, res!.status, level])).toEqual([
      ['GET', '/api/v3/users/me', 200, 30],
      ['GET', '/public_api/v1/ping?api_token=[redacted]&page=1', 200, 30],
      ['PUT', '/api/v3/password?reset_password_token=[redacted]', 400, 40],
      ['GET', '/files/1/x?expires=1&signature=[redacted]', 404, 40],
    ]);
  });
});

describe('an address in the log', () => {
  it.each([
    ['/users?page=1', '/users?page=1'],
    ['/users?api_token=x&page=1', '/users?api_token=[redacted]&page=1'],
    ['/users?page=1&api_token[]=x&api_token[0]=y', '/users?page=1&api_token[]=[redacted]&api_token[0]=[redacted]'],
    ['/users?%61pi_token=x&API%5FTOKEN=y', '/users?%61pi_token=[redacted]&API%5FTOKEN=[redacted]'],
    ['/users?%E0=x?y=z', '/users?%E0=[redacted]'],
    ['/users?api_token', '/users?api_token'],
    ['/users?filter[username]=Kim&sort=id', '/users?filter[username]=[redacted]&sort=id'],
    ['/users?filter%5Bemail%5D=eq:a@b.c&Filter=Kim', '/users?filter%5Bemail%5D=[redacted]&Filter=[redacted]'],
    ['/users?external_id=7&username=Kim&page=2', '/users?external_id=[redacted]&username=[redacted]&page=2'],
    ['/public/users/invitations/secret', '/public/users/invitations/[redacted]'],
    ['/calendars/secret.ics', '/calendars/[redacted]'],
    [
      '/public/users/invitations/secret/?invite_token=x',
      '/public/users/invitations/[redacted]/?invite_token=[redacted]',
    ],
  ])('%s is shown as %s', (url, shown) => {
    expect(withoutSecrets(url)).toBe(shown);
  });
});

describe('headers', () => {
  it('let pages of other origins call the service and read its headers', async () => {
    const { url } = await service();
    const preflight = await supertest(url).options('/api/v3/sign_in').set({
      Origin: 'https://app.example.com',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'api-key,content-type',
    });
    expect(preflight).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'api-key,content-type' },
    });
    const { headers } = await supertest(url).get('/api/v3/status').set('Origin', 'https://app.example.com');
    const exposed = headers['access-control-expose-headers']!.split(',');
    for (const name of [
      'Authorization',
      'Current-Page',
      'Page-Items',
      'Total-Pages',
      'Total-Count',
      'X-Request-Id',
      'Retry-After',
    ])
      expect(exposed).toContain(name);
  });

  it('keep browsers from guessing types, and do not name the software', async () => {
    const { url } = await service();
    const { headers } = await supertest(url).get('/api/v3/status');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.any(String),
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('announce compression of a large response, if the client accepts it', async () => {
    const { admin } = await newWorld();
    for (const name of ['Kitchen', 'Service', 'Bar', 'Office', 'Garden'])
      await admin.call('createArea', { body: bodyOf('area', { name }) });
    const list = (encoding: string) => admin.call('listAreas', { headers: { 'Accept-Encoding': encoding } });
    expect((await list('gzip')).headers['content-encoding']).toBe('gzip');
    expect((await list('identity')).headers['content-encoding']).toBeUndefined();
    expect(
      (await admin.call('listAreas', { query: { page: 9 }, headers: { 'Accept-Encoding': 'gzip' } })).headers[
        'content-encoding'
      ],
    ).toBeUndefined();
  });
});
