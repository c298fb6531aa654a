import { createApiClient as enterpriseOf } from './public';
import { createApiClient as authentication } from './v3/Authentication';
import { createApiClient as areasOf } from './v3/Areas';
import { createApiClient as timeTrackingsOf } from './v3/Time_trackings';

const url = process.argv[2]!;
const month = process.argv.slice(3, 5);
const attributes = { email: 'admin@example.com', password: 'demo-password' };
const withKey = { axiosConfig: { headers: { 'Api-Key': 'demo-api-key' } } };
const signedIn = await authentication(`${url}/api/v3`, withKey).signIn({ data: { type: 'user', attributes } });
const headers = { Authorization: `Bearer ${signedIn.data.attributes.access_token}` };
// Without `indexes`, axios would write `filter[starts_at][]`, which the server understands too.
const asAdmin = { axiosConfig: { headers, paramsSerializer: { indexes: null } } };
const params = { workspace_id: '1' };
const worked = await timeTrackingsOf(`${url}/api/v3`, asAdmin).listTimeTrackings({
  params,
  queries: { 'filter[starts_at]': month },
});
const areas = await areasOf(`${url}/api/v3`, asAdmin).listAreas({ params });

const withToken = { axiosConfig: { headers: { Authorization: 'Bearer demo-api-token' } } };
const page = await enterpriseOf(`${url}/public_api/v1`, withToken).findPublicUsers({ queries: { page: 1 } });
// Its objects may have more members than the contract names, so the compiler cannot tell one user from a list by their members.
const { users } = page as { users: { username: string }[] };

// The compiler gives up on the type of a list of users, which can include many other records.
console.log(
  JSON.stringify({
    month: worked.meta.total_count,
    areas: areas.meta.total_count,
    enterprise: users.map((user) => user.username),
  }),
);
