import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../support/contract/operations.ts';
import { send } from '../../support/contract/raw_http.ts';
import { newTenant, type Tenant } from '../../support/contract/tenant/tenant.ts';
import { rawRequestOf, validRequests } from '../../support/contract/valid_requests.ts';
import { service } from '../../support/service.ts';

/* A record that was created is at the address in `Location`. */

interface Created {
  readonly data: { readonly id: string; readonly type: string };
}

const creations = operations.filter(
  ({ responses }) => 'Location' in ((responses['201'] as { headers?: object } | undefined)?.headers ?? {}),
);

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('Locations');
});

it('is documented for the operations that create records with an address of their own', () => {
  expect(creations.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['createArea', 'createUser', 'createTimeTracking', 'createShift', 'createWebhook']),
  );
});

describe.each(creations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it('201 with the address of the new record', async () => {
    const { url } = await service();
    const [request] = validRequests(operation, tenant);
    const response = await send(url, rawRequestOf(operation, request!, tenant));
    expect(response.status, response.text).toBe(201);
    const location = String(response.headers['location']);
    expect(location.startsWith(`${url}/api/v3/`)).toBe(true);
    const headers = { Authorization: `Bearer ${tenant.admin.token}` };
    const shown = await send(url, { method: 'GET', address: new URL(location).pathname, headers });
    expect(shown.status, shown.text).toBe(200);
    const { id, type } = (response.body as Created).data;
    expect((shown.body as Created).data).toMatchObject({ id, type });
  });
});
