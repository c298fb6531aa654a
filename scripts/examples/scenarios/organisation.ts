import { signUpDana } from './signing_in.ts';
import { bodyOf, demo, here, ourAccount, type Recorder } from '../recorder.ts';

/** The account, its users and workspaces, and their data profiles. */
export async function organisation(record: Recorder): Promise<void> {
  await record('getCurrentUser', { query: { include: 'workspaces' } });
  await record(
    'updateCurrentUser',
    { body: bodyOf('user', { mail_notifications: true }) },
    { 400: { body: bodyOf('user', { mail_notifications: 'often' }) } },
  );
  await clientPages(record);
  await record('listIndustryExamples', { query: { items: 3 } });
  await record('getAccount', { path: ourAccount });
  await record(
    'updateAccount',
    { path: ourAccount, body: bodyOf('account', { name: 'Harbour Group' }) },
    { 400: { body: bodyOf('account', { name: '' }) } },
  );
  await record('listAccountUsers', { path: ourAccount, query: { items: 2, sort: 'username' } });
  await record('getAccountUser', { path: { ...ourAccount, user_id: '3' } });
  await record(
    'listDataProfiles',
    { path: { ...ourAccount, ...here }, query: { include: 'custom_fields' } },
    otherAccount,
  );
  await customFields(record);
  await apiTokens(record);
  await webhooks(record);
  await workspaces(record);
  await record('listRoles', { path: here });
}

/** If two ids of a path are unknown, the error names the first. */
const otherAccount = { 404: { path: { ...here, account_id: '4711' } } };

async function customFields(record: Recorder): Promise<void> {
  await record('listAccountDataProfiles', { path: ourAccount, query: { include: 'custom_fields', items: 1 } });
  await record(
    'createDataProfile',
    { path: ourAccount, body: bodyOf('data_profile', { title: 'Languages', user_checkin: true }) },
    { 400: { body: bodyOf('data_profile', { title: '' }) }, 403: { token: record.employee } },
  );
  const data_profile_id = demo.equipment;
  const size = { title: 'Glove size', data_type: 'float' as const, data_profile_id };
  await record(
    'createCustomField',
    { path: ourAccount, body: bodyOf('custom_field', size) },
    { 400: { body: bodyOf('custom_field', { ...size, key: 'Glove size' }) }, 403: { token: record.employee } },
  );
  const custom_field_id = demo.shoeSize;
  const byEmployee = { 403: { token: record.employee } };
  await record('listCustomFields', { path: ourAccount, query: { 'filter[data_profile_id]': `eq:${data_profile_id}` } });
  await record(
    'getCustomField',
    { path: { ...ourAccount, custom_field_id } },
    { 403: { token: record.employee, path: { ...ourAccount, custom_field_id: demo.healthInsurance } } },
  );
  const profile = { ...ourAccount, data_profile_id };
  await record(
    'getDataProfile',
    { path: profile, query: { include: 'custom_fields' } },
    { 403: { token: record.employee, path: { ...ourAccount, data_profile_id: demo.personnelFile } } },
  );
  const ofErin = { ...here, user_id: '3', data_profile_id };
  const values = (value: string) =>
    bodyOf('data_profile', {
      custom_field_values_attributes: [{ custom_field_id, data_type: 'float' as const, value }],
    });
  await record('updateUserDataProfile', { path: ofErin, body: values('44') }, { 400: { body: values('large') } });
  await record('getUserDataProfile', { path: ofErin, query: { include: 'custom_field_values' } });
  const path = { ...ourAccount, custom_field_id };
  await record(
    'updateCustomField',
    { path, body: bodyOf('custom_field', { title: 'Size of shoes' }) },
    { ...byEmployee, 400: { body: bodyOf('custom_field', { data_type: 'date' }) } },
  );
  await record('deleteCustomField', { path }, byEmployee);
  await record(
    'updateDataProfile',
    { path: profile, body: bodyOf('data_profile', { least_role: 'workspace_admin' }) },
    { ...byEmployee, 400: { body: bodyOf('data_profile', { title: '' }) } },
  );
  await record('deleteDataProfile', { path: profile }, byEmployee);
}

async function apiTokens(record: Recorder): Promise<void> {
  await record('listApiTokens', { path: ourAccount });
  await record(
    'createApiToken',
    { path: ourAccount, body: bodyOf('api_token', { name: 'Till' }) },
    { 400: { body: bodyOf('api_token', { name: '' }) } },
  );
  await record('listSessions', {});
  await record('deleteSession', { path: { session_id: demo.session } });
  await record('deleteOtherSessions', {});
  await record('deleteApiToken', { path: { ...ourAccount, api_token_id: demo.apiToken } });
}

async function webhooks(record: Recorder): Promise<void> {
  const attributes = {
    url: 'https://hooks.example.com/punchcard',
    events: ['absence.*' as const, 'area.created' as const],
  };
  await record(
    'createWebhook',
    { path: ourAccount, body: bodyOf('webhook', { ...attributes, description: 'Data warehouse' }) },
    { 400: { body: bodyOf('webhook', { ...attributes, url: 'https://127.0.0.1/punchcard' }) } },
  );
  const path = { ...ourAccount, webhook_id: demo.webhook };
  await record('listWebhooks', { path: ourAccount });
  await record('getWebhook', { path });
  await record(
    'updateWebhook',
    { path, body: bodyOf('webhook', { events: ['*' as const], workspace_ids: ['1'] }) },
    { 400: { body: bodyOf('webhook', { events: ['pizza.ordered'] }) } },
  );
  await record('createWebhookPing', { path }, { 400: { headers: { 'Idempotency-Key': '' } } });
  await record('listWebhookDeliveries', { path });
  const delivery = { ...path, webhook_delivery_id: demo.webhookDelivery };
  const off = await record.sendOnly('createWebhook', {
    path: ourAccount,
    body: bodyOf('webhook', { ...attributes, active: false }),
  });
  const pathOff = { ...ourAccount, webhook_id: off.data.id };
  const waiting = await record.sendOnly('createWebhookPing', { path: pathOff });
  const refused = { path: { ...pathOff, webhook_delivery_id: waiting.data.id } };
  await record('createWebhookRedelivery', { path: delivery }, { 400: refused });
  await record('deleteWebhook', { path });
}

async function workspaces(record: Recorder): Promise<void> {
  await record('listWorkspaces', { path: ourAccount });
  await record('getWorkspace', { path: here });
  const hill = { name: 'Hill Restaurant', time_zone: 'Europe/Berlin', locale: 'en', external_id: 'hill' };
  await record(
    'createWorkspace',
    { path: ourAccount, body: bodyOf('workspace', hill) },
    { 400: { body: bodyOf('workspace', { ...hill, time_zone: 'Atlantis', external_id: 'harbour' }) } },
  );
  const path = { workspace_id: '2' };
  await record(
    'updateWorkspace',
    { path, body: bodyOf('workspace', { name: 'Lighthouse Inn' }) },
    {
      400: { body: bodyOf('workspace', { name: '', locale: 'Klingon' }) },
      403: { token: record.employee, path: here },
    },
  );
  // Dana has an account with one workspace. The last workspace of a user cannot be deleted.
  const token = await signUpDana(record);
  const { data: dana } = await record.sendOnly('getCurrentUser', { token });
  const only = { workspace_id: dana.relationships.workspaces!.data[0]!.id };
  await record(
    'deleteWorkspace',
    { path },
    { 400: { token, path: only }, 403: { token: record.employee, path: here } },
  );
}

/** The departments of a workspace, and the people who work in them. */
export async function people(record: Recorder): Promise<void> {
  await record('listAreas', { path: here, query: { 'filter[status]': 'eq:active' } });
  await record('getArea', { path: { ...here, area_id: '1' }, query: { include: 'workspace' } });
  await record(
    'createArea',
    { path: here, body: bodyOf('area', { name: 'Bar', color: '#2196F3', external_id: 'bar' }) },
    { 400: { body: bodyOf('area', { name: 'Kitchen', color: 'blue' }) } },
  );
  const area = { ...here, area_id: demo.terrace };
  await record(
    'updateArea',
    { path: area, body: bodyOf('area', { name: 'Lobby bar', user_ids: ['3', '4'] }) },
    { 400: { body: bodyOf('area', { name: 'Kitchen', user_ids: ['4711'] }) } },
  );

  await record('listUsers', { path: here, query: { items: 2, 'filter[username]': 'ct:e' } });
  await record('getUser', { path: { ...here, user_id: '3' }, query: { include: 'areas' } });
  await record('getCurrentWorkspaceUser', { token: record.employee, path: here });
  const robin = {
    username: 'Jamie Porter',
    email: 'jamie@example.com',
    abbreviation: 'JP',
    start_of_accounting: '2026-06-01',
    salary: 17.25,
    staff_number: '1006',
  };
  // Somebody of another account has the address.
  const taken = { email: 'dana@example.com', username: 'Dana Miller' };
  const guarded = await record.server.startVariant({ settings: { ADDRESS_REFUSALS_PER_HOUR: '1' } });
  const refused = { 429: { at: guarded, body: bodyOf('user', taken), times: 2 } };
  await signUpDana(record);
  await record(
    'createUser',
    { path: here, body: bodyOf('user', { ...robin, absence_type_ids: ['1', '2'], area_ids: ['1'] }) },
    {
      400: { body: bodyOf('user', { username: '', email: 'admin@example.com', start_of_accounting: '1 June' }) },
      ...refused,
    },
  );
  const user = { ...here, user_id: '4' };
  await signUpDana(record);
  await record(
    'updateUser',
    { path: user, body: bodyOf('user', { checkin_complete: true, area_ids: ['1', '2'], tag_ids: ['1'] }) },
    { 400: { body: bodyOf('user', { email: 'employee@example.com', area_ids: ['4711'] }) }, ...refused },
  );
  await record('deleteUser', { path: user });
  await record('deleteArea', { path: area });
}

/** Addresses for calendar programs, and who is away. */
async function calendars(record: Recorder): Promise<void> {
  const [own, others] = [{ user_id: '1' }, { user_id: '2' }];
  const nobody = { path: { user_id: '4711' } };
  const bar = { name: 'Screen in the bar', scope: 'area' as const, ...here, area_id: '1' };
  await record(
    'createCalendarFeed',
    { path: own, body: bodyOf('calendar_feed', bar) },
    { 400: { body: bodyOf('calendar_feed', { scope: 'workspace' }) }, 403: { path: others }, 404: nobody },
  );
  await record('listCalendarFeeds', { path: own }, { 403: { path: others }, 404: nobody });
  const path = { ...own, calendar_feed_id: demo.calendarFeed };
  const unknown = { path: { ...own, calendar_feed_id: '4711' } };
  await record('deleteCalendarFeed', { path }, { 403: { path: { ...path, ...others } }, 404: unknown });
  await record(
    'getAbsenceCalendar',
    { path: here, query: { from: '2026-01-01', to: '2026-12-31' } },
    { 400: { query: { from: '2026-12-31', to: '2026-01-01' } } },
  );
}

/** What a client asks for before it draws its pages. */
async function clientPages(record: Recorder): Promise<void> {
  const own = { user_id: '1', preference_id: '1' };
  const others = { path: { user_id: '2', preference_id: '1' } };
  const unknown = { path: { user_id: '1', preference_id: '4711' } };
  await record('listPreferences', { path: { user_id: '1' } }, { 403: others, 404: { path: { user_id: '4711' } } });
  await record(
    'updatePreference',
    { path: own, body: bodyOf('preference', { value: { days: true, hours: true, info: false } }) },
    { 400: { path: own, body: bodyOf('preference', { value: { days: 'no' } }) }, 403: others, 404: unknown },
  );
  await record('deletePreference', { path: own }, { 403: others, 404: unknown });
  await calendars(record);
  const employee = { ...here, user_id: '4' };
  await record(
    'updateUserStatus',
    { path: employee, body: bodyOf('user', { status: 'inactive' }) },
    { 400: { body: bodyOf('user', { status: 'asleep' }) } },
  );
  await record(
    'updateCurrentWorkspaceUser',
    { path: here, body: bodyOf('user', { assumed_role: 'employee' }) },
    { 400: { body: bodyOf('user', { assumed_role: 'guest' }) }, 403: { token: record.employee } },
  );
  await record('switchRole', { path: here }, { 403: { token: record.employee } });
  await record('getFeatures', { path: here });
  await record('getTimeTrackingMethods', { path: here });
  await record(
    'getSummary',
    { path: here, query: { resource: 'TimeTracking', scopes: 'running,unconfirmed,confirmed' } },
    { 400: { query: { resource: 'TimeTracking', scopes: 'pending' } } },
  );
  await record(
    'listSearches',
    { path: here, query: { 'filter[query]': 'er', items: 3 } },
    { 400: { query: { 'filter[query]': 'er', resources: 'Absence' } } },
  );
  await record('listSuggestedFollowers', { path: here, query: { items: 3 } });
}
