import { sampleOrigin } from '../../../src/programs/docs/serve.ts';
import { addressOf, partsOf, queryOf, type Sampled } from '../samples.ts';

/* Samples in PHP. They need no extension and no package. */

/** A program. The access token is in the environment, and files are in the current folder. */
export function phpSample(sampled: Sampled, origin = sampleOrigin): string {
  const { api, method, scheme, fileParts, hasAnswer, request } = sampled;
  const address = addressOf(sampled, origin);
  const query = queryOf(sampled);
  const { body } = request;
  const headers = [
    ...(scheme === 'bearer' && api === 'v3' ? ["'Authorization: Bearer ' . getenv('TOKEN')"] : []),
    ...(scheme === 'bearer' && api === 'public' ? ["'Authorization: Bearer demo-api-token'"] : []),
    ...(scheme === 'apiKey' ? ["'Api-Key: demo-api-key'"] : []),
    ...(body === undefined
      ? []
      : fileParts
        ? ['"Content-Type: multipart/form-data; boundary=$boundary"']
        : ["'Content-Type: application/json'"]),
  ];
  const options = [
    `'method' => '${method.toUpperCase()}'`,
    ...(headers.length > 0 ? [`'header' => ${listOf(headers, inner)}`] : []),
    ...(body === undefined ? [] : [`'content' => ${fileParts ? '$form' : `json_encode(${inPhp(body, inner)})`}`]),
  ];
  const url = inPhp(address) + (Object.keys(query).length > 0 ? ` . '?' . http_build_query(${inPhp(query)})` : '');
  return [
    '<?php',
    '',
    ...(body !== undefined && fileParts ? formLines(sampled) : []),
    `$url = ${url};`,
    "$context = stream_context_create(['http' => [",
    ...options.map((option) => `${inner}${option},`),
    ']]);',
    '$body = file_get_contents($url, false, $context);',
    'if ($body === false) {',
    `${inner}throw new RuntimeException($http_response_header[0]);`,
    '}',
    ...(hasAnswer ? ['print_r(json_decode($body, true));'] : []),
  ].join('\n');
}

const inner = '    ';

/** The parts of a form, with a boundary between them. */
function formLines(sampled: Sampled): string[] {
  const parts = partsOf(sampled).flatMap(({ name, value, isFile }) => [
    '"--$boundary"',
    inPhp(`Content-Disposition: form-data; name="${name}"${isFile ? `; filename="${value}"` : ''}`),
    "''",
    isFile ? `file_get_contents(${inPhp(value)})` : inPhp(value),
  ]);
  return [
    '$boundary = bin2hex(random_bytes(16));',
    String.raw`$form = implode("\r\n", [`,
    ...[...parts, '"--$boundary--"', "''"].map((line) => `${inner}${line},`),
    ']);',
    '',
  ];
}

const maxWidth = 80;

function listOf(items: readonly string[], indent: string): string {
  const line = `[${items.join(', ')}]`;
  if (!line.includes('\n') && indent.length + line.length <= maxWidth) return line;
  return `[\n${items.map((item) => `${indent}${inner}${item},\n`).join('')}${indent}]`;
}

/** A value in PHP, on one line where it fits. */
function inPhp(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (!Array.isArray(value) && Object.keys(value).length === 0) return '(object) []';
  const items = (level: string): string[] =>
    Array.isArray(value)
      ? value.map((item) => inPhp(item, level))
      : Object.entries(value).map(([name, item]) => `${inPhp(name)} => ${inPhp(item, level)}`);
  const flat = listOf(items(indent), indent);
  return flat.includes('\n') ? listOf(items(`${indent}${inner}`), indent) : flat;
}
