/**
 * Signs in, punches, requests vacation, and lists time trackings and users. Runs on the demo organisation of a server at
 * 127.0.0.1:3000, or at the address in the first argument.
 */
import { answerOf, everyRecord, publicApi, resourceApi } from 'punchcard-client';

const url = process.argv[2] ?? 'http://127.0.0.1:3000';

const { data: token } = await answerOf(
  resourceApi({ url, apiKey: 'demo-api-key' }).POST('/sign_in', {
    body: { data: { type: 'user', attributes: { email: 'employee@example.com', password: 'demo-password' } } },
  }),
);
const api = resourceApi({ url, token: token.attributes.access_token });
const { data: me } = await answerOf(api.GET('/users/me'));
const workspace_id = me.relationships.workspaces!.data[0]!.id;
const path = { workspace_id };
console.log(`Signed in as ${me.attributes.username}.`);

const punch = async (action_type: 'start' | 'end') => {
  const { data } = await answerOf(
    api.POST('/workspaces/{workspace_id}/time_trackings/actions', {
      params: { path },
      body: { data: { type: 'action', attributes: { action_type } } },
    }),
  );
  console.log(`Punched: ${data.attributes.action_type} at ${data.attributes.action_time}.`);
};
await punch('start');
await punch('end');

const { data: types } = await answerOf(
  api.GET('/workspaces/{workspace_id}/absence_types', {
    params: { path, query: { 'filter[kind]': 'eq:vacation', 'filter[users_id_in]': me.id } },
  }),
);
const year = new Date().getUTCFullYear() + 1;
const { data: vacation } = await answerOf(
  api.POST('/workspaces/{workspace_id}/absences', {
    params: { path },
    body: {
      data: {
        type: 'absence',
        attributes: {
          absence_type_id: types[0]!.id,
          starts_at: `${year}-07-06T00:00:00Z`,
          ends_at: `${year}-07-17T00:00:00Z`,
          full_day: true,
        },
      },
    },
  }),
);
console.log(`Asked for vacation: ${vacation.attributes.days} days, ${vacation.attributes.confirmation_status}.`);

let seconds = 0;
let count = 0;
const params = { path, query: { items: 5 } };
for await (const { attributes } of everyRecord(api, '/workspaces/{workspace_id}/time_trackings', { params })) {
  seconds += attributes.net_time * 3600;
  count += 1;
}
console.log(`Worked ${(seconds / 3600).toFixed(1)} hours in ${count} time trackings.`);

const enterprise = publicApi({ url, apiToken: 'demo-api-token' });
const names: string[] = [];
for await (const { username } of everyRecord(enterprise, '/users')) names.push(username);
console.log(`The enterprise: ${names.join(', ')}.`);
