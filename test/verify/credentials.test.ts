import { beforeAll, describe, expect, it } from 'vitest';
import { checkResponse } from '../support/contract/response_check.ts';
import { walkTimeoutMs, sample, tally } from '../support/verification.ts';
import { issueApiKey } from '../support/people.ts';
import { multipartBody, send, type RawResponse, type RawRequest } from '../support/contract/raw_http.ts';
import { service } from '../support/service.ts';
import { bases, namesInPath, operations, schemesOf, type ApiOperation } from '../support/contract/operations.ts';
import { bodyOf, newWorld, type World } from '../support/world.ts';

/*
 * The service checks the credential of a request before anything else. The test reads the operations from the contracts, so it
 * covers a new operation at once.
 */

/** Operations without a credential. A new one must be added here. */
const open = ['signUp', 'requestPasswordReset', 'updatePassword', 'checkPasswordToken', 'confirmEmail', 'getStatus'];

/** The kinds of tokens whose session was ended. */
const ended = ['revoked', "an inactive user's"];

let world: World;
let wrong: Record<'bearer' | 'apiKey' | 'apiToken', [string, string | undefined][]>;

beforeAll(async () => {
  world = await newWorld();
  const shown = await revoked(world);
  const malformed: [string, string][] = [
    '',
    ' ',
    'x',
    'null',
    'undefined',
    "' or 1=1 --",
    'a'.repeat(4000),
    'ü',
    '%00',
  ].map((text) => ['malformed', text]);
  const { token } = world.admin;
  wrong = {
    bearer: [
      ['none', undefined],
      ...malformed.map(([kind, text]): [string, string] => [kind, `Bearer ${text}`]),
      ...[token, `Basic ${token}`, `Bearer ${token} ${token}`, `Bearer ${token.slice(0, -1)}`, `Bearer "${token}"`].map(
        (text): [string, string] => ['malformed', text],
      ),
      ['revoked', `Bearer ${shown.token}`],
      ["the other API's", `Bearer ${world.apiToken}`],
      ["an inactive user's", `Bearer ${shown.inactive}`],
      ["a deleted user's", `Bearer ${shown.deleted}`],
    ],
    apiKey: [
      ['none', undefined],
      ...malformed,
      ['revoked', shown.apiKey],
      ["the other API's", world.apiToken],
      ['a token', token],
    ],
    apiToken: [['none', undefined], ...malformed, ['revoked', shown.apiToken], ["the other API's", token]],
  };
});

/** Credentials that are no longer valid. */
async function revoked({ addMember, admin, db, enterprise, accountId }: World) {
  const [leaver, inactive, deleted] = [
    await addMember('accountAdmin'),
    await addMember('accountAdmin'),
    await addMember('accountAdmin'),
  ];
  expect((await leaver.call('signOut')).status).toBe(204);
  expect((await enterprise('deactivatePublicUser', { body: { user: { id: inactive.id } } })).status).toBe(200);
  // Deleting a user through the API also deletes their tokens. Here the token remains, and must not be enough.
  await db
    .updateTable('users')
    .set({ deleted_at: new Date() })
    .where('account_id', '=', accountId)
    .where('id', '=', deleted.id)
    .execute();
  const { body } = await admin.call('createApiToken', { body: bodyOf('api_token', { name: 'Old' }) });
  expect((await admin.call('deleteApiToken', { params: { api_token_id: body.data.id } })).status).toBe(200);
  const apiKey = await issueApiKey(new Date());
  return {
    token: leaver.token,
    inactive: inactive.token,
    deleted: deleted.token,
    apiToken: body.data.attributes.token as string,
    apiKey,
  };
}

/** The address of an operation in the world's own account, so that nothing but the credential is wrong. */
const addressOf = ({ api, path }: ApiOperation): string => {
  const place: Record<string, number> = { account_id: world.accountId, workspace_id: world.workspaceId };
  return (
    bases[api] +
    namesInPath(path).reduce((address, name) => address.replace(`{${name}}`, String(place[name] ?? 1)), path)
  );
};

type Body = Pick<RawRequest, 'headers' | 'body'>;

/** A body of the type that the operation accepts, empty except for the credential, if there is one. */
function bodyFor({ requestBody }: ApiOperation, members: Record<string, unknown>): Body {
  if (!requestBody) return {};
  if (!Object.hasOwn(requestBody.content, 'multipart/form-data'))
    return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(members) };
  return multipartBody(
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  );
}

/** The ways in which a credential can be sent for an operation. */
async function answersTo(
  operation: ApiOperation,
  credential: string | undefined,
  turn: number,
): Promise<RawResponse[]> {
  const { url } = await service();
  const { method } = operation;
  const address = addressOf(operation);
  const ask = (at: string, { headers, body }: Body, more: RawRequest['headers'] = {}) =>
    send(url, { method, address: at, headers: { ...headers, ...more }, ...(body ? { body } : {}) });
  const nothing = bodyFor(operation, {});
  if (credential === undefined) return [await ask(address, nothing)];
  // Node sends only what fits into one byte per character.
  if (operation.api === 'v3')
    return [await ask(address, nothing, { [headerOf(operation)]: Buffer.from(credential, 'utf8').toString('latin1') })];
  const inQuery = ['api_token', 'api_token[]', 'api_token[x]'].map(
    (name) => `${address}?${name}=${encodeURIComponent(credential)}`,
  );
  const inBody = operation.requestBody ? [credential, [credential], { credential }, 1, true] : [];
  return Promise.all([
    ...sample(inQuery, 1, turn).map((one) => ask(one, nothing)),
    ...sample(inBody, 1, turn).map((api_token) => ask(address, bodyFor(operation, { api_token }))),
  ]);
}

const headerOf = (operation: ApiOperation): string =>
  schemesOf(operation)[0] === 'apiKey' ? 'Api-Key' : 'Authorization';

describe('every operation', () => {
  it('is open to everybody only if this is known', () => {
    expect(
      operations
        .filter((operation) => schemesOf(operation).length === 0)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...open].sort());
  });

  it(
    '401 in one shape without a good credential',
    async () => {
      const line = tally('operations × wrong credentials: 401 in one shape');
      const titles = new Map<string, Set<string>>();
      for (const [index, operation] of operations.filter(({ id }) => !open.includes(id)).entries()) {
        const scheme = schemesOf(operation)[0]!.replace('apiTokenInBody', 'apiToken') as keyof typeof wrong;
        const malformed = wrong[scheme].filter(([kind]) => kind === 'malformed');
        const others = wrong[scheme].filter(([kind]) => kind !== 'malformed');
        for (const [kind, credential] of [...others, ...sample(malformed, 2, index)]) {
          for (const answer of await answersTo(operation, credential, index)) {
            line.count();
            checkResponse(operation.api, operation.id, answer, false);
            const { errors } = answer.body as { errors: { status: string; source: object; title: string }[] };
            const shape = JSON.stringify([
              answer.status,
              answer.headers['www-authenticate'],
              errors.map(({ status, source }) => ({ status, source })),
            ]);
            if (shape !== '[401,"Bearer",[{"status":"unauthorized","source":{"pointer":"base"}}]]')
              line.fail(`${operation.id} with ${kind} credential: ${shape}`);
            const group = scheme === 'bearer' && ended.includes(kind) ? 'ended session' : scheme;
            titles.set(group, (titles.get(group) ?? new Set()).add(errors[0]!.title));
          }
        }
      }
      line.close();
      // Only of a session that was ended, the response says why its token is refused.
      expect([...titles.values()].map((set) => set.size)).toEqual([1, 1, 1, 1]);
    },
    walkTimeoutMs,
  );
});
