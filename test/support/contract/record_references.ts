import type { Schema } from '../../../src/platform/http/contract_document.ts';
import { requestBodySchema } from '../../../src/platform/http/contract_document.ts';
import type { RecordKind } from './tenant/tenant.ts';
import { namesInPath, resolvers, type ApiOperation } from './operations.ts';

/*
 * The references to records in requests: in the path, the query and the body. They are read from the contracts, so a new
 * operation is covered at once. An unknown name throws.
 */

export interface RecordReference {
  readonly where: 'path' | 'query' | 'body';
  /** The path to it. 0 means any item of a list. */
  readonly steps: readonly (string | 0)[];
  readonly kind: RecordKind;
  /** Whether it is an external id. */
  readonly isExternal: boolean;
}

/** Ids of other systems, which are stored unchecked, and ids that all accounts share. */
const namesNoRecord = new Set([
  ...['assignment_id', 'import_id', 'outlook_id', 'secure_id', 'start_signature_id', 'end_signature_id', 'device_id'],
  ...[
    'wage_type_ids',
    'default_break_ids',
    'public_holiday_ids',
    'time_tracking_method_id',
    'role_ids',
    'preference_id',
    'invite_token',
  ],
  // Events and deliveries are about records of any kind.
  ...['record_id', 'actor_id'],
]);

const synonyms: Readonly<Record<string, RecordKind>> = {
  ...{
    location: 'workspace',
    company: 'workspace',
    working_area: 'area',
    filter: 'tag',
    tags: 'tag',
    areas: 'area',
    working_session: 'time_tracking',
    taggable: 'time_tracking',
  },
  ...{
    users_id_in: 'user',
    intersecting_users: 'user',
    breaks_attributes: 'break',
    notes_attributes: 'absence_note',
    target_working_days_attributes: 'target_working_day',
    last_editor: 'user',
    vacation_times: 'vacation_entitlement',
    custom_field_values_attributes: 'custom_field',
    // Of events, by which they are filtered.
    record: 'area',
    actor: 'user',
  },
};

const kinds = new Set<string>([
  ...[
    'account',
    'workspace',
    'area',
    'user',
    'tag',
    'time_tracking',
    'break',
    'follower',
    'action',
    'absence',
    'absence_type',
  ],
  ...[
    'notification',
    'batch',
    'api_token',
    'session',
    'upload',
    'target_hour',
    'public_holiday',
    'vacation_entitlement',
    'time_account_entry',
    'working_time_violation',
    'accounting_period',
    'evaluation',
    'shift',
    'deleted_record',
    'tagging',
    'data_profile',
    'custom_field',
    'webhook',
    'webhook_delivery',
    'wage_type',
    'calendar_feed',
    'data_export',
  ],
]);

/** The kind of record in the collection at the end of a path. */
const collections: Readonly<Record<string, RecordKind | null>> = {
  ...{
    users: 'user',
    followers: 'user',
    workspaces: 'workspace',
    locations: 'workspace',
    areas: 'area',
    working_areas: 'area',
    tags: 'tag',
    filters: 'tag',
  },
  ...{
    actions: 'action',
    time_trackings: 'time_tracking',
    working_sessions: 'time_tracking',
    breaks: 'break',
    absences: 'absence',
    absence_types: 'absence_type',
    uploads: 'upload',
  },
  ...{
    notifications: 'notification',
    api_tokens: 'api_token',
    sessions: 'session',
    data_profiles: 'data_profile',
    custom_fields: 'custom_field',
    signatures: 'signature',
    attachments: 'attachment',
    target_hours: 'target_hour',
    public_holidays: 'public_holiday',
    vacation_entitlements: 'vacation_entitlement',
    time_account_entries: 'time_account_entry',
    working_time_violations: 'working_time_violation',
    acknowledgements: 'working_time_violation',
    checks: null,
    accounting_periods: 'accounting_period',
    payrolls: 'accounting_period',
    evaluations: 'evaluation',
    shifts: 'shift',
    publications: 'shift',
    deleted_records: 'deleted_record',
    events: 'history_event',
    taggings: 'tagging',
    wage_types: 'wage_type',
    calendar_feeds: 'calendar_feed',
    data_exports: 'data_export',
    anonymisations: 'user',
    suggested_followers: 'user',
    invited: 'user',
  },
  ...{
    events: null,
    webhooks: 'webhook',
    pings: 'webhook',
    deliveries: 'webhook_delivery',
    redeliveries: 'webhook_delivery',
  },
  // All accounts share these.
  ...{ roles: null, industry_examples: null, holiday_regions: null, preferences: null, searches: null },
};

const isNested = (path: string, collection: string): boolean => path.includes(`/${collection}/{`);

/** The kind of record at the end of these steps, or null where there is none. */
function kindAt(operation: ApiOperation, steps: readonly (string | 0)[]): RecordKind | null {
  const names = steps.filter((step): step is string => step !== 0);
  const name = names.at(-1)!;
  const collection = operation.path
    .replaceAll(/\/(\{\w+\}|batch_actions|exports|activate|deactivate|confirm|reject|reset)/g, '')
    .split('/')
    .at(-1)!;
  if (collection === 'restorations' && name !== 'workspace_id')
    return isNested(operation.path, 'absences') ? 'deleted_absence' : 'deleted_time_tracking';
  if (name === 'export_id')
    return isNested(operation.path, 'absences/exports') ? 'absence_export' : 'time_tracking_export';
  if (name === 'user_note_id') return isNested(operation.path, 'absences') ? 'absence_note' : 'time_tracking_note';
  if (name === 'id' || name === 'ids' || name === 'external_id') {
    const owner = names.filter((step) => step !== 'data' && step !== 'attributes').at(-2);
    if (owner !== undefined) return known(owner, operation);
    return kindIn(collection, operation);
  }
  const bare = name.replace(/(_external)?_ids?$/, '');
  return namesNoRecord.has(name) ? null : known(bare, operation);
}

const known = (name: string, { id }: ApiOperation): RecordKind => {
  const kind = synonyms[name] ?? name;
  if (!kinds.has(kind) && !Object.values(synonyms).includes(kind as RecordKind))
    throw new Error(`${id} refers to a record by ${name}: add its kind to test/support/contract/record_references.ts.`);
  return kind as RecordKind;
};

function kindIn(collection: string, { id, path }: ApiOperation): RecordKind | null {
  if (collection === 'notes') return isNested(path, 'absences') ? 'absence_note' : 'time_tracking_note';
  if (!Object.hasOwn(collections, collection))
    throw new Error(
      `${id} has the collection ${collection}: add its kind to test/support/contract/record_references.ts.`,
    );
  return collection === 'attachments' && isNested(path, 'absences') ? 'absence_attachment' : collections[collection]!;
}

const isReferenceName = (name: string): boolean =>
  /(^|_)ids?$/.test(name) || ['tags', 'areas', 'users_id_in', 'intersecting_users'].includes(name);

/** Every reference to a record in the requests of an operation. */
export function recordReferences(operation: ApiOperation): RecordReference[] {
  const referenceTo = (where: RecordReference['where'], steps: readonly (string | 0)[]): RecordReference[] => {
    const kind = kindAt(operation, steps);
    return kind === null
      ? []
      : [{ where, steps, kind, isExternal: steps.some((step) => step !== 0 && /external_ids?$/.test(step)) }];
  };
  const inQuery = operation.allParameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return [
    ...namesInPath(operation.path).flatMap((name) => referenceTo('path', [name])),
    ...inQuery.flatMap((name) => {
      const field = /^filter\[(\w+)\]$/.exec(name)?.[1];
      // A filter by external id compares text and addresses no record.
      if (field !== undefined)
        return isReferenceName(field) && field !== 'external_id'
          ? referenceTo('query', [field]).map((one) => ({ ...one, steps: [name] }))
          : [];
      return isReferenceName(name) ? referenceTo('query', [name]) : [];
    }),
    ...bodyPaths(operation)
      .filter((steps) => isReferenceName(String(steps.filter((step) => step !== 0).at(-1))))
      // A new record is given its external id, not found by it.
      .filter((steps) => steps.at(-1) !== 'external_id' || (operation.api === 'public' && operation.method !== 'post'))
      .flatMap((steps) => referenceTo('body', steps)),
  ];
}

/** The paths to every value that a body can contain. */
export function bodyPaths(operation: ApiOperation): (string | 0)[][] {
  const resolve = resolvers[operation.api];
  const found = new Map<string, (string | 0)[]>();
  const visit = (schema: Schema | undefined, steps: readonly (string | 0)[]): void => {
    if (!schema) return;
    if (schema.$ref) return visit(resolve(schema.$ref), steps);
    for (const branch of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
      visit(branch, steps);
    if (schema.properties) for (const [name, own] of Object.entries(schema.properties)) visit(own, [...steps, name]);
    else if (schema.items) visit(schema.items, [...steps, 0]);
    else if (schema.type) found.set(steps.join('/'), [...steps]);
  };
  visit(operation.requestBody ? (requestBodySchema(operation, undefined, resolve) as Schema) : undefined, []);
  return [...found.values()];
}
