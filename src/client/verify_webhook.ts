import { Webhook } from 'standardwebhooks';
import type { components } from '../../generated/v3.ts';

type Schemas = components['schemas'];

/** The message that a webhook receives. `type` tells the messages apart. */
export type WebhookMessage =
  | Schemas['AbsenceMessage']
  | Schemas['AbsenceTypeMessage']
  | Schemas['AreaMessage']
  | Schemas['ShiftMessage']
  | Schemas['TagMessage']
  | Schemas['TimeTrackingMessage']
  | Schemas['UserMessage']
  | Schemas['WebhookMessage']
  | Schemas['WorkspaceMessage']
  | Schemas['OtherMessage']
  | Schemas['PingMessage'];

/** The headers of a request, as `fetch` or Node have them. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a request that a webhook has received, and returns its message. Throws if the signature does not fit, or if the request
 * is older than 5 minutes. `body` is the text exactly as it arrived.
 */
export function verifyWebhook(secret: string, headers: ReceivedHeaders, body: string): WebhookMessage {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const plain = Object.fromEntries(entries.map(([name, value]) => [name, String(value ?? '')]));
  return new Webhook(secret).verify(body, plain) as WebhookMessage;
}
