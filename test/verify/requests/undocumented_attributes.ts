import type { Schema } from '../../../src/platform/http/contract_document.ts';
import type { RequestParts } from '../../support/contract/valid_requests.ts';
import { bodyPaths } from '../../support/contract/record_references.ts';
import type { Tenant } from '../../support/contract/tenant/tenant.ts';
import { operations, resolvers, type ApiOperation } from '../../support/contract/operations.ts';

/** Every member of a response of either API, with its schema, and every column. */
export function responseAttributes(
  columns: readonly string[],
  walked: readonly ApiOperation[] = operations,
): Map<string, Schema> {
  const found = new Map<string, Schema>(columns.map((name) => [name, {}]));
  for (const { api, responses } of walked) {
    const resolve = resolvers[api];
    const seen = new Set<string>();
    const visit = (schema: Schema | undefined): void => {
      if (schema?.$ref) {
        if (seen.has(schema.$ref)) return;
        seen.add(schema.$ref);
        return visit(resolve(schema.$ref));
      }
      for (const branch of [...(schema?.allOf ?? []), ...(schema?.anyOf ?? []), ...(schema?.oneOf ?? [])])
        visit(branch);
      visitMembers(schema);
      if (schema?.items) visit(schema.items);
    };
    const visitMembers = (schema: Schema | undefined): void => {
      for (const [name, own] of Object.entries(schema?.properties ?? {})) {
        // Where several have the same name, an enum is the easiest to fill.
        if (!found.get(name)?.enum) found.set(name, own.$ref ? resolve(own.$ref) : own);
        visit(own);
      }
    };
    for (const [status, response] of Object.entries(responses)) {
      if (!status.startsWith('2')) continue;
      for (const { schema } of Object.values(
        (response as { content?: Record<string, { schema: Schema }> }).content ?? {},
      ))
        visit(schema);
    }
  }
  return found;
}

type Json = Record<string, unknown>;

/** The request with these attributes added at every level of its body, beside the documented ones. */
export function withUndocumentedAttributes(
  operation: ApiOperation,
  draft: RequestParts,
  attributes: ReadonlyMap<string, Schema>,
  tenant: Tenant,
): RequestParts {
  const isForm = Object.hasOwn(operation.requestBody!.content, 'multipart/form-data');
  const paths = bodyPaths(operation).map((steps) => steps.map((step) => (step === 0 ? '*' : step)));
  const isDocumented = (level: readonly string[], name: string): boolean =>
    paths.some((path) => [...level, name].every((step, index) => path[index] === step));
  const fill = (value: unknown, level: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => fill(item, [...level, '*']));
    if (typeof value !== 'object' || value === null) return value;
    const own = Object.entries(value).map(([name, member]) => [name, fill(member, [...level, name])] as const);
    if (ownNames.includes(level.at(-1)!)) return value;
    const undocumented = [...attributes].filter(([name]) => !Object.hasOwn(value, name) && !isDocumented(level, name));
    const more = isForm
      ? ownFirst(operation, undocumented).slice(0, maxFields - Object.keys(value).length)
      : undocumented;
    return {
      ...Object.fromEntries(more.map(([name, schema]) => [name, valueFor(name, schema, tenant)])),
      ...Object.fromEntries(own),
    };
  };
  return { ...draft, body: fill(draft.body, []) as Json };
}

/** One object rejects unknown members, and the preferences of a user keep them. */
const ownNames = ['data_profiles', 'value'];
/** A form has at most 100 fields. */
const maxFields = 90;

const ownFirst = (operation: ApiOperation, attributes: [string, Schema][]): [string, Schema][] => {
  const own = responseAttributes([], [operation]);
  return [...attributes].sort(([one], [other]) => Number(own.has(other)) - Number(own.has(one)));
};

/** True by default, so only false is a change. */
const startsTrue = ['active', 'enabled', 'allow_employees_edit_working_session_area'];

/** A value that fits the schema and that no record has. */
function valueFor(name: string, { type, format, enum: allowed }: Schema, tenant: Tenant): unknown {
  const { workspaceAdmin, otherWorkspaceId, mark } = tenant;
  if (/^(user|author|last_editor|follower|creator|confirmed_by)(_id)?$|_by$/.test(name)) return workspaceAdmin.id;
  if (/^(workspace|company|location)_id$/.test(name)) return otherWorkspaceId;
  if (allowed) return allowed.at(-1);
  const types = [type ?? []].flat();
  if (types.includes('boolean') || /^(is|allow)_|^(deleted|confirmed|active)$/.test(name))
    return !startsTrue.includes(name);
  if (format === 'date-time' || /_at$/.test(name)) return '2031-07-07T07:07:07Z';
  if (format === 'date') return '2031-07-07';
  if (types.includes('integer') || types.includes('number') || /_ids?$|_s$|^(rank|role|position)$/.test(name))
    return 77;
  if (types.includes('array')) return [77];
  return types.includes('object') ? { smuggled: mark } : `smuggled ${name}`;
}
