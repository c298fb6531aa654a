import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { generatedFile } from '../http/contract_document.ts';
import { icon } from './landing.ts';
import { publishedContract } from './publish.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The folder of the published reference. */
export const docsFolder = path.join(root, 'dist/docs');

const apis = ['v3', 'public'] as const;

/** The files that a page is made from, beside its contract. */
const sources = [
  generatedFile('examples.json'),
  ...['build.ts', 'publish.ts', 'samples.ts'].map((name) => path.join(import.meta.dirname, name)),
];

/** Builds the reference of both APIs where it is missing or out of date. Returns the files that it built, and tells before it builds one. */
export async function buildDocs(onBuild: (api: string) => void = () => {}): Promise<string[]> {
  mkdirSync(docsFolder, { recursive: true });
  const built = await Promise.all(apis.map((api) => buildOne(api, onBuild)));
  return built.filter((name) => name !== undefined);
}

async function buildOne(api: (typeof apis)[number], onBuild: (api: string) => void): Promise<string | undefined> {
  const page = path.join(docsFolder, `${api}.html`);
  const stamp = path.join(docsFolder, `${api}.sha256`);
  const hash = createHash('sha256');
  for (const file of [generatedFile(`${api}.json`), ...sources]) hash.update(readFileSync(file));
  const digest = hash.digest('hex');
  if (existsSync(page) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return undefined;
  onBuild(api);
  const draft = `${page}.${process.pid}`;
  const source = path.join(docsFolder, `${api}.${process.pid}.json`);
  writeFileSync(source, JSON.stringify(publishedContract(api)));
  // --inlineBundle puts the viewer into the page, so that the page fetches nothing.
  const cli = path.join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const building = promisify(execFile)(
    process.execPath,
    [
      cli,
      'build-docs',
      source,
      '--inlineBundle',
      '--openapi.showExtensions=x-role',
      '--openapi.jsonSamplesDepth=5',
      '--output',
      draft,
    ],
    {
      cwd: root,
      env: builderEnvironment(process.env),
    },
  );
  await building.finally(() => rmSync(source, { force: true }));
  writeFileSync(draft, adapted(readFileSync(draft, 'utf8')));
  renameSync(draft, page);
  writeFileSync(stamp, digest);
  return page;
}

/** What the program that builds the reference is told of the environment. It is foreign code and needs no secrets. */
export const builderEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot'].flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  ),
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
});

/** Removes the web fonts and the logo that the viewer would fetch from other hosts, and adds the service's icon and styles. */
const adapted = (html: string): string =>
  html
    .replaceAll(/<link[^>]+href="https:\/\/fonts\.[^>]*>/g, '')
    .replaceAll(/https:\/\/cdn\.redoc\.ly\/[^"'`\\ ]+/g, redoclyName)
    .replace('</title>', `</title><link rel="icon" href="${icon}"><style>${style}</style>`);

/** By default, the viewer breaks names in tables anywhere and prints code too large for its column. */
const style =
  'td code, th code { word-break: normal !important; overflow-wrap: break-word !important; } pre, pre code { font-size: 12px !important; line-height: 1.4 !important; }';

const redoclyName = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="52" height="14"><text y="11" font-family="sans-serif" font-size="12" fill="#2467f2">Redocly</text></svg>',
).replaceAll("'", '%27')}`;
