import { createApiClient as enterpriseOf } from './public';
import { createApiClient as authentication } from './v3/Authentication';
import { createApiClient as areasOf } from './v3/Areas';
import { createApiClient as timeTrackings } from './v3/Time_trackings';
import { createApiClient as userLists } from './v3/User_lists';

const url = process.argv[2]!;
const month = process.argv.slice(3, 5);
const attributes = { email: 'admin@example.com', password: 'demo-password' };
const withKey = { axiosConfig: { headers: { 'Api-Key': 'demo-api-key' } } };
const signedIn = await authentication(`${url}/api/v3`, withKey).signIn({ data: { type: 'user', attributes } });
const headers = { Authorization: `Bearer ${signedIn.data.attributes.access_token}` };
// Without `indexes`, axios would write `filter[starts_at][]`, which the server understands too.
const asAdmin = { axiosConfig: { headers, paramsSerializer: { indexes: null } } };
// The compiler gives up on the types of these lists, whose records can include many others.
type ListOf<Row> = (request: object) => Promise<{ data: Row[]; meta: { total_count: number } }>;
type Lists<Name extends string, Row> = (url: string, options: object) => Record<Name, ListOf<Row>>;
const timeTrackingsOf = timeTrackings as unknown as Lists<'listTimeTrackings', object>;
const usersOf = userLists as unknown as Lists<'listUsers', { attributes: { username: string } }>;
const params = { workspace_id: '1' };
const found = await usersOf(`${url}/api/v3`, asAdmin).listUsers({ params, queries: { 'filter[username]': 'ct:erin' } });
const ofMonth = { params, queries: { 'filter[starts_at]': month } };
const worked = await timeTrackingsOf(`${url}/api/v3`, asAdmin).listTimeTrackings(ofMonth);
const areas = await areasOf(`${url}/api/v3`, asAdmin).listAreas({ params });

const withToken = { axiosConfig: { headers: { Authorization: 'Bearer demo-api-token' } } };
const page = await enterpriseOf(`${url}/public_api/v1`, withToken).findPublicUsers({ queries: { page: 1 } });
// Its objects may have more members than the contract names, so the compiler cannot tell one user from a list by their members.
const { users } = page as { users: { username: string }[] };

console.log(
  JSON.stringify({
    found: found.data.map((user) => user.attributes.username),
    month: worked.meta.total_count,
    areas: areas.meta.total_count,
    enterprise: users.map((user) => user.username),
  }),
);
