import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { generatedFile } from '../http/contract_document.ts';
import { icon, mainPages } from './frame.ts';
import { pageContract } from './page_contract.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The folder of the published reference. */
export const docsFolder = path.join(root, 'dist/docs');

const apis = ['v3', 'public'] as const;
type Api = (typeof apis)[number];

/** The files that a page is made from, beside its contract. */
const sources = [
  generatedFile('examples.json'),
  ...['build.ts', 'frame.ts', 'page_contract.ts', 'publish.ts', 'python_sample.ts', 'roles.ts', 'samples.ts'].map(
    (name) => path.join(import.meta.dirname, name),
  ),
];

/** The settings of the viewer. */
const viewerOptions = (api: Api): object => ({
  // Responses are open down to the attributes of a record.
  jsonSamplesExpandLevel: 3,
  // The bar with links to the other pages.
  scrollYOffset: barHeight,
  downloadUrls: ['json', 'yaml'].map((format) => ({ title: `${api}.${format}`, url: `/openapi/${api}.${format}` })),
  codeSamples: { languages: ['curl', 'TypeScript', 'Python'].map((name) => ({ lang: name, label: name })) },
});

/** Builds the reference of both APIs where it is missing or out of date. Returns the files that it built, and tells before it builds one. */
export async function buildDocs(onBuild: (api: string) => void = () => {}): Promise<string[]> {
  mkdirSync(docsFolder, { recursive: true });
  const built = await Promise.all(apis.map((api) => buildOne(api, onBuild)));
  return built.filter((name) => name !== undefined);
}

async function buildOne(api: Api, onBuild: (api: string) => void): Promise<string | undefined> {
  const page = path.join(docsFolder, `${api}.html`);
  const stamp = path.join(docsFolder, `${api}.sha256`);
  const hash = createHash('sha256');
  for (const file of [generatedFile(`${api}.json`), ...sources]) hash.update(readFileSync(file));
  const digest = hash.digest('hex');
  if (existsSync(page) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return undefined;
  onBuild(api);
  const draft = `${page}.${process.pid}`;
  const source = path.join(docsFolder, `${api}.${process.pid}.json`);
  const settings = path.join(docsFolder, `${api}.${process.pid}.yaml`);
  writeFileSync(source, JSON.stringify(pageContract(api)));
  // JSON is YAML too.
  writeFileSync(settings, JSON.stringify({ telemetry: 'off', openapi: viewerOptions(api) }));
  // --inlineBundle puts the viewer into the page, so that the page fetches nothing.
  const cli = path.join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const building = promisify(execFile)(
    process.execPath,
    [cli, 'build-docs', source, '--config', settings, '--inlineBundle', '--output', draft],
    {
      cwd: root,
      env: builderEnvironment(process.env),
    },
  );
  await building.finally(() => [source, settings].forEach((file) => rmSync(file, { force: true })));
  writeFileSync(draft, adapted(api, readFileSync(draft, 'utf8')));
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

/** Removes the web fonts and the logo that the viewer would fetch from other hosts, and adds the service's icon, styles and links. */
const adapted = (api: Api, html: string): string =>
  html
    .replaceAll(/<link[^>]+href="https:\/\/fonts\.[^>]*>/g, '')
    .replaceAll(/https:\/\/cdn\.redoc\.ly\/[^"'`\\ ]+/g, redoclyName)
    .replace(
      '</title>',
      `</title><link rel="icon" href="${icon}"><link rel="alternate" type="text/markdown" href="/docs/${api}.md"><style>${style}</style>`,
    )
    .replace('<div id="redoc">', `${bar(api)}<div id="redoc">`);

const barHeight = 44;

const bar = (api: Api): string =>
  `<nav class="pages">${mainPages
    .map(([address, name]) =>
      address === `/docs/${api}`
        ? `<a href="${address}" aria-current="page">${name}</a>`
        : `<a href="${address}">${name}</a>`,
    )
    .join('')}</nav>`;

/**
 * By default, the viewer breaks names in tables anywhere, prints code too large for its column, lets its copy button lie on
 * the first line of samples, and says that a page is missing while it still looks for it.
 */
const style = `
td code, th code { word-break: normal !important; overflow-wrap: break-word !important; }
pre, pre code { font-size: 12px !important; line-height: 1.4 !important; }
.panel-request-samples pre { white-space: pre-wrap !important; overflow-wrap: anywhere; padding-right: 40px !important; }
.not-found-page { animation: appear 0s 6s backwards; }
@keyframes appear { from { visibility: hidden; } }
nav.pages { position: sticky; top: 0; z-index: 30; height: ${barHeight}px; box-sizing: border-box; display: flex; align-items: center; gap: 18px; padding: 0 16px; overflow-x: auto; white-space: nowrap; background: #fff; border-bottom: 1px solid #d9dee6; font: 14px system-ui, sans-serif; }
nav.pages a { color: #1565c0; text-decoration: none; }
nav.pages a:hover, nav.pages a:focus-visible { text-decoration: underline; }
nav.pages a[aria-current] { color: inherit; font-weight: 600; }
html.dark nav.pages { background: #14181f; border-color: #333b48; }
html.dark nav.pages a { color: #7db8ff; }
html.dark nav.pages a[aria-current] { color: #e6e9ef; }
`;

const redoclyName = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="52" height="14"><text y="11" font-family="sans-serif" font-size="12" fill="#2467f2">Redocly</text></svg>',
).replaceAll("'", '%27')}`;
