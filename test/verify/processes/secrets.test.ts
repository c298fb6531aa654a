import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Db } from '../../../src/platform/db/connection.ts';
import { figure, tally, repetitions, slack } from '../../support/verification.ts';
import { newProcessStorage, type ProcessStorage } from '../../support/processes/process_storage.ts';
import { runProgram, startServer, type Running } from '../../support/processes/process.ts';

/*
 * The test uses unique secrets through their whole life, in the right places and in wrong ones. Afterwards no secret may occur in
 * plain text anywhere that others than its owner can read.
 */

const secrets = new Map<string, string>();

/** Records a secret under a name that may be printed. */
const keep = (name: string, secret: string): string => (secrets.set(name, secret), secret);
const marked = (name: string): string => keep(name, `marked-${randomBytes(12).toString('hex')}`);

describe('secrets', () => {
  let place: ProcessStorage;
  let server: Running;
  /** The text of all error responses. */
  const refusals: string[] = [];
  let apiKey = '';

  beforeAll(async () => {
    place = await newProcessStorage();
    const made = await runProgram('cli', ['migrate'], place.environment);
    if (made.code !== 0) throw new Error(made.output);
    const key = await runProgram('cli', ['api-key', 'create', '--name', 'App'], place.environment);
    apiKey = keep('Api-Key', /pak_[\w-]+/.exec(key.output)![0]);
    server = await startServer({
      ...place.environment,
      LOG_LEVEL: 'trace',
      SIGN_IN_FAILURES_PER_PAIR: '0',
      SIGN_IN_FAILURES_PER_ADDRESS: '0',
    });
  }, 180_000);
  afterAll(async () => {
    await server?.stop();
    await place?.remove();
  }, 60_000);

  interface Answer {
    data: {
      id: string;
      attributes: Record<string, string>;
      relationships: Record<string, { data: { id: string } & { id: string }[] }>;
    };
  }
  async function call(
    method: string,
    address: string,
    options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const { token, body, headers } = options;
    const response = await fetch(server.url + address, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        'Api-Key': apiKey,
        'Idempotency-Key': randomUUID(),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status >= 400) refusals.push(text);
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Answer };
  }
  const user = (attributes: object) => ({ data: { type: 'user', attributes } });

  it('are in plain text nowhere but with their owners', async () => {
    const email = `${randomUUID()}@example.com`;
    const password = marked('the first password');
    const signedUp = await call('POST', '/api/v3/sign_up', { body: user({ email, password, username: 'Robin' }) });
    const token = keep('an access token', signedUp.body.data.attributes['access_token']!);
    const me = (await call('GET', '/api/v3/users/me', { token })).body.data.relationships;
    const workspace = me['workspaces']!.data[0]!.id;
    const account = me['account']!.data.id;
    keep(
      'a second access token',
      (await call('POST', '/api/v3/sign_in', { body: user({ email, password }) })).body.data.attributes[
        'access_token'
      ]!,
    );
    const issued = await call('POST', `/api/v3/accounts/${account}/api_tokens`, {
      token,
      body: { data: { type: 'api_token', attributes: { name: 'Payroll' } } },
    });
    const apiToken = keep(
      'an api_token',
      Object.values(issued.body.data.attributes).find((value) => /^[A-Za-z0-9]{40}$/.test(value))!,
    );

    // Valid secrets, in the query and in the body.
    await call('GET', `/public_api/v1/locations?api_token=${apiToken}`);
    await call('GET', `/public_api/v1/users?page=1&api_token=${apiToken}`);
    await call('POST', '/public_api/v1/working_areas', {
      body: { api_token: apiToken, location_id: Number(workspace), working_area: { name: 'Bar' } },
    });
    await call('POST', `/api/v3/workspaces/${workspace}/users`, {
      token,
      body: user({ username: 'Kim', email: `${randomUUID()}@example.com` }),
    });

    // Secrets that are wrong, malformed or in the wrong place.
    await call('POST', '/api/v3/sign_in', { body: user({ email, password: marked('a wrong password') }) });
    await call('POST', '/api/v3/sign_in', {
      body: user({ email, password: { is: marked('a password in an object') } }),
    });
    await call('POST', '/api/v3/sign_up', {
      body: user({ email: 'nobody', password: marked('a password beside a wrong address'), username: '' }),
    });
    await call('POST', '/api/v3/sign_up', {
      body: `{"data":{"type":"user","attributes":{"password":"${marked('a password in broken JSON')}"`,
    });
    await call('GET', '/api/v3/users/me', { token: marked('an invented access token') });
    await call('GET', '/api/v3/users/me', { headers: { Authorization: marked('a header that is none') } });
    await call('POST', '/api/v3/sign_in', {
      headers: { 'Api-Key': marked('an invented Api-Key') },
      body: user({ email, password }),
    });
    await call('GET', `/public_api/v1/users?api_token=${marked('an invented api_token')}`);
    await call('GET', `/public_api/v1/users?api_token[]=${marked('an api_token in a list')}&page=x`);
    await call('POST', '/public_api/v1/users', {
      body: { api_token: apiToken, user: { password: marked('a password for the public API'), email: 5 } },
    });
    await call('PUT', '/public_api/v1/users', { body: { api_token: { is: marked('an api_token in an object') } } });
    await call('PUT', '/api/v3/password', {
      body: user({
        reset_password_token: marked('an invented reset token'),
        password: marked('a password without a token'),
      }),
    });

    // A password reset. Only the mail contains the link.
    await call('POST', '/api/v3/password', { body: user({ email, password: '' }) });
    const link = keep('a reset token', await tokenInMail(email));
    const next = marked('the next password');
    await call('PUT', '/api/v3/password', { body: user({ reset_password_token: link, password: 'short' }) });
    const changed = await call('PUT', `/api/v3/password?reset_password_token=${link}`, {
      body: user({ reset_password_token: link, password: next }),
    });
    keep('the token after a new password', changed.body.data.attributes['access_token']!);
    for (const name of readdirSync(path.join(place.folder, 'mail')))
      for (const each of tokensIn(name)) keep(`a token in the mail ${name}`, each);

    const wanted = secrets.size;
    const looked = tally('secrets looked for in database, files, logs, error bodies and the names of mails');
    looked.count(wanted);
    const look = (where: string, text: string | Buffer): void => {
      for (const [name, secret] of secrets) if (text.includes(secret)) looked.fail(`${name} stands in ${where}`);
    };
    for (const refusal of refusals) look('an error body', refusal);
    look('the names of the mails', readdirSync(path.join(place.folder, 'mail')).join('\n'));
    await server.stop();
    look('the log', server.output());
    if (!server.output().includes('api_token=[redacted]')) looked.fail('the log does not show that a token was sent');
    if (!place.url)
      for (const file of filesBelow(path.join(place.folder, 'db')))
        look(`the file ${path.basename(file)}`, readFileSync(file));
    const database = await place.open();
    const lines = await everyText(database.db, (where, text) => look(where, text));
    await database.close();
    figure('rows of all tables read for it', lines);
    looked.close();
  });

  it('are not revealed by the duration of a sign-in', async () => {
    server = await startServer({
      ...place.environment,
      LOG_LEVEL: 'silent',
      SIGN_IN_FAILURES_PER_PAIR: '0',
      SIGN_IN_FAILURES_PER_ADDRESS: '0',
      SIGN_IN_MAX_DELAY_SECONDS: '0',
    });
    const known = `${randomUUID()}@example.com`;
    await call('POST', '/api/v3/sign_up', {
      body: user({ email: known, password: 'correct horse battery', username: 'Robin' }),
    });
    const attempts = tally('sign-ins timed, of known and unknown addresses in turn');
    const durations: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let round = 0; round < repetitions(20, 300); round++) {
      for (const which of ['known', 'unknown'] as const) {
        const began = performance.now();
        const { status } = await call('POST', '/api/v3/sign_in', {
          body: user({ email: which === 'known' ? known : `${randomUUID()}@example.com`, password: 'wrong' }),
        });
        durations[which].push(performance.now() - began);
        attempts.count();
        if (status !== 401) attempts.fail(`${which}: answered ${status}`);
      }
    }
    const percent = Math.round((100 * median(durations.known)) / median(durations.unknown));
    // An unknown address takes less than 20 % of the time of a known one if no hash is computed for it.
    const most = 100 + 25 * slack;
    const isRevealed = percent > most || percent < 10_000 / most;
    figure('median for a known address, in percent of that for an unknown one', percent, isRevealed ? 1 : 0);
    if (isRevealed) attempts.fail(`a known address takes ${percent} % of the time of an unknown one`);
    attempts.close();
  });

  const mailFiles = (): string[] => {
    try {
      return readdirSync(path.join(place.folder, 'mail'));
    } catch {
      return [];
    }
  };
  const contentOf = (name: string): string =>
    readFileSync(path.join(place.folder, 'mail', name), 'utf8')
      .replaceAll('=\n', '')
      .replaceAll('=3D', '=');
  const tokensIn = (name: string): string[] =>
    [...contentOf(name).matchAll(/(?:reset_password|confirmation)_token=([\w-]+)/g)].map((match) => match[1]!);

  async function tokenInMail(email: string): Promise<string> {
    for (let attempt = 0; attempt < 600; attempt++) {
      const isReset = (text: string): boolean => text.includes(email) && text.includes('reset_password_token=');
      const mail = mailFiles().find((name) => isReset(contentOf(name)));
      if (mail) return tokensIn(mail)[0]!;
      await pause(100);
    }
    throw new Error('The mail with the reset link never came.');
  }
});

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? filesBelow(file) : [file];
  });

/** Every row of every table as one text, including the tables of the queue. */
async function everyText(db: Db, look: (where: string, text: string) => void): Promise<number> {
  const tables = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  let count = 0;
  for (const { schema, name } of tables.rows) {
    const { rows } = await sql<{
      line: string;
    }>`select row_to_json(row)::text as line from ${sql.table(`${schema}.${name}`)} as row`.execute(db);
    count += rows.length;
    for (const { line } of rows) look(`the table ${schema}.${name}`, line);
  }
  return count;
}
