import { OpenAPIClientAxios } from 'openapi-client-axios';
import type { Client as Enterprise } from './public';
import type { Client } from './v3';

const url = process.argv[2]!;
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
const query = { workspace_id: '1', 'filter[username]': 'ct:erin', items: 5 };
const { data: users } = await api.listUsers(query, null, { headers });

const enterprise = await clientOf('public', '/public_api/v1').getClient<Enterprise>();
const { data: page } = await enterprise.findPublicUsers({ api_token: 'demo-api-token', page: 1 });
if (!('users' in page)) throw new Error('One record where a list was asked for.');

console.log(
  JSON.stringify({
    found: users.data.map((user) => user.attributes.username),
    enterprise: page.users.map((user) => user.username),
  }),
);
