import { sampleOrigin } from '../../../src/programs/docs/serve.ts';
import { addressOf, partsOf, queryOf, type Sampled } from '../samples.ts';

/*
 * Samples in Python, with the package requests. They are laid out as the formatter Black does it, with four blanks per level.
 */

/** A program. The access token is in the environment, and files are in the current folder. */
export function pythonSample(sampled: Sampled, origin = sampleOrigin): string {
  const { api, method, scheme, hasAnswer } = sampled;
  const address = addressOf(sampled, origin);
  const query = queryOf(sampled);
  const needsToken = scheme === 'bearer' && api === 'v3';
  const parts = [
    inPython(address),
    ...(Object.keys(query).length > 0 ? [`params=${inPython(query, inner)}`] : []),
    ...(needsToken ? [`headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}`] : []),
    ...(scheme === 'bearer' && api === 'public'
      ? [`headers=${inPython({ Authorization: 'Bearer demo-api-token' })}`]
      : []),
    ...(scheme === 'apiKey' ? [`headers=${inPython({ 'Api-Key': 'demo-api-key' })}`] : []),
    ...bodyOf(sampled),
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
function bodyOf(sampled: Sampled): string[] {
  const { fileParts, request } = sampled;
  if (request.body === undefined) return [];
  if (!fileParts) return [`json=${inPython(request.body, inner)}`];
  const parts = partsOf(sampled);
  const files = parts
    .filter(({ isFile }) => isFile)
    .map(({ name, value }) => `${inner}${inner}(${inPython(name)}, open(${inPython(value)}, "rb")),\n`);
  const fields = Object.fromEntries(parts.filter(({ isFile }) => !isFile).map(({ name, value }) => [name, value]));
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
