import { createApiClient as enterpriseOf } from './public';
import { createApiClient as authentication } from './v3/Authentication';
import { createApiClient as industryExamplesOf } from './v3/Industry_examples';

const url = process.argv[2]!;
const attributes = { email: 'admin@example.com', password: 'demo-password' };
const withKey = { axiosConfig: { headers: { 'Api-Key': 'demo-api-key' } } };
const signedIn = await authentication(`${url}/api/v3`, withKey).signIn({ data: { type: 'user', attributes } });
const headers = { Authorization: `Bearer ${signedIn.data.attributes.access_token}` };
const examples = await industryExamplesOf(`${url}/api/v3`, { axiosConfig: { headers } }).listIndustryExamples();

const enterprise = enterpriseOf(`${url}/public_api/v1`);
const page = await enterprise.findPublicUsers({ queries: { api_token: 'demo-api-token', page: 1 } });
// Its objects may have more members than the contract names, so the compiler cannot tell one user from a list by their members.
const { users } = page as { users: { username: string }[] };

// The compiler gives up on the type of a list of users, which can include many other records.
console.log(
  JSON.stringify({
    examples: examples.data.length > 0,
    enterprise: users.map((user) => user.username),
  }),
);
