import { findPublicUsers } from './public/clients/findPublicUsers';
import { listUsers } from './v3/clients/listUsers';
import { signIn } from './v3/clients/signIn';

const url = process.argv[2]!;
const baseURL = `${url}/api/v3`;
const attributes = { email: 'admin@example.com', password: 'demo-password' };
const signedIn = await signIn(
  { data: { type: 'user', attributes } },
  {},
  { baseURL, headers: { 'Api-Key': 'demo-api-key', 'Content-Type': 'application/json' } },
);
const headers = { Authorization: `Bearer ${signedIn.data.attributes.access_token}` };
const users = await listUsers('1', { 'filter[username]': 'ct:erin', items: 5 }, {}, { baseURL, headers });

const query = { api_token: 'demo-api-token', page: 1 };
const page = await findPublicUsers(query, {}, { baseURL: `${url}/public_api/v1` });
if (!('users' in page)) throw new Error('One record where a list was asked for.');

console.log(
  JSON.stringify({
    found: users.data.map((user) => user.attributes.username),
    enterprise: page.users.map((user) => user.username),
  }),
);
