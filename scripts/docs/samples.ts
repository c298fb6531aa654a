import { sampleOrigin } from '../../src/programs/docs/serve.ts';
import type { Api } from '../../src/platform/http/contract_document.ts';
import type { ExampleRequest } from './examples.ts';

/** An operation, in the detail that a sample needs. */
export interface Sampled {
  readonly api: Api;
  readonly base: string;
  readonly method: string;
  readonly path: string;
  /** The name of its security scheme. */
  readonly scheme: string | undefined;
  /** Names of the parts of a form that are files. Undefined where the body is JSON. */
  readonly fileParts: readonly string[] | undefined;
  readonly hasAnswer: boolean;
  readonly request: ExampleRequest;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The address that a sample asks, without its query. */
export const addressOf = ({ base, path, request }: Sampled, origin: string): string =>
  origin +
  base +
  path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(request.path?.[name] ?? ''));

/** What a sample sends in its query. */
export const queryOf = ({ request }: Sampled): Record<string, string> =>
  Object.fromEntries(Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]));

/** The parts of the form that a sample sends. The value of a file is its name. */
export const partsOf = ({ request, fileParts }: Sampled) =>
  Object.entries(request.body as object).flatMap(([name, value]) =>
    ([value].flat() as string[]).map((one) => ({ name, value: one, isFile: fileParts!.includes(name) })),
  );

/** A shell command. The access token is in $TOKEN, and files are in the current folder. */
export function curlSample(sampled: Sampled, origin = sampleOrigin): string {
  const { api, method, scheme, fileParts, request } = sampled;
  const address = addressOf(sampled, origin);
  const query = Object.entries(queryOf(sampled)).map(
    ([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`,
  );
  const verb = method.toUpperCase();
  // With --get, curl sends --data-urlencode in the query.
  const first = [
    'curl',
    ...(query.length > 0 ? ['--get'] : []),
    ...(verb === 'GET' ? [] : [`-X ${verb}`]),
    address,
  ].join(' ');
  const headers = [
    ...(scheme === 'bearer'
      ? [api === 'public' ? "-H 'Authorization: Bearer demo-api-token'" : '-H "Authorization: Bearer $TOKEN"']
      : []),
    ...(scheme === 'apiKey' ? ["-H 'Api-Key: demo-api-key'"] : []),
    ...(request.body !== undefined && !fileParts ? ["-H 'Content-Type: application/json'"] : []),
  ];
  return [first, ...query, ...headers, ...curlBody(sampled)].join(' \\\n  ');
}

function curlBody(sampled: Sampled): string[] {
  const { request, fileParts } = sampled;
  if (request.body === undefined) return [];
  if (!fileParts) return [`-d ${quoted(JSON.stringify(request.body, null, 2)).replaceAll('\n', '\n  ')}`];
  return partsOf(sampled).map(({ name, value, isFile }) => `-F ${quoted(`${name}=${isFile ? '@' : ''}${value}`)}`);
}

/** A program with the typed client. */
export function typescriptSample(sampled: Sampled): string {
  const { api, method, path, scheme, fileParts, hasAnswer, request } = sampled;
  const { query = {}, body } = request;
  const params = {
    ...(request.path ? { path: request.path } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
  };
  const options = { ...(Object.keys(params).length > 0 ? { params } : {}), ...(body === undefined ? {} : { body }) };
  const credential = { bearer: ', token: process.env.TOKEN', apiKey: ", apiKey: 'demo-api-key'" }[scheme ?? ''] ?? '';
  const [factory, connection] =
    api === 'v3' ? ['resourceApi', credential] : ['publicApi', ", apiToken: 'demo-api-token'"];
  const literal = Object.keys(options).length > 0 ? `, ${inTypescript(options)}` : '';
  const call = `await api.${method.toUpperCase()}('${path}'${fileParts ? literal.replace(/,?\s*\}$/, ',\n  bodySerializer: () => form,\n}') : literal});`;
  return [
    ...(fileParts ? ["import { openAsBlob } from 'node:fs';"] : []),
    `import { ${factory} } from 'punchcard-client';`,
    '',
    `const api = ${factory}({ url: '${sampleOrigin}'${connection} });`,
    ...(fileParts ? formLines(sampled) : []),
    `const { ${hasAnswer ? 'data, ' : ''}error } = ${call}`,
  ].join('\n');
}

const formLines = (sampled: Sampled): string[] => [
  'const form = new FormData();',
  ...partsOf(sampled).map(({ name, value, isFile }) =>
    isFile
      ? `form.append('${name}', await openAsBlob('${value}'), '${value}');`
      : `form.append('${name}', ${inTypescript(value)});`,
  ),
];

const maxWidth = 90;

/** A value in TypeScript, on one line where it fits. */
function inTypescript(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const parts = (deeper: string): string[] =>
    Array.isArray(value)
      ? value.map((item) => inTypescript(item, deeper))
      : Object.entries(value).map(
          ([name, item]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`}: ${inTypescript(item, deeper)}`,
        );
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' '];
  const flat = parts(indent);
  if (flat.length === 0) return open + close;
  const line = `${open}${space}${flat.join(', ')}${space}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= maxWidth) return line;
  return `${open}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close}`;
}
