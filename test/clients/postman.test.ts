import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, everyRecord, resourceApi } from '../../src/client/client.ts';
import { operationsOf, readContract, successStatuses } from '../../src/platform/http/contract_document.ts';
import { startServer, temporaryFolder } from '../support/processes/process.ts';
import { run } from './run.ts';
import { installTools, toolsFolder } from './tools.ts';

/*
 * Downloads the Postman collections and their environment, and runs them with newman on the demo organisation.
 */
const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(import.meta.dirname, 'programs/run_collection.mjs');
const elsewhere = temporaryFolder();
const data = temporaryFolder();
let server: Awaited<ReturnType<typeof startServer>>;
const serverUrl = (): string => server.url;

beforeAll(async () => {
  // The other tests count the records of their organisation.
  server = await startServer({ DATA_DIR: data.folder, LOG_LEVEL: 'warn' });
  await installTools();
}, 600_000);

afterAll(async () => {
  await server.stop();
  data.remove();
  elsewhere.remove();
});

async function download(name: string): Promise<string> {
  const file = path.join(elsewhere.folder, name);
  const response = await fetch(`${serverUrl()}/openapi/postman/${name}`);
  expect(response.status).toBe(200);
  writeFileSync(file, await response.text());
  return file;
}

async function runCollection(api: 'v3' | 'public') {
  const files = [await download(`${api}.json`), await download('environment.json')];
  const { code, output } = await run(process.execPath, [program, toolsFolder, ...files], root);
  expect(code, output).toBe(0);
  return JSON.parse(output) as { executions: [string, number][]; failures: string[] };
}

/** Requests whose documented answer is a refusal: what they need comes by mail, or does not exist on a new organisation. */
const refused = {
  v3: {
    updatePassword: 400,
    checkPasswordToken: 400,
    confirmEmail: 400,
    getInvitedUser: 400,
    getInvitation: 400,
    listInvitedUsers: 400,
    joinWorkspace: 400,
    updateTargetHour: 400,
    createTimeTrackingSignature: 400,
    createAccountingPeriods: 400,
    getAccountingPeriod: 404,
    deleteAccountingPeriod: 404,
    restoreTimeTracking: 404,
    restoreAbsence: 404,
    // The demo organisation has one violation, which can be acknowledged once.
    acknowledgeWorkingTimeViolation: 400,
    deleteNotification: 404,
    deletePreference: 404,
  } as Record<string, number>,
  public: {} as Record<string, number>,
};

const leftOut = [
  'signOut',
  'deleteSession',
  'updateCurrentWorkspaceUser',
  'switchRole',
  'createAnonymisation',
  'updateAccount',
];

async function signedIn() {
  const attributes = { email: 'admin@example.com', password: 'demo-password' };
  const { data } = await answerOf(
    resourceApi({ url: serverUrl(), apiKey: 'demo-api-key' }).POST('/sign_in', {
      body: { data: { type: 'user', attributes } },
    }),
  );
  return resourceApi({ url: serverUrl(), token: data.attributes.access_token });
}

/** The account, its workspaces, users and areas, which the collection must leave as they are. */
async function organisation(): Promise<string[]> {
  const api = await signedIn();
  const params = { path: { workspace_id: '1' } };
  const names: string[] = [];
  for await (const { attributes } of everyRecord(api, '/workspaces/{workspace_id}/users', { params }))
    names.push(JSON.stringify([attributes.username, attributes.status]));
  for await (const { attributes } of everyRecord(api, '/workspaces/{workspace_id}/areas', { params }))
    names.push(attributes.name ?? '');
  const { data: account } = await answerOf(
    api.GET('/accounts/{account_id}', { params: { path: { account_id: '1' } } }),
  );
  const { data: workspaces } = await answerOf(
    api.GET('/accounts/{account_id}/workspaces', { params: { path: { account_id: '1' } } }),
  );
  names.push(account.attributes.account_name ?? '', ...workspaces.map(({ attributes }) => attributes.name ?? ''));
  return names.sort();
}

describe('the Postman collection', () => {
  it.each(['v3', 'public'] as const)('of %s is answered as documented, twice, and cleans up', async (api) => {
    const contract = readContract(api);
    const successes = successStatuses(contract);
    const before = await organisation();
    for (const _round of [1, 2]) {
      const { executions, failures } = await runCollection(api);
      expect(failures).toEqual([]);
      const other = executions.filter(([id, status]) => ![successes.get(id), refused[api][id]].includes(status));
      expect(other).toEqual([]);
      const documented = operationsOf(contract).map(({ operation }) => operation.operationId);
      expect(new Set(executions.map(([id]) => id))).toEqual(new Set(documented.filter((id) => !leftOut.includes(id))));
    }
    // The public API has no operation that deletes a location.
    const after = (await organisation()).filter(
      (name) => !(api === 'public' && /^(Pier Bar-|Lighthouse Inn$)/.test(name)),
    );
    expect(after).toEqual(before);
  });
});
