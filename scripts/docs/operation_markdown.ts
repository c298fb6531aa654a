import {
  resolver,
  type Contract,
  type ContractOperation,
  type Parameter,
  type PathItem,
  type Reference,
  type Resolve,
  type Schema,
} from '../../src/platform/http/contract_document.ts';
import { exampleOf, memberTable, tableOf, typeOf } from './member_table.ts';
import { notesOn, consoleAddress } from './operation_notes.ts';

/** What an operation of the published contract says to readers. */
export type ShownOperation = ContractOperation & {
  readonly summary: string;
  readonly description?: string;
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly label: string; readonly source: string }[];
};

type ShownParameter = Parameter & {
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
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
interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ContractOperation;
  readonly item: PathItem;
}

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
const json = (value: unknown): string => block('json', JSON.stringify(value, null, 2));

/** The page of an operation in Markdown. */
export function operationMarkdown(
  api: 'v3' | 'public',
  contract: Contract,
  { method, path, operation, item }: PlacedOperation,
): string {
  const resolve = resolver(contract);
  const shown = operation as ShownOperation;
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
  return sections([
    `# ${shown.summary}`,
    block('', `${method.toUpperCase()} ${contract.servers[0]!.url}${path}`),
    shown.description,
    ...notesOn(api, operation),
    ...parameterSection(parameters, resolve),
    ...requestSection(shown.requestBody, resolve),
    ...sampleSection(api, shown),
    ...Object.entries(shown.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) => answerSection(status, response, resolve)),
    ...errorSection(shown.responses, resolve),
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
    ...parameterSection(operation.parameters ?? [], resolve),
    ...requestSection(shown.requestBody, resolve),
  ]);
}

const sections = (parts: readonly (string | undefined)[]): string =>
  `${parts
    .map((part) => part?.trim())
    .filter((part) => part)
    .join('\n\n')}\n`;

function parameterSection(parameters: readonly (Parameter | Reference)[], resolve: Resolve): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters
    .map((parameter) => ('$ref' in parameter ? resolve(parameter.$ref) : parameter) as ShownParameter)
    .map((parameter) => [
      `\`${parameter.name}\``,
      parameter.in,
      typeOf(parameter.schema as Schema, resolve),
      parameter.required ? 'required' : '',
      parameter.description ?? '',
      exampleOf(parameter),
    ]);
  return ['## Parameters', tableOf(['name', 'in', 'type', '', 'description', 'example'], rows)];
}

function requestSection(requestBody: ContractOperation['requestBody'], resolve: Resolve): (string | undefined)[] {
  if (!requestBody) return [];
  const body = resolved(requestBody as Body | Reference, resolve);
  const types = Object.keys(body.content ?? {}).map((type) => `\`${type}\``);
  return [
    '## Request body',
    `${body.description?.trim() ?? ''} ${body.required ? 'Required.' : 'Optional.'} Sent as ${types.join(' or ')}.`,
    ...mediaSections(body, resolve),
  ];
}

function sampleSection(api: 'v3' | 'public', operation: ShownOperation): string[] {
  const samples = operation['x-codeSamples'] ?? [];
  if (samples.length === 0) return [];
  return [
    '## Samples',
    `[Open this sample in the console](${consoleAddress(api, operation)}) to send it from here.`,
    ...samples.map(({ lang, source }) => block(lang === 'Shell' ? 'sh' : lang.toLowerCase(), source)),
  ];
}

function answerSection(status: string, response: object, resolve: Resolve): (string | undefined)[] {
  const body = resolved(response as Body | Reference, resolve);
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

function errorSection(responses: ContractOperation['responses'], resolve: Resolve): string[] {
  const rows = Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, response]) => {
      const { description = '', content = {} } = resolved(response as Body | Reference, resolve);
      const { errors } = (content['application/json']?.example ?? {}) as {
        errors?: readonly { code: string; title: string }[];
      };
      const [first] = errors ?? [];
      return [status, description, first ? `[\`${first.code}\`](#tag/Error-codes/${first.code}): ${first.title}` : ''];
    });
  return rows.length === 0 ? [] : ['## Errors', tableOf(['status', 'meaning', 'example'], rows)];
}

const resolved = (body: Body | Reference, resolve: Resolve): Body =>
  '$ref' in body ? (resolve(body.$ref) as Body) : body;
