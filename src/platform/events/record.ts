import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import type { Actor } from '../core/actor.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { runAtCommit } from '../db/transactions.ts';
import { transactionNumber } from './record_order.ts';

/*
 * Events: what verbs write about their changes, in the same transaction. A noun says once which attributes its events have:
 * `const areaEvents = eventsOf<AreaRow>()('area', [...])`. Its verbs then call, for example,
 * `areaEvents.record(tx, actor, 'updated', { before, after }, now)`.
 */

export type EventName = components['schemas']['EventName'];

type TypeOf<Name> = Name extends `${infer Type}.${string}` ? Type : never;
export type RecordType = TypeOf<EventName>;

type VerbOf<Type extends RecordType> =
  Extract<EventName, `${Type}.${string}`> extends `${Type}.${infer Verb}` ? Verb : never;

/** The author of an event. A job or a command has neither a user nor an api_token. */
export type EventActor = Pick<Actor, 'accountId' | 'userId' | 'apiTokenId' | 'requestId'>;

/** The actor of jobs and commands. */
export const jobActor = (accountId: number): EventActor => ({ accountId, userId: null });

export type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

export interface NewEvent {
  readonly name: EventName;
  readonly workspaceId: number | null;
  readonly recordId: string;
  readonly recordUuid: string | null;
  readonly externalId: string | null;
  readonly userId: number | null;
  readonly changes: Changes;
}

/** The id of a record and the user concerned. Nouns whose rows have other names give a function instead. */
export interface Recorded {
  readonly id: number | string;
  readonly uuid?: string | null;
  readonly workspace_id?: number | null;
  readonly external_id?: string | null;
  readonly user_id?: number | null;
}

interface Options<Row> {
  /** Where the row itself does not have the names of `Recorded`. */
  readonly recorded?: (row: Row) => Recorded;
  /** Attributes whose change is recorded without their values. */
  readonly hidden?: readonly (keyof Row & string)[];
}

/** The events of one type of record, which have these attributes. */
export function eventsOf<Row extends object>() {
  return <Type extends RecordType>(
    type: Type,
    attributes: readonly (keyof Row & string)[],
    { recorded = (row) => row as Recorded, hidden = [] }: Options<Row> = {},
  ) => {
    const all = [...attributes, ...hidden];
    const valueOf = (row: Row | null, attribute: keyof Row & string): unknown => {
      const value = row?.[attribute] ?? null;
      return value !== null && hidden.includes(attribute) ? 'hidden' : value;
    };
    const isChanged = (before: Row | null, after: Row | null, attribute: keyof Row & string): boolean => {
      const [one, other] = [before?.[attribute] ?? null, after?.[attribute] ?? null];
      if (one === null || other === null) return one !== other;
      return one !== other && JSON.stringify(one) !== JSON.stringify(other);
    };
    /** The event of one change, or undefined if no attribute differs. `before` is null for a new record, `after` for a deleted one. */
    const eventOf = (verb: VerbOf<Type>, before: Row | null, after: Row | null): NewEvent | undefined => {
      const changed = all.filter((attribute) => isChanged(before, after, attribute));
      if (before && after && changed.length === 0) return undefined;
      const { id, uuid, workspace_id, external_id, user_id } = recorded((after ?? before)!);
      return {
        name: `${type}.${verb}` as EventName,
        workspaceId: workspace_id ?? null,
        recordId: String(id),
        recordUuid: uuid ?? null,
        externalId: external_id ?? null,
        userId: user_id ?? null,
        changes: Object.fromEntries(changed.map((name) => [name, [valueOf(before, name), valueOf(after, name)]])),
      };
    };
    /** Records what a verb did to one record, at the end of the transaction. Nothing is recorded if no attribute differs. */
    const record = (
      tx: OpenTransaction,
      actor: EventActor,
      verb: VerbOf<Type>,
      change: { readonly before: Row | null; readonly after: Row | null },
      now: Date,
    ): void => {
      const event = eventOf(verb, change.before, change.after);
      if (event) recordEvents(tx, actor, [event], now);
    };
    return { eventOf, record };
  };
}

/** Leaves events to the commit of the transaction, where they are written together with what they are about. */
export function recordEvents(tx: OpenTransaction, actor: EventActor, events: readonly NewEvent[], now: Date): void {
  if (events.length > 0) runAtCommit(tx, insertionOf(actor, events, now).compile(tx));
}

/** The actor, as events have it. */
export const actorColumns = ({ userId, apiTokenId, requestId }: EventActor) => ({
  actorType: userId !== null ? 'user' : apiTokenId !== undefined ? 'api_token' : 'job',
  actorId: userId !== null ? String(userId) : (apiTokenId ?? null),
  requestId: requestId ?? null,
});

const insertionOf = (actor: EventActor, events: readonly NewEvent[], now: Date) => {
  const { accountId } = actor;
  const { actorType, actorId, requestId } = actorColumns(actor);
  return sql<never>`
    insert into events (
      account_id, transaction_id, workspace_id, at, actor_type, actor_id, request_id, name, record_type, record_id, record_uuid,
      external_id, user_id, changes)
    select ${accountId}, ${transactionNumber({ accountId, type: sql.ref('event.record_type'), id: sql.ref('event.record_id') })},
      event.workspace_id, ${now}, ${actorType}, ${actorId}, ${requestId}, event.name, event.record_type, event.record_id,
      event.record_uuid, event.external_id, event.user_id, event.changes
    from (
      select *, split_part(name, '.', 1) as record_type
      from unnest(
        ${events.map(({ workspaceId }) => workspaceId)}::bigint[], ${events.map(({ name }) => name)}::text[],
        ${events.map(({ recordId }) => recordId)}::text[], ${events.map(({ recordUuid }) => recordUuid)}::uuid[],
        ${events.map(({ externalId }) => externalId)}::text[], ${events.map(({ userId }) => userId)}::bigint[],
        ${events.map(({ changes }) => JSON.stringify(changes))}::jsonb[])
        with ordinality as given (workspace_id, name, record_id, record_uuid, external_id, user_id, changes, position)
    ) event
    order by event.position
    returning account_id`;
};
