import { beforeAll, describe, expect, it } from 'vitest';
import { operations, type ApiOperation } from '../../support/contract/operations.ts';
import { send } from '../../support/contract/raw_http.ts';
import { checkResponse } from '../../support/contract/response_check.ts';
import { newTenant, type Tenant } from '../../support/contract/tenant/tenant.ts';
import { rawRequestOf, validRequests } from '../../support/contract/valid_requests.ts';
import { service } from '../../support/service.ts';

/* Every operation that takes `fields`, on an account with records of every kind. */

interface ShownRecord {
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: object;
}

let tenant: Tenant;

beforeAll(async () => {
  tenant = await newTenant('Fields');
});

const sparseOperations = operations.filter(({ allParameters }) => allParameters.some(({ name }) => name === 'fields'));

const exampleOf = ({ allParameters }: ApiOperation, name: string): Record<string, string> => {
  const parameter = allParameters.find((one) => one.name === name) as { example?: string } | undefined;
  return parameter?.example ? { [name]: parameter.example } : {};
};

/** Sends a request that is valid but for these parameters, and returns the records of its answer. */
async function recordsOf(operation: ApiOperation, query: Record<string, string>) {
  const [draft] = validRequests(operation, tenant);
  const request = { ...draft!, query: { ...draft!.query, ...exampleOf(operation, 'include'), ...query } };
  const response = await send((await service()).url, rawRequestOf(operation, request, tenant, tenant.admin));
  expect(response.status, response.text).toBe(200);
  checkResponse(operation.api, operation.id, response, Object.keys(query).length > 0);
  const { data, included = [] } = response.body as { data: ShownRecord | ShownRecord[]; included?: ShownRecord[] };
  return { primary: [data].flat(), included };
}

describe.each(sparseOperations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  const types = operation.allParameters.flatMap(({ name }) => /^fields\[(\w+)\]$/.exec(name)?.slice(1) ?? []);

  it('200 without any attribute, as the contract says', async () => {
    const { primary } = await recordsOf(operation, { fields: 'nothing' });
    expect(primary.map(({ attributes }) => attributes)).toEqual(primary.map(() => ({})));
  });

  it('200 with the attributes of each type of record that the contract names', async () => {
    const whole = await recordsOf(operation, {});
    const shown = [...whole.primary, ...whole.included];
    expect(types).toEqual(expect.arrayContaining(shown.map(({ type }) => type)));
    const chosen = Object.fromEntries(
      types.map((type) => [`fields[${type}]`, exampleOf(operation, `fields[${type}]`)]),
    );
    const query = Object.fromEntries(Object.entries(chosen).map(([name, example]) => [name, example[name]!]));
    const { primary, included } = await recordsOf(operation, query);
    for (const { type, attributes, relationships = {} } of [...primary, ...included]) {
      expect(query[`fields[${type}]`]!.split(',')).toEqual(expect.arrayContaining(Object.keys(attributes)));
      expect(relationships).toEqual({});
    }
  });
});

describe('the check of the responses of all tests', () => {
  const listAreas = operations.find(({ id }) => id === 'listAreas')!;
  const answerTo = async (query: Record<string, string>) => {
    const [draft] = validRequests(listAreas, tenant);
    const request = rawRequestOf(listAreas, { ...draft!, query }, tenant, tenant.admin);
    return send((await service()).url, request);
  };

  it('lets a response lack attributes only where the request named some', async () => {
    const answer = await answerTo({ fields: 'name' });
    const check = (hasFields: boolean) => () => checkResponse('v3', 'listAreas', answer, hasFields);
    expect(check(true)).not.toThrow();
    expect(check(false)).toThrow(/must have required property 'color'/);
  });

  it('compares the attributes that were named with the schema', async () => {
    const answer = await answerTo({ fields: 'name' });
    const { data } = answer.body as { data: ShownRecord[] };
    const body = { ...(answer.body as object), data: data.map((area) => ({ ...area, attributes: { name: 5 } })) };
    expect(() => checkResponse('v3', 'listAreas', { ...answer, body }, true)).toThrow(/name must be string/);
  });
});
