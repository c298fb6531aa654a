import { beforeAll, describe, expect, it } from 'vitest';
import { operations, operationsInCallOrder, type ApiOperation } from '../support/contract/operations.ts';
import { send, type RawResponse } from '../support/contract/raw_http.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { updates, type Update } from '../support/contract/updates.ts';
import { rawRequestOf, validRequests, type RequestParts } from '../support/contract/valid_requests.ts';
import { service } from '../support/service.ts';
import { figure, tally, walkTimeoutMs } from '../support/verification.ts';
import { changedValue, isSame } from './requests/changed_values.ts';

/*
 * Nothing that is sent is silently ignored. Every update gets each member of its own response, one at a time, with another value.
 * Either a read shows that value afterwards, or the request is refused and the problem names the member, or the contract marks it
 * with `x-read-only`. A strict request is refused in the last case too.
 */

type Json = Record<string, unknown>;

interface Shown {
  readonly id: string;
  readonly members: Json;
}

let tenant: Tenant;
let url: string;
beforeAll(async () => {
  ({ url } = await service());
  tenant = await newTenant('Sent');
});

const ask = (operation: ApiOperation, parts: RequestParts, headers: Readonly<Record<string, string>> = {}) => {
  const request = rawRequestOf(operation, parts, tenant);
  return send(url, { ...request, headers: { ...request.headers, ...headers } });
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The records of a response: that of `data`, of a list, or of the member that is named after it. */
function recordsIn(body: unknown): Shown[] {
  const outer = isObject(body) && body['data'] ? body['data'] : body;
  const inner = isObject(outer) ? [outer, ...Object.values(outer)] : [outer];
  return inner
    .flat()
    .filter((one): one is Json => isObject(one) && 'id' in one)
    .map(({ id, attributes, relationships, ...others }) => ({
      id: String(id),
      members: isObject(attributes) ? { ...attributes, ...(relationships as Json) } : others,
    }));
}

/** What reads the record of an update: at its own address, or at that of the list or the record around it. */
function readOf(api: ApiOperation['api'], path: string): ApiOperation {
  const read = operations.find((one) => one.api === api && one.method === 'get' && one.path === path);
  return read ?? readOf(api, path.slice(0, path.lastIndexOf('/')));
}

async function read({ api, path }: ApiOperation, { params }: RequestParts, id: string): Promise<Json | undefined> {
  const operation = readOf(api, path);
  const own = validRequests(operation, tenant)[0]!;
  // Updates move the record in time.
  const range: RequestParts['query'] =
    'range_start' in own.query ? { range_start: '2026-01-01', range_end: '2026-12-31' } : {};
  const parts = { ...own, params: { ...own.params, ...params }, query: { ...own.query, ...range } };
  return recordsIn((await ask(operation, parts)).body).find((record) => record.id === id)?.members;
}

/** What the contract wants to have beside a member, so that it takes effect. */
const companions: Readonly<Record<string, Json>> = {
  hours: { use_custom_values: true },
  days: { use_custom_values: true },
  paid_hours: { force_calc_custom_hours: true, vacation_days: 1 },
  vacation_days: { force_calc_custom_hours: true, paid_hours: 1 },
  force_calc_custom_hours: { paid_hours: 1, vacation_days: 1 },
};

/** The request with another value of a member, in the place where the operation has its members. */
function withMember(parts: RequestParts, { operation, relationships }: Update, name: string, value: unknown) {
  const body = structuredClone(parts.body!);
  const data = body['data'] as Record<string, Json> | undefined;
  const record = data ?? (Object.values(body).find(isObject) as Json | undefined) ?? body;
  const isAmount = operation.id === 'updateAbsence' || operation.id === 'updatePublicAbsence';
  const more = { ...(isAmount && companions[name]), [name]: value };
  if (!data) Object.assign(record, more);
  else if (relationships.includes(name)) data['relationships'] = { ...data['relationships'], ...more };
  else data['attributes'] = { ...data['attributes'], ...more };
  return { ...parts, body };
}

/** Whether a request was refused because of a member. A period is named by its beginning. */
const refuses = ({ status, body }: RawResponse, name: string): boolean =>
  status === 400 &&
  (body as { errors: { source: { pointer: string }; title: string }[] }).errors.some(
    ({ source, title }) =>
      source.pointer.split('/').includes(name.replace('ends_at', 'starts_at')) || title.includes(name),
  );

const isMarked = ({ operation, taken, relationships }: Update, name: string): boolean => {
  const { 'x-read-only': marked = [] } = operation;
  if (marked === true || relationships.includes(name))
    return !taken.has(name) && (marked === true || marked.some((one) => one.endsWith('relationships')));
  return marked.includes(name);
};

type Outcome = 'stored' | 'refused' | 'read-only';

/** What happens to a member, or what is wrong with it. */
async function outcomeOf(
  update: Update,
  parts: RequestParts,
  id: string,
  name: string,
  record: Json,
): Promise<Outcome | { readonly fault: string }> {
  const { operation, taken, relationships } = update;
  const before = record[name];
  const sent = changedValue(name, before, taken.get(name) ?? {}, tenant);
  const changed = withMember(parts, update, name, sent);
  const answer = await ask(operation, changed);
  const fault = (what: string) => ({
    fault: `${operation.id} with ${name} ${JSON.stringify(sent)} instead of ${JSON.stringify(before)} ${what}`,
  });
  if (refuses(answer, name)) return 'refused';
  if (answer.status >= 300) return fault(`is ${answer.status}: ${answer.text}`);
  if (!isMarked(update, name)) {
    // A relationship to nothing is left out.
    const none = relationships.includes(name) ? { data: null } : null;
    Object.assign(record, { [name]: none }, await read(operation, parts, id));
    const shown = JSON.stringify(record[name]);
    return isSame(record[name], sent) ? 'stored' : fault(`is silently ignored: a read shows ${shown}`);
  }
  const shown = recordsIn(answer.body)[0]?.members[name];
  if (isSame(shown, sent) && !isSame(before, sent)) return fault('is stored, although it is marked as read-only');
  return 'read-only';
}

/** The read-only members that a strict request with all of them is not refused for. */
async function strictlyIgnored(update: Update, parts: RequestParts, record: Json, names: readonly string[]) {
  const changed = names.reduce((all, name) => withMember(all, update, name, record[name]), parts);
  const strict = await ask(update.operation, changed, { Prefer: 'handling=strict' });
  return names.filter(
    (name) => !refuses(strict, update.relationships.includes(name) ? 'relationships' : name) && !refuses(strict, name),
  );
}

describe('every update', () => {
  it(
    'stores, refuses or marks as read-only each member of its own response',
    async () => {
      const line = tally('members of their own response that updates store, refuse or mark as read-only');
      const counts = { stored: 0, refused: 0, 'read-only': 0 };
      for (const { id: operationId } of operationsInCallOrder) {
        const update = updates.find(({ operation }) => operation.id === operationId);
        if (!update) continue;
        const parts = validRequests(update.operation, tenant)[0]!;
        const first = await ask(update.operation, parts);
        const [record] = recordsIn(first.body);
        const shown = record && (await read(update.operation, parts, record.id));
        if (!record || !shown) {
          line.fail(`${operationId}: no read shows the record of the response ${first.status} ${first.text}`);
          continue;
        }
        const before = { ...record.members, ...shown };
        const readOnly: string[] = [];
        for (const name of Object.keys(record.members).filter((member) => member !== 'id')) {
          const outcome = await outcomeOf(update, parts, record.id, name, before);
          line.count();
          if (typeof outcome === 'string') counts[outcome]++;
          else line.fail(outcome.fault);
          if (outcome === 'read-only') readOnly.push(name);
        }
        for (const name of await strictlyIgnored(update, parts, before, readOnly))
          line.fail(`${operationId} ignores ${name} although the request is strict`);
        // Later updates refer to the record, which must not stay inactive.
        if (update.taken.has('active')) await ask(update.operation, withMember(parts, update, 'active', true));
      }
      for (const [outcome, count] of Object.entries(counts)) figure(`members that are ${outcome}`, count);
      line.close();
      // Refusing everything would be no proof.
      expect(counts.stored).toBeGreaterThan(3 * counts.refused);
    },
    walkTimeoutMs,
  );
});
