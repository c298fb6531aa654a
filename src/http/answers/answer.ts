import type { Api, MatchedRequest } from '../definition.ts';
import { sparse, type Resource } from './jsonapi.ts';
import { requestIdOf } from '../requests/request_id.ts';
import type { View } from '../requests/view.ts';

/** What a handler returned, before the frame adds its part. */
export interface Reply {
  data?: Resource | Resource[] | null;
  included?: Resource[];
  meta?: object;
  headers?: Record<string, string>;
}

/** An answer, ready to be sent, or to be kept and sent again. */
export interface Answer {
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

/** The contract's status, the caller's choice of fields, and `meta` with its headers where the API has it. */
export function answerOf(
  api: Api,
  req: MatchedRequest,
  fields: View['fields'],
  status: number,
  reply: Reply | void,
): Answer {
  if (!reply) return { status, headers: {}, body: null };
  const { headers: given, ...body } = reply;
  const headers = { ...given };
  if (!api.hasMeta) return { status, headers, body: JSON.stringify(body) };
  const meta: Record<string, unknown> = { request_id: requestIdOf(req), git_commit: api.gitCommit, ...body.meta };
  for (const [member, header] of pagingHeaders) if (member in meta) headers[header] = String(meta[member]);
  const { data, included } = chosen(body, fields);
  return { status, headers, body: JSON.stringify({ data, included, meta }) };
}

/** Only the attributes that were asked for. */
function chosen(body: Omit<Reply, 'headers'>, fields: View['fields']): Omit<Reply, 'headers'> {
  if (Object.keys(fields).length === 0) return body;
  const { data, included } = body;
  return {
    ...body,
    ...(Array.isArray(data)
      ? { data: data.map((record) => sparse(record, fields, true)) }
      : data
        ? { data: sparse(data, fields, true) }
        : {}),
    ...(included ? { included: included.map((record) => sparse(record, fields, false)) } : {}),
  };
}
