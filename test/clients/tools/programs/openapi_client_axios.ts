import { OpenAPIClientAxios } from 'openapi-client-axios';
import type { Client as Enterprise } from './public';
import type { Client } from './v3';

const url = process.argv[2]!;
const month = process.argv.slice(3, 5);
const clientOf = (api: string, base: string) =>
  new OpenAPIClientAxios({
    definition: `${url}/openapi/${api}.json`,
    axiosConfigDefaults: { baseURL: url + base },
  });
const api = await clientOf('v3', '/api/v3').getClient<Client>();
const attributes = { email: 'admin@example.com', password: 'demo-password' };
const { data: signedIn } = await api.signIn(
  null,
  { data: { type: 'user', attributes } },
  { headers: { 'Api-Key': 'demo-api-key' } },
);
const headers = { Authorization: `Bearer ${signedIn.data.attributes.access_token}` };
const workspace_id = '1';
// The generated types leave out `workspace_id`: the compiler takes it beside parameters that they have, in a variable.
const query = { workspace_id, 'filter[username]': 'ct:erin', items: 5 };
const { data: users } = await api.listUsers(query, null, { headers });
const work = { workspace_id, 'filter[starts_at]': month };
const { data: worked } = await api.listTimeTrackings(work, null, { headers });
const first = { workspace_id, items: 5 };
const { data: areas } = await api.listAreas(first, null, { headers });

const enterprise = await clientOf('public', '/public_api/v1').getClient<Enterprise>();
const token = { headers: { Authorization: 'Bearer demo-api-token' } };
const { data: page } = await enterprise.findPublicUsers({ page: 1 }, null, token);
if (!('users' in page)) throw new Error('One record where a list was asked for.');

console.log(
  JSON.stringify({
    found: users.data.map((user) => user.attributes.username),
    month: worked.meta.total_count,
    areas: areas.meta.total_count,
    enterprise: page.users.map((user) => user.username),
  }),
);
