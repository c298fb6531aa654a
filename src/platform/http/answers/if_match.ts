import { AppError } from '../../core/errors.ts';
import { refIn } from '../../core/names.ts';
import type { Actor } from '../../core/permissions.ts';
import { recordLocks } from '../../db/record_locks.ts';
import type { OpenTransaction } from '../../db/open_transaction.ts';
import { entityTag, textTag } from './etag.ts';
import type { Resource } from './jsonapi.ts';
import type { ApiDefinition } from '../api_definition.ts';
import type { Call, Operation } from '../contract.ts';
import type { Answer, Handle } from '../handlers.ts';
import type { Route } from '../route.ts';
import { queryOptionsOf } from '../requests/query_options.ts';

/*
 * Conditional writes. A client sends the ETag of the record that it has read as If-Match, and the write is refused if the record
 * has changed since. The comparison happens in the transaction of the write, with the record locked, so that of two writers with
 * the same tag one wins.
 */

/** An answer that is given only if the record of the write is as the header If-Match says: as the GET of the same path shows it. */
export function ifMatching({ handlers }: Pick<ApiDefinition, 'handlers'>, route: Route, answer: Answer): Answer {
  const show = handlers[route.shownBy!] as Handle;
  const [name] = /\w+(?=\}?$)/.exec(route.path)!;
  const read = route.path.endsWith('}') || name === 'me' ? recordAt(show) : recordInBody(show);
  const lock = recordLocks[name]!;
  return async (call, req) => {
    const ifMatch = call.header('If-Match');
    if (ifMatch !== undefined) await requireMatch(call, ifMatch, read, lock);
    return answer(call, req);
  };
}

interface TaggedRecord {
  readonly id: string;
  readonly tag: string;
}

type ReadRecord = (call: Call<Operation>) => Promise<TaggedRecord>;

/** The record that the path names, as the resource API shows it. The tag is that of the record, whatever else the request asks for. */
const recordAt =
  (show: Handle): ReadRecord =>
  async (call) => {
    const result = await show({ ...call, query: {}, body: undefined as never, queryOptions: queryOptionsOf({}) });
    const record = result!.data as Resource;
    return { id: record.id, tag: entityTag(record) };
  };

/** The record that the body or the query names, as the public API shows it. */
const recordInBody =
  (show: Handle): ReadRecord =>
  async (call) => {
    const body: Readonly<Record<string, unknown>> = call.body ?? {};
    const named = Object.values(body).filter((member) => typeof member === 'object');
    const { id, external_id } = refIn('', ...(named as object[]), body, call.query);
    // The external id beside an id may be the one that the record is to get.
    const query = id === undefined ? { external_id } : { id };
    const record = await show({
      ...call,
      query: query as never,
      body: undefined as never,
      queryOptions: queryOptionsOf({}),
    });
    return { id: String((record as { id?: unknown }).id), tag: textTag(JSON.stringify(record)) };
  };

async function requireMatch(
  call: Call<Operation>,
  ifMatch: string,
  read: ReadRecord,
  lock: (typeof recordLocks)[string],
): Promise<void> {
  const { accountId }: Actor = call.actor;
  const tx = call.db as OpenTransaction;
  let record = await read(call);
  // No row: the record moved to another user meanwhile. If it is gone, it is not found the next time.
  while ((await lock(tx, { accountId, id: record.id })).length === 0) record = await read(call);
  const { tag } = await read(call);
  if (ifMatch.trim() !== '*' && !strongTagsIn(ifMatch).includes(tag)) throw preconditionFailed(tag);
}

/** The strong tags of a header. Weak ones, which begin with `W/`, match nothing. */
const strongTagsIn = (header: string): string[] =>
  [...header.matchAll(/(W\/)?("[^"]*")/g)].filter(([, weak]) => weak === undefined).map(([, , tag]) => tag!);

const preconditionFailed = (tag: string) =>
  new AppError(
    412,
    [
      {
        code: 'precondition_failed',
        pointer: 'If-Match',
        title: 'The record has changed since it was read: its ETag is not in If-Match. Read it again, and decide anew.',
      },
    ],
    { ETag: tag },
  );
