import type { Request } from 'express';
import type { ApiDefinition } from '../api_definition.ts';
import { requestIdOf } from '../requests/request_id.ts';
import type { Handling } from '../requests/strictness.ts';
import type { View } from '../requests/view.ts';
import { entityTag, textTag } from './etag.ts';
import { sparse, type Resource } from './jsonapi.ts';

/** What a handler returned, before the frame adds its part. */
export interface HandlerResult {
  data?: Resource | Resource[] | null;
  included?: Resource[];
  meta?: object & { ignored?: readonly string[] };
  headers?: Record<string, string>;
}

/** A response that is ready to be sent, or to be stored and sent again. */
export interface PreparedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const pagingHeaders = [
  ['current_page', 'Current-Page'],
  ['page_items', 'Page-Items'],
  ['total_pages', 'Total-Pages'],
  ['total_count', 'Total-Count'],
] as const;

/** What a response is made of beside the handler's result. */
interface ResponseOptions {
  /** The contract's success status. */
  readonly status: number;
  /** The requested attributes. */
  readonly fields: View['fields'];
  /** Whether the response has the tag of its record. */
  readonly isTagged: boolean;
  /** What became of unknown parameters. */
  readonly handling: Handling;
}

/** Adds the status, and for an API with `meta` the meta members and the paging headers; keeps only the chosen fields. */
export function prepareResponse(
  { hasMeta, gitCommit }: Pick<ApiDefinition, 'hasMeta' | 'gitCommit'>,
  req: Request,
  result: HandlerResult | void,
  { status, fields, isTagged, handling }: ResponseOptions,
): PreparedResponse {
  if (!result) return { status, headers: {}, body: null };
  const { headers: resultHeaders, ...body } = result;
  if (status === 204) return { status, headers: { ...resultHeaders }, body: null };
  const headers = { ...resultHeaders };
  if (handling.isStrict)
    headers['Preference-Applied'] = ['handling=strict', resultHeaders?.['Preference-Applied'] ?? []].flat().join(', ');
  if (!hasMeta) {
    const json = JSON.stringify(body);
    // The same operation returns one record or a list.
    if (isTagged && 'id' in body) headers['ETag'] = textTag(json);
    return { status, headers, body: json };
  }
  const meta: Record<string, unknown> = { request_id: requestIdOf(req), git_commit: gitCommit, ...body.meta };
  const ignored = [...handling.ignored, ...(body.meta?.ignored ?? [])];
  if (ignored.length > 0) meta['ignored'] = ignored;
  for (const [member, header] of pagingHeaders) if (member in meta) headers[header] = String(meta[member]);
  if (isTagged) {
    // The record becomes JSON once, for its tag and for the body.
    const json = JSON.stringify(body.data);
    headers['ETag'] = entityTag(body.data as Resource, json);
    if (Object.keys(fields).length === 0) {
      const rest = JSON.stringify({ included: body.included, meta });
      return { status, headers, body: `{"data":${json},${rest.slice(1)}` };
    }
  }
  return { status, headers, body: JSON.stringify({ ...withFields(body, fields), meta }) };
}

function withFields(body: Omit<HandlerResult, 'headers'>, fields: View['fields']): Omit<HandlerResult, 'headers'> {
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
