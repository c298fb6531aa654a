import { sampleOrigin } from '../../../src/programs/docs/serve.ts';
import { addressOf, type Sampled } from '../samples.ts';

/*
 * Samples in Python, with the package requests. They are laid out as the formatter Black does it, with four blanks per level.
 */

/** A program. The access token is in the environment, and files are in the current folder. */
export function pythonSample(sampled: Sampled, origin = sampleOrigin): string {
  const { api, method, scheme, fileParts, hasAnswer, request } = sampled;
  const address = addressOf(sampled, origin);
  const query = Object.fromEntries(
    Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)] as const),
  );
  const needsToken = scheme === 'bearer' && api === 'v3';
  const parts = [
    inPython(address),
    ...(Object.keys(query).length > 0 ? [`params=${inPython(query, inner)}`] : []),
    ...(needsToken ? [`headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}`] : []),
    ...(scheme === 'bearer' && api === 'public'
      ? [`headers=${inPython({ Authorization: 'Bearer demo-api-token' })}`]
      : []),
    ...(scheme === 'apiKey' ? [`headers=${inPython({ 'Api-Key': 'demo-api-key' })}`] : []),
    ...bodyOf(request.body, fileParts),
    'timeout=30',
  ];
  return [
    ...(needsToken ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method}(`,
    ...parts.map((part) => `${inner}${part},`),
    ')',
    'response.raise_for_status()',
    ...(hasAnswer ? ['print(response.json())'] : []),
  ].join('\n');
}

const inner = '    ';

/** requests sends `json` as application/json, and `files` with `data` as a form. */
function bodyOf(body: unknown, fileParts: readonly string[] | undefined): string[] {
  if (body === undefined) return [];
  if (!fileParts) return [`json=${inPython(body, inner)}`];
  const entries = Object.entries(body as object).flatMap(([name, value]) =>
    ([value].flat() as string[]).map((one) => [name, one] as const),
  );
  const files = entries
    .filter(([name]) => fileParts.includes(name))
    .map(([name, file]) => `${inner}${inner}(${inPython(name)}, open(${inPython(file)}, "rb")),\n`);
  const fields = Object.fromEntries(entries.filter(([name]) => !fileParts.includes(name)));
  return [
    ...(Object.keys(fields).length > 0 ? [`data=${inPython(fields, inner)}`] : []),
    `files=[\n${files.join('')}${inner}]`,
  ];
}

const maxWidth = 80;

/** A value in Python, on one line where it fits. */
function inPython(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  // A text in JSON is one in Python too.
  if (typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent}${inner}`;
  const parts = (level: string): string[] =>
    Array.isArray(value)
      ? value.map((item) => inPython(item, level))
      : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${inPython(item, level)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const line = `${open}${parts(indent).join(', ')}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= maxWidth) return line;
  return `${open}\n${parts(deeper)
    .map((part) => `${deeper}${part},\n`)
    .join('')}${indent}${close}`;
}
