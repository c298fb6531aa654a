import { rank } from '../core/ranks.ts';
import type { Links } from '../core/links.ts';
import { utcForm } from '../core/time.ts';
import { eventWithId, isDeletedNow } from '../events/events.ts';
import { presentEvent } from '../events/resource.ts';
import type { Loading } from '../http/answers/jsonapi.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import type { DeliveryRow } from './deliveries.ts';
import { shownRecord } from './record_resource.ts';

/** As a request without parameters asks for records. */
const plainView: Loading['view'] = {
  page: 1,
  items: 1,
  outset: 0,
  sort: [],
  filter: {},
  include: null,
  permissions: 'none',
  fields: {},
};

/** What is known where a message is made. */
export interface Surroundings extends Pick<Loading, 'db' | 'now'> {
  readonly links: Links;
}

/**
 * The body of a message: the event, and the record as v3 shows it to an account admin now. The record is null once it is deleted.
 * Undefined if the event is not kept any more.
 */
export async function messageBody(
  delivery: DeliveryRow,
  { db, now, links }: Surroundings,
): Promise<string | undefined> {
  const { account_id: accountId, event_id: eventId } = delivery;
  const event = eventId === null ? null : await eventWithId(db, accountId, eventId);
  if (event === undefined) return undefined;
  const [workspace] = event?.workspace_id ? await workspacesByIds(db, { accountId }, [event.workspace_id]) : [];
  const actor = {
    accountId,
    userId: null,
    username: 'Webhook',
    rank: rank.accountAdmin,
    areaIds: [],
    workspace: workspace ?? null,
  };
  const loading: Loading = { db, actor, view: plainView, links, now };
  const { record_type, record_id } = event ?? delivery;
  const isGone = event !== null && (await isDeletedNow(db, event));
  return JSON.stringify({
    type: delivery.event,
    timestamp: utcForm(event?.at ?? delivery.created_at),
    data: {
      event: event && presentEvent(event, loading),
      record: isGone ? null : await shownRecord(record_type, record_id, loading),
    },
  });
}
