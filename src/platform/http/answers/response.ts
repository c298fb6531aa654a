import type { NextPage } from '../../db/list/list.ts';
import type { ApiDefinition } from '../api_definition.ts';
import type { Answer, Handle, HandlerResult } from '../handlers.ts';
import type { QueryOptions } from '../requests/query_options.ts';
import { takes, type Route } from '../route.ts';
import { entityTag, textTag } from './etag.ts';
import { sparse, type Resource } from './jsonapi.ts';

const pagingHeaders = [
  ['current_page', 'Current-Page'],
  ['page_items', 'Page-Items'],
  ['total_pages', 'Total-Pages'],
  ['total_count', 'Total-Count'],
] as const;

/** A handler whose result becomes a response: with the status, and for an API with `meta` the meta members and the paging headers. */
export function presented({ hasMeta, gitCommit }: ApiDefinition, route: Route, handle: Handle): Answer {
  const { status } = route;
  const isTagged = hasTag(route);
  const takesFields = takes(route, 'fields');
  return async (call) => {
    const result = await handle(call);
    if (!result) return { status, headers: {}, body: null };
    const { headers: resultHeaders, ...body } = result;
    const headers = { ...resultHeaders };
    if (status === 204) return { status, headers, body: null };
    if (!hasMeta) {
      const json = JSON.stringify(body);
      // The same operation returns one record or a list.
      if (isTagged && 'id' in body) headers['ETag'] = textTag(json);
      return { status, headers, body: json };
    }
    const { next, ...described } = body.meta ?? {};
    const meta: Record<string, unknown> = { request_id: call.requestId, git_commit: gitCommit, ...described };
    const links = next === undefined ? {} : { links: { next: next && addressOf(next, call) } };
    for (const [member, header] of pagingHeaders) if (member in meta) headers[header] = String(meta[member]);
    if (status === 201 && route.createsReadable) headers['Location'] = locationOf(body.data as Resource, call);
    const fields = takesFields ? call.queryOptions.fields : {};
    if (isTagged) {
      // The record becomes JSON once, for its tag and for the body.
      const json = JSON.stringify(body.data);
      headers['ETag'] = entityTag(body.data as Resource, json);
      if (Object.keys(fields).length === 0) {
        const rest = JSON.stringify({ included: body.included, meta });
        return { status, headers, body: `{"data":${json},${rest.slice(1)}` };
      }
    }
    return { status, headers, body: JSON.stringify({ ...withFields(body, fields), ...links, meta }) };
  };
}

/** The address of a new record, below that of the request. */
const locationOf = ({ id }: Resource, { addressWith }: Parameters<Answer>[0]): string =>
  `${addressWith({}).replace(/\/?\?.*$/s, '')}/${id}`;

/** The address of the next page. Whatever said where this page begins is left out. */
const addressOf = (next: NextPage, { addressWith }: Parameters<Answer>[0]): string =>
  addressWith('after' in next ? { page: null, outset: null, ...next } : { ...next });

/** Whether the contract gives the response the tag of its record. */
const hasTag = ({ operation, status }: Route): boolean =>
  'ETag' in ((operation.responses[status] as { headers?: object } | undefined)?.headers ?? {});

function withFields(
  body: Omit<HandlerResult, 'headers'>,
  fields: QueryOptions['fields'],
): Omit<HandlerResult, 'headers'> {
  if (Object.keys(fields).length === 0) return body;
  const { data, included } = body;
  // Names without a type belong to the primary records only.
  const primary = (record: Resource): Resource => sparse(record, fields[record.type] ?? fields['']);
  const related = (record: Resource): Resource => sparse(record, fields[record.type]);
  return {
    ...body,
    ...(Array.isArray(data) ? { data: data.map(primary) } : data ? { data: primary(data) } : {}),
    ...(included ? { included: included.map(related) } : {}),
  };
}
