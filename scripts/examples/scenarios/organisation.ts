import { bodyOf, here, ourAccount, type Recorder } from '../recorder.ts';

/** Who is there: the account, its users and workspaces, and what it keeps about them. */
export async function organisation(record: Recorder): Promise<void> {
  await record('getCurrentUser', { query: { include: 'workspaces' } });
  await record(
    'updateCurrentUser',
    { body: bodyOf('user', { mail_notifications: true }) },
    { 400: { body: bodyOf('user', { mail_notifications: 'often' }) } },
  );
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
  await apiTokens(record);
  await workspaces(record);
  await record('listRoles', { path: here });
}

/** Of two places in a path, the first one that is not there is named. */
const otherAccount = { 404: { path: { ...here, account_id: '4711' } } };

async function apiTokens(record: Recorder): Promise<void> {
  await record('listApiTokens', { path: ourAccount });
  const created = await record(
    'createApiToken',
    { path: ourAccount, body: bodyOf('api_token', { name: 'Payroll' }) },
    { 400: { body: bodyOf('api_token', { name: '' }) } },
  );
  await record('deleteApiToken', { path: { ...ourAccount, api_token_id: created.data.id } });
}

async function workspaces(record: Recorder): Promise<void> {
  await record('listWorkspaces', { path: ourAccount });
  await record('getWorkspace', { path: here });
  const hill = { name: 'Hill Restaurant', time_zone: 'Europe/Berlin', locale: 'en', external_id: 'hill' };
  const created = await record(
    'createWorkspace',
    { path: ourAccount, body: bodyOf('workspace', hill) },
    { 400: { body: bodyOf('workspace', { ...hill, time_zone: 'Atlantis', external_id: 'harbour' }) } },
  );
  const path = { workspace_id: created.data.id };
  await record(
    'updateWorkspace',
    { path, body: bodyOf('workspace', { name: 'Hilltop Restaurant' }) },
    {
      400: { body: bodyOf('workspace', { name: '', locale: 'Klingon' }) },
      403: { token: record.employee, path: here },
    },
  );
  // Dana has an account of her own, with one workspace, which she cannot be left without.
  const { data } = await record.sendOnly('signIn', {
    body: bodyOf('user', { email: 'dana@example.com', password: 'an even better one' }),
  });
  const token = data.attributes.access_token;
  const { data: dana } = await record.sendOnly('getCurrentUser', { token });
  const only = { workspace_id: dana.relationships.workspaces.data[0]!.id };
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
  const bar = await record(
    'createArea',
    { path: here, body: bodyOf('area', { name: 'Bar', color: '#2196F3', external_id: 'bar' }) },
    { 400: { body: bodyOf('area', { name: 'Kitchen', color: 'blue' }) } },
  );
  const area = { ...here, area_id: bar.data.id };
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
    staff_number: '1005',
  };
  const created = await record(
    'createUser',
    { path: here, body: bodyOf('user', { ...robin, absence_type_ids: ['1', '2'], area_ids: ['1'] }) },
    { 400: { body: bodyOf('user', { username: '', email: 'admin@example.com', start_of_accounting: '1 June' }) } },
  );
  const user = { ...here, user_id: created.data.id };
  await record(
    'updateUser',
    { path: user, body: bodyOf('user', { checkin_complete: true, area_ids: ['1', '2'], tag_ids: ['1'] }) },
    { 400: { body: bodyOf('user', { email: 'employee@example.com', area_ids: ['4711'] }) } },
  );
  await record('deleteUser', { path: user });
  await record('deleteArea', { path: area });
}
