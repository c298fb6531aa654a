import { demoCredentials } from '../../../src/programs/demo/credentials.ts';
import { operationsOf, type Api, type Contract } from '../../../src/platform/http/contract_document.ts';
import type { Example } from '../examples.ts';

/*
 * The values of the examples belong to the run in which they were recorded. Here they become variables: the ids of records that the
 * collection creates itself, and names that differ in every run.
 */

type Requests = Readonly<Record<string, Pick<Example, 'request'>>>;

/** The variable that holds the id of a record in the public API, by the path of its operations. */
export const publicIdOf = (path: string): string => `${path.slice(1).replaceAll('/', '_').replace(/s$/, '')}_id`;

/** Bodies refer to users and workspaces of the demo organisation. */
const demoIds = new Set(['user_id', 'workspace_id', 'follower_id']);
const lastDemoUser = 7;

const uniqueMembers = new Set(['name', 'title', 'username', 'email', 'external_id', 'url']);

export interface Values {
  /** The body of a request, with variables. */
  bodyOf(path: string, body: unknown): unknown;
  /** The value of a parameter in the query. */
  queryValueOf(name: string, value: unknown): string;
}

export function valuesOf(api: Api, contract: Contract, requests: Requests): Values {
  const operations = operationsOf(contract);
  const created = new Set(
    operations
      .filter(({ method, operation }) => method === 'post' && operation.operationId !== 'signIn')
      .flatMap(({ operation }) => uniqueTextsIn(requests[operation.operationId]?.request.body)),
  );
  const createdExternalIds = new Map(
    operations
      .filter(({ method }) => method === 'post')
      .map(({ path, operation }) => [path, externalIdIn(requests[operation.operationId]?.request.body)]),
  );
  const ownIds = new Map<string, Set<string>>();
  for (const { method, operation } of operations) {
    if (method === 'get') continue;
    for (const [name, id] of Object.entries(requests[operation.operationId]?.request.path ?? {}))
      ownIds.set(name, (ownIds.get(name) ?? new Set()).add(id));
  }

  const replaced = (path: string, name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return [...new Set(value.map((item) => replaced(path, name.replace(/s$/, ''), item)))];
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(path, key, item)]));
    if (value === demoCredentials.admin) return '{{email}}';
    if (name === 'password') return '{{password}}';
    if (typeof value === 'string' && created.has(value)) return unique(value);
    if (api === 'public' && name === 'id') return `{{${publicIdOf(`/${path.split('/')[1]}`)}}}`;
    const external = name === 'external_id' ? createdExternalIds.get(`/${path.split('/')[1]}`) : undefined;
    if (api === 'public' && external !== undefined) return unique(external);
    if (api === 'public' && name === 'shift_id') return '{{shift_id}}';
    if (name === 'id' && path.endsWith('/batch_actions')) return `{{${path.split('/').at(-2)!.replace(/s$/, '')}_id}}`;
    if (name === 'user_id' && Number(value) > lastDemoUser) return '{{user_id}}';
    if (!demoIds.has(name) && ownIds.get(name)?.has(String(value))) return `{{${name}}}`;
    return value;
  };
  return {
    bodyOf: (path, body) => replaced(path, '', body),
    queryValueOf: (name, value) => {
      if (name === 'shift_id') return '{{shift_id}}';
      const text = String(value);
      // A plus sign in a query means a space.
      return created.has(text) ? unique(text) : text.replaceAll('+', '%2B');
    },
  };
}

/** The external id of a record in a body, which is in an object that names its kind. */
const externalIdIn = (body: unknown): string | undefined =>
  Object.values((body ?? {}) as Record<string, { external_id?: string }>).find((record) => record?.external_id)
    ?.external_id;

const unique = (text: string): string =>
  text.includes('@') ? text.replace('@', '-{{run}}@') : text.startsWith('http') ? `${text}/{{run}}` : `${text}-{{run}}`;

function uniqueTextsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? (uniqueMembers.has(name) ? [value] : []) : uniqueTextsIn(value),
  );
}
