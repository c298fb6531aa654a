import { AppError } from '../../core/errors.ts';
import { refIn } from '../../core/names.ts';
import type { Actor } from '../../core/permissions.ts';
import { recordLocks } from '../../db/record_locks.ts';
import type { OpenTransaction } from '../../db/open_transaction.ts';
import { entityTag, textTag } from '../answers/etag.ts';
import type { HandlerResult } from '../answers/response.ts';
import type { Resource } from '../answers/jsonapi.ts';
import type { Call, Operation } from '../contract.ts';
import { operationsOf, operationsWith, type Contract } from '../contract_document.ts';
import { viewOf } from './view.ts';

/*
 * Conditional writes. A client sends the ETag of the record that it has read as If-Match, and the write is refused if the record
 * has changed since. The comparison happens in the transaction of the write, with the record locked, so that of two writers with
 * the same tag one wins.
 */

type Show = (call: Call<Operation>) => Promise<HandlerResult | void>;

/** Compares the record of a write with a header If-Match. */
export type RequireMatch = (tx: OpenTransaction, call: Call<Operation>, ifMatch: string) => Promise<void>;

/** For each operation that takes If-Match, the comparison with what the GET of the same path shows. */
export function matchRequirements(contract: Contract, handlers: Readonly<Record<string, unknown>>) {
  const conditional = operationsWith(contract, 'If-Match');
  return new Map<string, RequireMatch>(
    operationsOf(contract)
      .filter(({ operation }) => conditional.has(operation.operationId))
      .map(({ operation, item, path }) => {
        const show = handlers[item['get']!.operationId] as Show;
        const [name] = /\w+(?=\}?$)/.exec(path)!;
        const record = path.endsWith('}') || name === 'me' ? recordAt(show) : recordInBody(show);
        return [operation.operationId, requireMatch(record, recordLocks[name]!)];
      }),
  );
}

interface TaggedRecord {
  readonly id: string;
  readonly tag: string;
}

type ReadRecord = (call: Call<Operation>) => Promise<TaggedRecord>;

/** The record that the path names, as the resource API shows it. The tag is that of the record, whatever else the request asks for. */
const recordAt =
  (show: Show): ReadRecord =>
  async (call) => {
    const result = await show({ ...call, query: {}, body: undefined as never, view: viewOf({}) });
    const record = result!.data as Resource;
    return { id: record.id, tag: entityTag(record) };
  };

/** The record that the body or the query names, as the public API shows it. */
const recordInBody =
  (show: Show): ReadRecord =>
  async (call) => {
    const body: Readonly<Record<string, unknown>> = call.body ?? {};
    const named = Object.values(body).filter((member) => typeof member === 'object');
    const { id, external_id } = refIn('', ...(named as object[]), body, call.query);
    // The external id beside an id may be the one that the record is to get.
    const query = id === undefined ? { external_id } : { id };
    const record = await show({ ...call, query: query as never, body: undefined as never, view: viewOf({}) });
    return { id: String((record as { id?: unknown }).id), tag: textTag(JSON.stringify(record)) };
  };

const requireMatch =
  (read: ReadRecord, lock: (typeof recordLocks)[string]): RequireMatch =>
  async (tx, call, ifMatch) => {
    const { accountId }: Actor = call.actor;
    let record = await read(call);
    // No row: the record moved to another user meanwhile. If it is gone, it is not found the next time.
    while ((await lock(tx, { accountId, id: record.id })).length === 0) record = await read(call);
    const { tag } = await read(call);
    if (ifMatch.trim() !== '*' && !strongTagsIn(ifMatch).includes(tag)) throw preconditionFailed(tag);
  };

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
