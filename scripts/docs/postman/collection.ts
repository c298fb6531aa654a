import { remember } from '../../../src/platform/core/remember.ts';
import {
  operationsOf,
  successStatuses,
  type Api,
  type Contract,
  type ContractOperation,
} from '../../../src/platform/http/contract_document.ts';
import type { Example } from '../examples.ts';
import { publishedContract, readExamples, sampledOf } from '../publish.ts';
import type { Sampled } from '../samples.ts';
import { publicIdOf, valuesOf, type Values } from './values.ts';

/*
 * A Postman collection of each API, from the contract and its examples. Run as a whole it signs in, creates records, works with
 * them, and deletes what it has created. It can be run again.
 */

interface Item {
  readonly name: string;
  readonly description?: string;
  readonly item?: readonly Item[];
  readonly request?: object;
  readonly event?: readonly object[];
}

/** They would end the session, change the rights of the caller, remove a person for good, or rename the organisation. */
const leftOut = new Set([
  'signOut',
  'deleteSession',
  'updateCurrentWorkspaceUser',
  'switchRole',
  'createAnonymisation',
  'updateAccount',
]);

/** They take what later requests need, so they come last. */
const lastOf = new Set(['updateUserStatus', 'deactivatePublicUser']);

interface Listed extends Sampled {
  readonly operation: ContractOperation & { readonly summary: string; readonly description?: string };
  readonly isLast: boolean;
}

export const collectionOf = remember({ limit: 10 }, (api: Api): object => {
  const contract = publishedContract(api);
  const examples = readExamples()[api];
  const values = valuesOf(api, contract, examples);
  const listed = operationsOf(contract)
    .filter(({ operation }) => !leftOut.has(operation.operationId))
    .map(({ method, path, operation }): Listed => {
      const example = examples[operation.operationId] ?? { request: {} };
      return {
        ...sampledOf(api, contract, method, path, operation, atThisMoment(example)),
        operation: operation as Listed['operation'],
        isLast: method === 'delete' || lastOf.has(operation.operationId),
      };
    });
  const itemOf = (one: Listed): Item => requestItem(one, contract, listed, values);
  const bases = [...new Set(listed.map(({ path }) => baseOf(path)))];
  const tags = [...new Set(listed.map(({ operation }) => operation.tags?.[0] ?? ''))].sort(
    (a, b) => (placeOf[a] ?? 0) - (placeOf[b] ?? 0),
  );
  const folders = tags.map((tag) => ({
    name: tag,
    item: listed
      .filter(({ operation, isLast }) => operation.tags?.[0] === tag && !isLast)
      .sort((a, b) => bases.indexOf(baseOf(a.path)) - bases.indexOf(baseOf(b.path)) || rankOf(a) - rankOf(b))
      .map(itemOf),
  }));
  const start = listed.filter(({ operation }) => ['signIn', 'getCurrentUser'].includes(operation.operationId));
  return {
    info: {
      name: contract.info.title,
      description:
        'Choose the environment that is served beside this collection. Run the whole collection, or the first folder and then any request. Requests create records of their own, and the last folder deletes them.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: authOf(api),
    item: [
      ...(start.length > 0 ? [{ name: 'Start here', item: start.map(itemOf) }] : []),
      ...folders.filter(({ item }) => item.length > 0),
      {
        name: 'Clean up',
        item: [
          ...listed
            .filter(({ operation }) => /^create(Public)?Action$/.test(operation.operationId))
            .map((one) => punchOut(itemOf(one))),
          ...listed
            .filter(({ isLast }) => isLast)
            .reverse()
            .map(itemOf),
        ],
      },
    ],
    event: [
      script('prerequest', [
        "pm.collectionVariables.set('now', new Date().toISOString());",
        "if (!pm.collectionVariables.get('run')) pm.collectionVariables.set('run', Date.now().toString(36));",
      ]),
    ],
    variable: [{ key: 'run', value: '' }],
  };
});

/** Punches begin now. */
const atThisMoment = ({ request }: Pick<Example, 'request'>): Pick<Example, 'request'> => ({
  request: JSON.parse(JSON.stringify(request), (name, value: unknown) =>
    name === 'action_type' ? 'start' : name === 'action_time' ? '{{now}}' : value,
  ) as Example['request'],
});

/** Ends the time tracking that the collection has begun. */
const punchOut = (item: Item): Item =>
  JSON.parse(JSON.stringify({ ...item, name: 'Punch out' }).replace(/(action_type[\\": ]+)start/, '$1end')) as Item;

/** Folders whose records others need come first, and those that need others last. */
const placeOf: Readonly<Record<string, number>> = { Tags: -1, Invitations: 1 };

/** The path of the list to which an operation belongs. */
const baseOf = (path: string): string => path.replace(/\/\{\w+\}$/, '');

/** Creations first, so that the others find a record. */
const rankOf = ({ method }: Listed): number => ['post', 'get', 'patch', 'put', 'delete'].indexOf(method);

const authOf = (api: Api): object => {
  const value = api === 'v3' ? '{{token}}' : '{{api_token}}';
  return { type: 'bearer', bearer: [{ key: 'token', value, type: 'string' }] };
};

const script = (listen: 'test' | 'prerequest', exec: readonly string[]): object => ({
  listen,
  script: { type: 'text/javascript', exec },
});

function requestItem(one: Listed, contract: Contract, listed: readonly Listed[], values: Values): Item {
  const { base, method, path, scheme, request, operation } = one;
  const query = Object.entries(request.query ?? {}).map(([key, value]) => ({
    key,
    value: values.queryValueOf(key, value),
  }));
  const address = path.split('/').slice(1);
  return {
    name: operation.summary,
    event: [script('test', testsOf(one, contract, listed))],
    request: {
      method: method.toUpperCase(),
      description: operation.description ?? '',
      ...(scheme === undefined || scheme === 'apiKey' ? { auth: { type: 'noauth' } } : {}),
      header: [...(scheme === 'apiKey' ? [{ key: 'Api-Key', value: '{{api_key}}' }] : []), ...contentType(one)],
      url: {
        raw: `{{url}}${base}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{url}}'],
        path: [...base.split('/').slice(1), ...address.map((step) => step.replace(/^\{(\w+)\}$/, ':$1'))],
        query,
        variable: address
          .filter((step) => step.startsWith('{'))
          .map((step) => ({ key: step.slice(1, -1), value: `{{${variableOf(one, step.slice(1, -1))}}}` })),
      },
      ...bodyOf(one, values.bodyOf(path, request.body)),
    },
  };
}

/** Only what the collection has created is deleted, deactivated or renamed. */
function variableOf({ api, path, operation, isLast }: Listed, name: string): string {
  if (api === 'public') return publicIdOf(baseOf(path));
  if (name === 'user_id' && /\/users\/\{user_id\}\/(preferences|calendar_feeds)/.test(path)) return 'my_id';
  const own = ownName(name, path);
  const isOwnRecord = (isLast || operation.operationId === 'updateWorkspace') && lastParameterOf(path) === name;
  return isOwnRecord ? `new_${own}` : own;
}

const lastParameterOf = (path: string): string | undefined =>
  path
    .match(/\{\w+\}/g)
    ?.at(-1)
    ?.slice(1, -1);

/** Two kinds of record have notes and exports. */
const ownName = (name: string, path: string): string =>
  /^(user_note|export)_id$/.test(name) ? `${path.includes('/absences') ? 'absence' : 'time_tracking'}_${name}` : name;

const boundary = 'part-of-the-form';

const contentType = ({ fileParts, request }: Listed): object[] =>
  request.body === undefined
    ? []
    : [
        {
          key: 'Content-Type',
          value: fileParts ? `multipart/form-data; boundary=${boundary}` : 'application/json',
        },
      ];

function bodyOf({ fileParts }: Listed, body: unknown): object {
  if (body === undefined) return {};
  const raw = fileParts ? formText(body as object, fileParts) : JSON.stringify(body, null, 2);
  return { body: { mode: 'raw', raw, options: { raw: { language: fileParts ? 'text' : 'json' } } } };
}

/** A form as text, because a collection cannot bring files along. */
const formText = (body: object, fileParts: readonly string[]): string =>
  [
    ...Object.entries(body).flatMap(([name, value]) =>
      ([value].flat() as string[]).map((one) =>
        fileParts.includes(name)
          ? `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="note.txt"\r\nContent-Type: text/plain\r\n\r\nWritten by a collection.\r\n`
          : `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${one}\r\n`,
      ),
    ),
    `--${boundary}--\r\n`,
  ].join('');

function testsOf({ api, method, path, operation }: Listed, contract: Contract, listed: readonly Listed[]): string[] {
  const documented = Object.keys(operation.responses)
    .filter((status) => status !== 'default')
    .map(Number);
  const success = successStatuses(contract).get(operation.operationId)!;
  const child = listed
    .find((one) => one.path.startsWith(`${path}/{`))
    ?.path.slice(path.length + 2)
    .split('}')[0];
  const special = specialLines(operation.operationId);
  const remembered = api === 'public' && method === 'post' ? publicIdOf(path) : child && ownName(child, path);
  return [
    `pm.test('${operation.operationId} answers as documented', () => {`,
    `  pm.expect(pm.response.code).to.be.oneOf(${JSON.stringify(documented)});`,
    `  if (pm.response.code >= 300) pm.expect(pm.response.json().errors[0].code).to.be.a('string');`,
    '});',
    ...(remembered === undefined && !special
      ? []
      : [
          `if (pm.response.code === ${success}) {`,
          '  const body = pm.response.json();',
          ...(special ?? rememberLines(remembered!, method)),
          '}',
        ]),
  ];
}

/** A creation names the record to work with. A list does so only if nothing was created. */
const rememberLines = (name: string, method: string): string[] =>
  method === 'post'
    ? [
        '  const record = [body.data || (body.id ? body : Object.values(body)[0])].flat()[0];',
        `  pm.collectionVariables.set('${name}', String(record.id));`,
        `  pm.collectionVariables.set('new_${name}', String(record.id));`,
      ]
    : [
        '  const record = [body.data || []].flat()[0];',
        `  if (record && !pm.collectionVariables.get('${name}')) pm.collectionVariables.set('${name}', String(record.id));`,
      ];

function specialLines(operationId: string): readonly string[] | undefined {
  const from: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    signIn: { token: 'body.data.attributes.access_token' },
    getCurrentUser: {
      my_id: 'body.data.id',
      account_id: 'body.data.relationships.account.data.id',
      workspace_id: 'body.data.relationships.workspaces.data[0].id',
    },
    createWorkspace: { new_workspace_id: 'body.data.id' },
    createTimeTrackingFollowers: { new_follower_id: "'2'" },
  };
  const variables =
    from[operationId] ?? (operationId.startsWith('batch') ? { batch_id: 'body.meta.batch_id' } : undefined);
  return (
    variables &&
    Object.entries(variables).map(([name, value]) => `  pm.collectionVariables.set('${name}', String(${value}));`)
  );
}
