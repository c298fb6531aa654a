import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import {
  messagesOf,
  readContract,
  resolver,
  resolveSchema,
  type Schema,
} from '../../../src/platform/http/contract_document.ts';
import { bodyOf, here, ourAccount, type Recorder } from '../recorder.ts';

/** What webhooks receive: one message of every kind, as a receiver on this machine got it. */
export async function webhookMessages(record: Recorder): Promise<void> {
  const receiver = await openReceiver();
  try {
    const url = await record.server.startVariant({ settings: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    const attributes = { url: receiver.url, events: ['*' as const], description: 'Data warehouse' };
    const { data } = await record.sendOnly(
      'createWebhook',
      { path: ourAccount, body: bodyOf('webhook', attributes) },
      url,
    );
    await changeEverything(record);
    await record.sendOnly('createWebhookPing', { path: { ...ourAccount, webhook_id: data.id } });
    await record.server.deliver();
    const messages = receiver.received.map((request) => messageIn(request, data.attributes.secret!, receiver.url));
    for (const { operationId, types } of kinds()) {
      const [first] = messages.filter(({ type }) => types.includes(type)).sort((one, other) => one.order - other.order);
      if (first) record.keepMessage(operationId, first.body);
    }
  } finally {
    receiver.close();
  }
}

/** Changes a record of every kind that messages show, and one of those that they do not show. */
async function changeEverything(record: Recorder): Promise<void> {
  const area = await record.sendOnly('createArea', { path: here, body: bodyOf('area', { name: 'Roof terrace' }) });
  await record.sendOnly('createTag', { path: here, body: bodyOf('tag', { title: 'Training', color: '#3F51B5' }) });
  const type = await record.sendOnly('createAbsenceType', {
    path: here,
    body: bodyOf('absence_type', { title: 'Wedding', kind: 'special' }),
  });
  const dayOff = { starts_at: '2026-09-18T00:00:00+02:00', ends_at: '2026-09-18T23:59:59+02:00', full_day: true };
  await record.sendOnly('createAbsence', {
    path: here,
    body: bodyOf('absence', { ...dayOff, user_id: '3', absence_type_id: type.data.id }),
  });
  const evening = { starts_at: '2026-05-02T17:00:00+02:00', ends_at: '2026-05-02T22:00:00+02:00' };
  await record.sendOnly('createTimeTracking', {
    path: here,
    body: {
      data: {
        type: 'time_tracking',
        attributes: evening,
        relationships: { user: { data: { type: 'user_overview', id: '4' } } },
      },
    },
  });
  await record.sendOnly('createShift', {
    path: here,
    body: bodyOf('event', {
      starts_at: '2026-06-05T17:00:00+02:00',
      ends_at: '2026-06-05T22:00:00+02:00',
      working_area_id: area.data.id,
    }),
  });
  await record.sendOnly('updateUser', {
    path: { ...here, user_id: '3' },
    body: bodyOf('user', { staff_number: '1013' }),
  });
  await record.sendOnly('updateWorkspace', {
    path: here,
    body: bodyOf('workspace', { phone: '+49 40 111222' }),
  });
  await record.sendOnly('createPublicHoliday', {
    path: here,
    body: bodyOf('public_holiday', { date: '2026-10-05', title: 'Company outing', factor: 1 }),
  });
}

/** The kinds of messages in the contract, with the values of their `type`. */
function kinds(): { operationId: string; types: readonly unknown[] }[] {
  const contract = readContract('v3');
  const resolve = resolver(contract);
  return messagesOf(contract).map(({ operationId, requestBody }) => {
    const message = resolveSchema(requestBody!.content['application/json']!.schema as Schema, resolve);
    const { enum: types, const: only } = resolveSchema(message.properties!['type']!, resolve);
    return { operationId, types: types ?? [only] };
  });
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

async function openReceiver() {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ headers: request.headers, text: Buffer.concat(parts).toString('utf8') });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/punchcard`;
  return { url, received, close: () => void server.close() };
}

interface Message {
  readonly type: string;
  /** The order in which the events were written. Messages about different records may arrive in another one. */
  readonly order: number;
  readonly body: unknown;
}

/** The message of a request whose signature is valid. The port of the receiver is random, so that another address replaces its own. */
function messageIn({ headers, text }: Received, secret: string, url: string): Message {
  const [id, timestamp] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
  if (new Webhook(secret).sign(id, new Date(timestamp * 1000), text) !== headers['webhook-signature'])
    throw new Error(`The signature of the message ${id} is wrong.`);
  const body = JSON.parse(text.replaceAll(url, 'https://hooks.example.com/punchcard')) as {
    type: string;
    data: { event: { id: string } | null };
  };
  return { type: body.type, order: Number(body.data.event?.id ?? 0), body };
}
