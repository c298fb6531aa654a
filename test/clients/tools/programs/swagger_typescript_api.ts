import { Api as Enterprise } from './public';
import { Api } from './v3';

const url = process.argv[2]!;
const month = process.argv.slice(3, 5);
const attributes = { email: 'admin@example.com', password: 'demo-password' };
const api = new Api<string>({
  baseUrl: `${url}/api/v3`,
  securityWorker: (token) => {
    // The client spreads headers, so they must be a plain object.
    const headers: Record<string, string> = token
      ? { Authorization: `Bearer ${token}` }
      : { 'Api-Key': 'demo-api-key' };
    return { headers };
  },
});
const { data: signedIn } = await api.signIn.signIn({ data: { type: 'user', attributes } });
api.setSecurityData(signedIn.data.attributes.access_token);
const { data: users } = await api.workspaces.listUsers('1', { 'filter[username]': 'ct:erin', items: 5 });
const { data: worked } = await api.workspaces.listTimeTrackings('1', { 'filter[starts_at]': month });
const { data: areas } = await api.workspaces.listAreas('1');

const enterprise = new Enterprise({
  baseUrl: `${url}/public_api/v1`,
  baseApiParams: { headers: { Authorization: 'Bearer demo-api-token' } },
});
const { data: page } = await enterprise.users.findPublicUsers({ page: 1 });
if (!('users' in page)) throw new Error('One record where a list was asked for.');

console.log(
  JSON.stringify({
    found: users.data.map((user) => user.attributes.username),
    month: worked.meta.total_count,
    areas: areas.meta.total_count,
    enterprise: page.users.map((user) => user.username),
  }),
);
