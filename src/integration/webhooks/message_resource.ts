import { rank } from '../../platform/core/ranks.ts';
import type { Links } from '../../platform/core/links.ts';
import { utcForm } from '../../platform/core/time.ts';
import { eventWithId, isDeletedNow } from '../events/events.ts';
import { presentEvent } from '../events/resource.ts';
import type { LoadContext } from '../../platform/http/answers/jsonapi.ts';
import { workspacesByIds } from '../../organisation/workspaces/workspaces.ts';
import type { DeliveryRow } from './deliveries.ts';
import { shownRecord } from './record_resource.ts';

/** As a request without parameters asks for records. */
const plainOptions: LoadContext['queryOptions'] = {
  page: 1,
  items: 1,
  outset: 0,
  sort: [],
  filter: {},
  include: null,
  permissions: 'none',
  fields: {},
};

/** The context in which a message is made. */
export interface Surroundings extends Pick<LoadContext, 'db' | 'now'> {
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
  const context: LoadContext = { db, actor, queryOptions: plainOptions, links, now };
  const { record_type, record_id } = event ?? delivery;
  const isGone = event !== null && (await isDeletedNow(db, event));
  return JSON.stringify({
    type: delivery.event,
    timestamp: utcForm(event?.at ?? delivery.created_at),
    data: {
      event: event && presentEvent(event, context),
      record: isGone ? null : await shownRecord(record_type, record_id, context),
    },
  });
}
