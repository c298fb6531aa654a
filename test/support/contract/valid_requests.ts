import type { Schema } from '../../../src/platform/http/contract_document.ts';
import { requestBodySchema } from '../../../src/platform/http/contract_document.ts';
import { password } from '../people.ts';
import { recordReferences, type RecordReference } from './record_references.ts';
import { multipartBody, type RawRequest } from './raw_http.ts';
import { externalId, type Tenant } from './tenant/tenant.ts';
import { image } from './tenant/maker.ts';
import { bases, resolvers, schemesOf, type ApiOperation } from './operations.ts';
import type { Person } from '../world.ts';

/*
 * Valid requests for every operation: the example of the contract, with the tenant's own records as references. Walks over the
 * contract change one thing in them and check the answer.
 */

type Json = Record<string, unknown>;

export interface RequestParts {
  readonly params: Record<string, string | number>;
  readonly query: Record<string, string | number>;
  readonly body: Json | undefined;
}

let made = 0;
let wageTypes = 0;

/** The figures of which the tenant has no wage type. Each can have one. */
const freeSources = ['target', 'overtime', 'night_23_6', 'night_20_6', 'sunday', 'holiday', 'payout'];

/** One request for an operation, or one per action if it has several. */
export function validRequests(operation: ApiOperation, tenant: Tenant): RequestParts[] {
  const example = Object.values(operation.requestBody?.content ?? {})[0] as { example?: Json } | undefined;
  const body = example && withOwnTexts({ ...structuredClone(example.example ?? {}), ...ownBody(operation) }, operation);
  const required = operation.allParameters.filter(
    (parameter) => parameter.in === 'query' && 'required' in parameter,
  ) as unknown as { name: string; example: string }[];
  const query = Object.fromEntries(required.map(({ name, example: value }) => [name, value]));
  return actionsOf(operation).map((action) => {
    const request: RequestParts = structuredClone({ params: {}, query, body });
    const data = request.body?.['data'] as { attributes: Json } | undefined;
    // The example has the members of one action.
    if (action && data!.attributes['action'] !== action.name)
      data!.attributes = {
        action: action.name,
        ...(action.members.includes('note') && { note: { content: 'Noted.' } }),
      };
    // The members of other actions are left out.
    const references = recordReferences(operation).filter(
      ({ where, steps }) => !action || where !== 'body' || action.members.includes(steps[2] as string),
    );
    for (const reference of references.filter(({ isExternal }) => isExternal)) remove(request, reference);
    for (const reference of references.filter(({ where, isExternal }) => where !== 'query' && !isExternal))
      set(request, reference, ownId(operation, reference, tenant));
    adjust(operation, request, tenant);
    return request;
  });
}

/** Two operations can delete the same kind of record, so each gets a record of its own. */
const ownId = ({ api, method, id }: ApiOperation, { kind }: RecordReference, { ids, spare }: Tenant): string | number =>
  ((api === 'public' && method === 'delete') || ['batchNotifications', 'batchTimeTrackings'].includes(id)
    ? spare[kind]
    : undefined) ?? ids[kind];

/** The actions of a schema with an `action`, each with its required members. */
function actionsOf(operation: ApiOperation): ({ name: string; members: string[] } | undefined)[] {
  const resolve = resolvers[operation.api];
  const follow = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref ? follow(resolve(schema.$ref)) : schema;
  const body = follow(operation.requestBody && (requestBodySchema(operation, undefined, resolve) as Schema));
  const attributes = follow(follow(body?.properties?.['data'])?.properties?.['attributes']);
  const actions = (follow(attributes?.properties?.['action'])?.enum ?? []) as string[];
  const cases = (attributes?.allOf ?? []) as { if?: Schema; then?: { required?: string[] } }[];
  const namesIn = (schema: Schema | undefined): readonly unknown[] => schema?.enum ?? [schema?.const];
  const membersOf = (name: string) =>
    cases
      .filter((one) => namesIn(one.if?.properties?.['action']).includes(name))
      .flatMap((one) => one.then?.required ?? []);
  const requires = (name: string) => (membersOf(name).length > 0 ? membersOf(name) : ['ids']);
  return actions.length > 1 ? actions.map((name) => ({ name, members: requires(name) })) : [undefined];
}

const ownBody = ({ requestBody }: ApiOperation): Json =>
  requestBody && Object.hasOwn(requestBody.content, 'multipart/form-data') ? { title: 'A title' } : {};

/** Replaces names that must be unique. */
function withOwnTexts(body: Json, { method }: ApiOperation): Json {
  made++;
  const fresh = (name: string, value: unknown): unknown => {
    if (name === 'email' && typeof value === 'string') return `request-${made}-${process.pid}@example.com`;
    if (name === 'external_id' && method === 'post') return `request-${made}`;
    return ['name', 'title', 'username'].includes(name) && typeof value === 'string' ? `${value} ${made}` : undefined;
  };
  return JSON.parse(JSON.stringify(body, (name, value: unknown) => fresh(name, value) ?? value)) as Json;
}

/** Adapts the example to the state of the tenant's records. */
function adjust({ id }: ApiOperation, { params, body, query }: RequestParts, tenant: Tenant): void {
  const attributes = ((body?.['data'] as Json | undefined)?.['attributes'] ?? {}) as Json;
  const moment = (seconds: number) => new Date(Date.UTC(2026, 0, 5, 9, 10) + seconds * 1000).toISOString();
  // Inside the tenant's time tracking, and different each time.
  if (id === 'createBreak')
    Object.assign(attributes, {
      starts_at: moment(made * 2),
      ends_at: moment(made * 2 + 1),
    });
  if (id === 'updateBreak') Object.assign(attributes, { starts_at: undefined, ends_at: '2026-01-05T08:20:00+01:00' });
  if (id === 'updateTimeTracking') Object.assign(attributes, { ends_at: '2026-01-05T18:00:00+01:00' });
  if (id === 'createAction') delete attributes['action_time'];
  // Admins keep their rights for the requests after it.
  if (id === 'updateCurrentWorkspaceUser') attributes['assumed_role'] = 'admin';
  // An id in notes_attributes means a change.
  if (id === 'updateAbsence') attributes['notes_attributes'] = [{ id: tenant.ids.absence_note, content: 'Changed.' }];
  // These users must stay in the area, because later requests need them there.
  if (id === 'updateArea') attributes['user_ids'] = [tenant.ids.user, tenant.areaAdmin.id, tenant.employee.id];
  // Other requests give the users of the shift absences.
  if (id === 'updateShift' || id === 'updateShiftUsers') attributes['force'] = true;
  // Each has its own day, from next year on.
  const freshDay = new Date(Date.UTC(2027, 0, 1 + made)).toISOString().slice(0, 10);
  if (id === 'createTargetHour') attributes['start_date'] = freshDay;
  if (id === 'createWageType') attributes['source'] = freeSources[wageTypes++ % freeSources.length];
  if (id === 'createPublicHoliday') attributes['date'] = freshDay;
  if (id === 'updatePublicHoliday') attributes['factor'] = 0.5;
  // Another request has deactivated the tenant's user by then.
  if (id === 'deactivatePublicUser') (body!['user'] as Json)['id'] = tenant.spare.user;
  if (id === 'createAnonymisation') {
    params['user_id'] = tenant.leaver.id;
    attributes['confirm'] = tenant.leaver.username;
  }
  if (id === 'createAccountingPeriods') Object.assign(attributes, { month: '2026-01', user_ids: [tenant.owner.id] });
  // Users have preferences and calendar feeds of their own only.
  if (/CalendarFeeds?$/.test(id)) params['user_id'] = tenant.admin.id;
  if (/Preferences?$/.test(id)) Object.assign(params, { user_id: tenant.admin.id, preference_id: 1 });
  if (id === 'signIn') Object.assign(attributes, { email: `${tenant.mark}@example.com`, password });
  if (id === 'updatePassword' || id === 'checkPasswordToken') attributes['reset_password_token'] = tenant.resetToken;
  if (id === 'confirmEmail') attributes['confirmation_token'] = tenant.confirmationToken;
  if (id === 'batchInvitations') attributes['user_ids'] = [tenant.inviteeId];
  if (id === 'joinWorkspace') attributes['token'] = tenant.inviteToken;
  if (id === 'getInvitation') params['invite_token'] = tenant.inviteToken;
  if (id === 'getInvitedUser' || id === 'listInvitedUsers') query['invite_token'] = tenant.inviteToken;
  if (
    ['listVacationEntitlements', 'listUploads', 'listPublicTargetHours', 'findEvaluations', 'listPayrolls'].includes(id)
  )
    query['user_id'] = tenant.ids.user;
  if (id === 'findWorkingSessions') query['range_start'] = '2026-01-01';
  const session = (body?.['working_session'] ?? {}) as Json;
  if (id === 'createWorkingSession')
    Object.assign(session, { starts_at: `${freshDay}T08:00:00Z`, ends_at: `${freshDay}T12:00:00Z` });
  if (id === 'deleteWorkingSession') session['id'] = Number(tenant.sessionToDelete);
  // Others of the tenant have the same times.
  if (id === 'updateWorkingSession') for (const name of ['starts_at', 'ends_at']) delete session[name];
  // The other operations that punch do so for other users.
  if (id === 'createPublicAction')
    Object.assign(body!['working_session_action'] as Json, {
      user_id: tenant.workspaceAdmin.id,
      action_type: 'start',
      action_time: new Date().toISOString(),
    });
  if (id === 'listPublicActions') query['location_id'] = tenant.ids.workspace;
  if (id === 'createLocation') (body!['location'] as Json)['user_id'] = tenant.owner.id;
  if (id === 'getAbsencesCalculation')
    Object.assign(query, { starts_at: '2026-03-02T08:00:00Z', ends_at: '2026-03-02T16:00:00Z' });
  if (id === 'findEvaluations') query['range_start'] = '2026-03-01';
  if (id === 'getAssignments') query['shift_id'] = tenant.ids.shift;
  if (id === 'findPublicShifts')
    Object.assign(query, { location_id: tenant.ids.workspace, range_start: '2026-06-01', range_end: '2026-06-30' });
  if (id === 'findPublicAbsences') Object.assign(query, { range_start: '2026-03-01', range_end: '2026-03-31' });
}

function remove(request: RequestParts, { where, steps }: RecordReference): void {
  if (where !== 'body') return;
  const owner = steps.slice(0, steps.includes(0) ? steps.indexOf(0) : undefined);
  const parent = owner.slice(0, -1).reduce<unknown>((node, step) => (node as Json | undefined)?.[step], request.body);
  if (parent) delete (parent as Json)[owner.at(-1)!];
}

function set({ params, query, body }: RequestParts, { where, steps }: RecordReference, value: string | number): void {
  if (where === 'path') params[steps[0] as string] = value;
  if (where === 'query') query[steps[0] as string] = value;
  if (where !== 'body') return;
  let node = body as Json;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    const next = steps[index + 1] === 0 ? [] : {};
    if (typeof node[step] !== 'object' || node[step] === null) node[step] = next;
    if (step !== 0 && Array.isArray(node[step])) node[step] = (node[step] as unknown[]).slice(0, 1);
    node = node[step] as Json;
  }
  node[steps.at(-1)!] = value;
  if (steps.at(-1) === 'id' && steps.at(-2) === 'data') node['type'] ??= steps.at(-3);
  if (steps.at(-2) === 0 && steps.at(-3) === 'data') node['type'] ??= (steps.at(-4) as string).replace(/s$/, '');
}

/** Whether the request refers to a record there, by id or external id. */
export function namesRecordAt({ body }: RequestParts, reference: RecordReference): boolean {
  const valueAt = (steps: RecordReference['steps']): unknown =>
    steps.reduce<unknown>((node, step) => (node as Json | undefined)?.[step], body);
  return (
    reference.where !== 'body' || valueAt(reference.steps) !== undefined || valueAt(twinOf(reference)) !== undefined
  );
}

/** The path to the same reference by external id instead of id, or the other way round. */
const twinOf = ({ steps, isExternal }: RecordReference): RecordReference['steps'] =>
  steps.map((step) =>
    step === 0 ? step : isExternal ? step.replace('external_id', 'id') : step.replace(/(^|_)(ids?)$/, '$1external_$2'),
  );

/** The request with one reference changed to a record of the given tenant. The twin reference is removed, so that the two cannot differ. */
export function withRecordOf(request: RequestParts, reference: RecordReference, tenant: Tenant): RequestParts {
  const copy = structuredClone(request);
  remove(copy, { ...reference, steps: twinOf(reference) });
  const value = reference.isExternal ? externalId(tenant, reference.kind) : tenant.ids[reference.kind];
  set(copy, reference, String(reference.steps[0]).startsWith('filter[') ? `eq:${value}` : value);
  return copy;
}

/** The request as it is sent, with its credential. */
export function rawRequestOf(
  operation: ApiOperation,
  { params, query, body }: RequestParts,
  tenant: Tenant,
  person: Person = tenant.admin,
): RawRequest {
  const { api, method, path, requestBody } = operation;
  const isForm = requestBody && Object.hasOwn(requestBody.content, 'multipart/form-data');
  const api_token = tenant.apiToken;
  const withToken =
    api === 'v3'
      ? { body, query }
      : body
        ? { body: { ...body, api_token }, query }
        : { body, query: { ...query, api_token } };
  const text = new URLSearchParams(
    Object.entries(withToken.query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const address =
    bases[api] +
    path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(params[name]))) +
    (text ? `?${text}` : '');
  const own =
    schemesOf(operation)[0] === 'apiKey' ? { 'Api-Key': tenant.apiKey } : { Authorization: `Bearer ${person.token}` };
  const headers = api === 'v3' ? own : {};
  if (isForm) {
    const form = asForm(operation, withToken.body!);
    return { method, address, headers: { ...headers, ...form.headers }, body: form.body! };
  }
  if (withToken.body === undefined) return { method, address, headers };
  return {
    method,
    address,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(withToken.body),
  };
}

function asForm(operation: ApiOperation, body: Json) {
  const resolve = resolvers[operation.api];
  const schema = requestBodySchema(operation, 'multipart/form-data', resolve) as Schema;
  const { properties = {} } = schema.$ref ? resolve(schema.$ref) : schema;
  const isFile = (name: string): boolean =>
    properties[name]?.format === 'binary' || properties[name]?.items?.format === 'binary';
  const fields = Object.entries(body).filter(([name, value]) => !isFile(name) && value !== null && value !== undefined);
  const files = Object.keys(properties).filter(isFile);
  return multipartBody(
    Object.fromEntries(
      fields.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
    ),
    files.map((field) => ({ field, name: 'file.png', bytes: image })),
  );
}
