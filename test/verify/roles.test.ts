import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationsOf, readContract } from '../../src/http/spec.ts';
import type { RequestOptions } from '../support/client.ts';
import { service } from '../support/service.ts';
import { newWorld, type Person, type World } from '../support/world.ts';

/*
 * Walks the contracts, so that a new operation is covered the moment it is written: who is let in, before anything else about
 * a request is looked at.
 */

const v3 = operationsOf(readContract('v3')).map(({ path, method, operation }) => ({ path, method, ...operation, id: operation.operationId }));

const takesBearer = (operation: (typeof v3)[number]): boolean => operation.security === undefined;
const secured = v3.filter(takesBearer);
const inPlace = secured.filter(({ path }) => /\{(account_id|workspace_id)\}/.test(path));

/** A request that says as little as it can: the checks of the security step come first. */
const emptyRequest = ({ path, requestBody }: (typeof v3)[number]): RequestOptions => ({
  params: Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map((match) => [match[1]!, '0']).filter(([name]) => !['account_id', 'workspace_id'].includes(name!)),
  ),
  ...(requestBody && !Object.hasOwn(requestBody.content, 'multipart/form-data') ? { body: {} } : {}),
});

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

describe('every secured operation of v3', () => {
  it.each(inPlace)('$id: 404 for a stranger', async (operation) => {
    expect((await world.stranger.call(operation.id, emptyRequest(operation))).status).toBe(404);
  });

  it.each(inPlace)('$id: 404 where the place cannot exist', async (operation) => {
    const request = emptyRequest(operation);
    const params = { ...request.params, account_id: '99999999999999999999', workspace_id: 'abc' };
    expect((await world.admin.call(operation.id, { ...request, params })).status).toBe(404);
  });
});

describe('the role table', () => {
  it('is the reviewed one', async () => {
    const people: [string, Person][] = [
      ['employee', await world.addMember('employee')],
      ['area admin', await world.addMember('areaAdmin')],
      ['workspace admin', await world.addMember('workspaceAdmin')],
      ['account admin', await world.addMember('accountAdmin')],
    ];
    const lines = [['operation', 'x-role', ...people.map(([name]) => name)].join('\t')];
    for (const operation of secured.filter(({ id }) => !changesTheWorld.has(id))) {
      const statuses = await Promise.all(
        people.map(async ([, person]) => ((await person.call(operation.id, emptyRequest(operation))).status === 403 ? 'no' : 'yes')),
      );
      lines.push([operation.id, operation['x-role'], ...statuses].join('\t'));
    }
    await expect(lines.join('\n') + '\n').toMatchFileSnapshot('roles.tsv');
  });
});

/** An empty request is all these need to succeed, and would end the walk. */
const changesTheWorld = new Set(['signOut', 'deleteWorkspace']);

describe('both APIs', () => {
  it('404 at an address that is not in the contract, in the shape of every error', async () => {
    const { url } = await service();
    for (const address of ['/api/v3/nowhere', '/public_api/v1/nowhere', '/nowhere']) {
      const response = await supertest(url).get(address);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ errors: [{ status: 'not_found', source: { pointer: 'base' } }], meta: { git_commit: 'test' } });
    }
  });
});
