import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { utcForm, utcFormOrNull } from '../../platform/core/time.ts';
import { one, resource } from '../../platform/http/answers/jsonapi.ts';
import { messageIdOf, type DeliveryRow } from './deliveries.ts';
import type { WebhookRow } from './webhooks.ts';

type Schemas = components['schemas'];
type Webhook = Schemas['Webhook'];
type Delivery = Schemas['WebhookDelivery'];

const webhook = resource('webhook', fields.Webhook);
const delivery = resource('webhook_delivery', fields.WebhookDelivery);

export const presentWebhook = (row: WebhookRow & { readonly secret?: string }) =>
  webhook({
    id: row.id,
    url: row.url,
    events: row.events as Webhook['attributes']['events'],
    workspace_ids: row.workspace_ids && row.workspace_ids.map(String),
    active: row.active,
    deactivation_reason: row.deactivation_reason as Webhook['attributes']['deactivation_reason'],
    description: row.description,
    failing_since: utcFormOrNull(row.failing_since),
    created_at: utcForm(row.created_at),
    updated_at: utcForm(row.updated_at),
    ...(row.secret === undefined ? {} : { secret: row.secret }),
  });

export const presentDelivery = (row: DeliveryRow) =>
  delivery(
    {
      id: row.id,
      message_id: messageIdOf(row),
      event: row.event,
      record_type: row.record_type,
      record_id: row.record_id,
      status: row.status as Delivery['attributes']['status'],
      attempts: row.attempts,
      first_attempt_at: utcFormOrNull(row.first_attempt_at),
      last_attempt_at: utcFormOrNull(row.last_attempt_at),
      next_attempt_at: utcFormOrNull(row.next_attempt_at),
      response_status: row.response_status,
      response_body: row.response_body,
      error: row.error,
      created_at: utcForm(row.created_at),
    },
    { webhook: one('webhook', row.webhook_id), history_event: one('history_event', row.event_id) },
  );
