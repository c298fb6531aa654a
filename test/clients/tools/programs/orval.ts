import { findPublicUsers } from './public';
import { listAreas, listTimeTrackings, listUsers, signIn } from './v3';

const month = process.argv.slice(3, 5);
const attributes = { email: 'admin@example.com', password: 'demo-password' };
const signedIn = await signIn({ data: { type: 'user', attributes } }, { headers: { 'Api-Key': 'demo-api-key' } });
if (signedIn.status !== 200) throw new Error('Not signed in.');
const headers = { Authorization: `Bearer ${signedIn.data.data.attributes.access_token}` };
const users = await listUsers('1', { 'filter[username]': 'ct:erin', items: 5 }, { headers });
if (users.status !== 200) throw new Error('No users.');
const worked = await listTimeTrackings('1', { 'filter[starts_at]': month }, { headers });
const areas = await listAreas('1', {}, { headers });
if (worked.status !== 200 || areas.status !== 200) throw new Error('No lists.');

const page = await findPublicUsers({ page: 1 }, { headers: { Authorization: 'Bearer demo-api-token' } });
if (page.status !== 200 || !('users' in page.data)) throw new Error('No list of users.');

console.log(
  JSON.stringify({
    found: users.data.data.map((user) => user.attributes.username),
    month: worked.data.meta.total_count,
    areas: areas.data.meta.total_count,
    enterprise: page.data.users.map((user) => user.username),
  }),
);
