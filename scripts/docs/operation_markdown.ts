import {
  parametersOf,
  type operationsOf,
  resolved,
  resolver,
  type Api,
  type Contract,
  type ContractOperation,
  type Parameter,
  type Resolve,
  type Schema,
} from '../../src/platform/http/contract_document.ts';
import { codeTarget, pageAddress } from './links.ts';
import { exampleOf, memberTable, tableOf, typeOf } from './member_table.ts';
import { notesOn, notesOnSamples } from './operation_notes.ts';

/** What an operation of the published contract says to readers. */
export type ShownOperation = ContractOperation & {
  readonly summary: string;
  readonly description?: string;
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly label: string; readonly source: string }[];
};

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>;
}

interface Body {
  readonly description?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, Media>>;
}

/** An operation with its place in the contract. */
type PlacedOperation = ReturnType<typeof operationsOf>[number];

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
const json = (value: unknown): string => block('json', JSON.stringify(value, null, 2));

/** The page of an operation in Markdown. */
export function operationMarkdown(
  api: Api,
  contract: Contract,
  { method, path, operation, item }: PlacedOperation,
): string {
  const resolve = resolver(contract);
  const shown = operation as ShownOperation;
  return sections([
    `# ${shown.summary}`,
    block('', `${method.toUpperCase()} ${contract.servers[0]!.url}${path}`),
    shown.description,
    ...notesOn(api, operation),
    ...parameterSection(parametersOf(item, operation, resolve), resolve),
    ...requestSection(shown.requestBody, resolve),
    ...sampleSection(api, shown),
    ...Object.entries(shown.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) => answerSection(status, response, resolve)),
    ...errorSection(api, shown.responses, resolve),
  ]);
}

/** The page of a message that the service sends to webhooks. */
export function messageMarkdown(contract: Contract, operation: ContractOperation): string {
  const resolve = resolver(contract);
  const shown = operation as ShownOperation;
  return sections([
    `# ${shown.summary}`,
    'The service sends this message to the address of a webhook, with the method POST.',
    shown.description,
    ...parameterSection(parametersOf({}, operation, resolve), resolve),
    ...requestSection(shown.requestBody, resolve),
  ]);
}

const sections = (parts: readonly (string | undefined)[]): string =>
  `${parts
    .map((part) => part?.trim())
    .filter((part) => part)
    .join('\n\n')}\n`;

function parameterSection(parameters: readonly Parameter[], resolve: Resolve): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map((parameter) => [
    `\`${parameter.name}\``,
    parameter.in,
    typeOf(parameter.schema, resolve),
    parameter.required ? 'required' : '',
    parameter.description ?? '',
    exampleOf(parameter),
  ]);
  return ['## Parameters', tableOf(['name', 'in', 'type', '', 'description', 'example'], rows)];
}

function requestSection(requestBody: ContractOperation['requestBody'], resolve: Resolve): (string | undefined)[] {
  if (!requestBody) return [];
  const body = resolved<Body>(requestBody, resolve);
  const types = Object.keys(body.content ?? {}).map((type) => `\`${type}\``);
  return [
    '## Request body',
    `${body.description?.trim() ?? ''} ${body.required ? 'Required.' : 'Optional.'} Sent as ${types.join(' or ')}.`,
    ...mediaSections(body, resolve),
  ];
}

function sampleSection(api: Api, operation: ShownOperation): string[] {
  const samples = operation['x-codeSamples'] ?? [];
  if (samples.length === 0) return [];
  return [
    '## Samples',
    ...notesOnSamples(api, operation),
    ...samples.map(({ lang, source }) => block(lang === 'Shell' ? 'sh' : lang.toLowerCase(), source)),
  ];
}

function answerSection(status: string, response: object, resolve: Resolve): (string | undefined)[] {
  const body = resolved<Body>(response, resolve);
  return [`## Response ${status}`, body.description, ...mediaSections(body, resolve)];
}

/** The members and the examples of a body. Its media types have the same schema. */
function mediaSections({ content = {} }: Body, resolve: Resolve): string[] {
  const media = content['application/json'] ?? Object.values(content)[0];
  if (!media) return [];
  const examples = Object.values(media.examples ?? {}).flatMap(({ summary, value }) => [
    ...(summary ? [`${summary}:`] : []),
    json(value),
  ]);
  return [
    media.schema ? memberTable(media.schema, resolve) : '',
    ...(media.example === undefined ? [] : [json(media.example)]),
    ...examples,
  ];
}

function errorSection(api: Api, responses: ContractOperation['responses'], resolve: Resolve): string[] {
  const rows = Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, response]) => {
      const { description = '', content = {} } = resolved<Body>(response, resolve);
      const { errors } = (content['application/json']?.example ?? {}) as {
        errors?: readonly { code: string; title: string }[];
      };
      const [first] = errors ?? [];
      return [
        status,
        description,
        first ? `[\`${first.code}\`](${pageAddress(codeTarget(api, first.code))}): ${first.title}` : '',
      ];
    });
  return rows.length === 0 ? [] : ['## Errors', tableOf(['status', 'meaning', 'example'], rows)];
}
