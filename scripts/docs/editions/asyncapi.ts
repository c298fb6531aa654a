import { resolver, type Contract, type Parameter, type Resolve } from '../../../src/platform/http/contract_document.ts';
import { mapSchemas, type Json } from './schemas.ts';
import { withUsedComponents } from './used_components.ts';

/*
 * The messages to webhooks as an AsyncAPI 3.0 document, for tools that do not read `webhooks` in OpenAPI. The service sends all of
 * them to one channel. The schemas are those of the contract in JSON Schema draft 7, as AsyncAPI has them.
 */

interface Post {
  readonly summary: string;
  readonly parameters: readonly { readonly $ref: string }[];
  readonly requestBody: {
    readonly content: Readonly<Record<string, { readonly schema: Json; readonly example: unknown }>>;
  };
}

/** In draft 7, a reference has no members beside it, and a schema has a list of examples. */
function asDraft7({ $ref, example, ...schema }: Json): Json {
  const own = example === undefined ? schema : { ...schema, examples: [example] };
  if ($ref === undefined) return own;
  return Object.keys(own).length > 0 ? { ...own, allOf: [{ $ref }] } : { $ref };
}

function messageOf({ summary, parameters, requestBody }: Post, resolve: Resolve): Json {
  const headers = parameters.map(({ $ref }) => resolve($ref) as Parameter);
  const { schema, example } = requestBody.content['application/json']!;
  return {
    title: summary,
    headers: {
      type: 'object',
      required: headers.map(({ name }) => name),
      properties: Object.fromEntries(headers.map((one) => [one.name, { ...one.schema, description: one.description }])),
    },
    payload: schema,
    examples: [{ payload: example }],
  };
}

const about = {
  title: 'Punchcard webhooks',
  description: 'The messages that the service sends to webhooks.',
  license: { name: 'MIT' },
};

export function asAsyncApi(contract: Contract): object {
  const { webhooks = {}, components, info } = mapSchemas(contract, asDraft7);
  const resolve = resolver(contract);
  const byName = (messageNamed: (name: string) => Json): Json =>
    Object.fromEntries(Object.keys(webhooks).map((name) => [name, messageNamed(name)]));
  const webhook = {
    description: 'The address of a webhook. Its creator has chosen it.',
    messages: byName((name) => ({ $ref: `#/components/messages/${name}` })),
  };
  const messages = byName((name) => messageOf(webhooks[name]!.post as unknown as Post, resolve));
  return withUsedComponents({
    asyncapi: '3.0.0',
    info: { ...about, version: (info as unknown as Json)['version'] },
    defaultContentType: 'application/json',
    channels: { webhook },
    operations: { deliver: { action: 'send', channel: { $ref: '#/channels/webhook' } } },
    components: { messages, schemas: components.schemas },
  } as unknown as Contract);
}
