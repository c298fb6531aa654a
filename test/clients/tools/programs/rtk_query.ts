import { configureStore } from '@reduxjs/toolkit';
import { connection } from './empty_api';
import { api as enterprise } from './public';
import { api } from './v3';

const month = process.argv.slice(3, 5);
const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer, [enterprise.reducerPath]: enterprise.reducer },
  // Its checks in development warn about large answers.
  middleware: (standard) =>
    standard({ serializableCheck: false, immutableCheck: false }).concat(api.middleware, enterprise.middleware),
});
const { endpoints } = api;
const attributes = { email: 'admin@example.com', password: 'demo-password' };
connection.v3 = { 'Api-Key': 'demo-api-key' };
const signIn = endpoints.signIn.initiate({ signIn: { data: { type: 'user', attributes } } });
const signedIn = await store.dispatch(signIn).unwrap();
connection.v3 = { Authorization: `Bearer ${signedIn.data.attributes.access_token}` };

const workspaceId = '1';
const users = await store
  .dispatch(endpoints.listUsers.initiate({ workspaceId, filter: { username: 'ct:erin' }, items: 5 }))
  .unwrap();
const worked = await store
  .dispatch(endpoints.listTimeTrackings.initiate({ workspaceId, filter: { starts_at: month } }))
  .unwrap();
const areas = await store.dispatch(endpoints.listAreas.initiate({ workspaceId })).unwrap();

connection.public = { Authorization: 'Bearer demo-api-token' };
const page = await store.dispatch(enterprise.endpoints.findPublicUsers.initiate({ page: 1 })).unwrap();
if (!('users' in page)) throw new Error('One record where a list was asked for.');

console.log(
  JSON.stringify({
    found: users.data.map((user) => user.attributes.username),
    month: worked.meta.total_count,
    areas: areas.meta.total_count,
    enterprise: page.users.map((user) => user.username),
  }),
);
process.exit();
