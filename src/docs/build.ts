import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { generatedFile } from '../http/contract_document.ts';
import { guidesOf } from './guides.ts';
import { pageContract } from './page_contract.ts';
import { barHeight, withParts } from './page_parts.ts';
import { publishedContract } from './publish.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The folder of the published reference. */
export const docsFolder = path.join(root, 'dist/docs');

const apis = ['v3', 'public'] as const;
type Api = (typeof apis)[number];

/** The files that a page is made from, beside its contract. */
const sources = [
  generatedFile('examples.json'),
  ...readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(import.meta.dirname, name)),
];

/** The settings of the viewer. */
const viewerOptions = {
  // Responses are open down to the attributes of a record.
  jsonSamplesExpandLevel: 3,
  // The bar with links to the other pages.
  scrollYOffset: barHeight,
  codeSamples: { languages: ['curl', 'TypeScript', 'Python'].map((name) => ({ lang: name, label: name })) },
};

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
  writeFileSync(settings, JSON.stringify({ telemetry: 'off', openapi: viewerOptions }));
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

/** Removes the web fonts and the logo that the viewer would fetch from other hosts, and adds the parts of the service. */
const adapted = (api: Api, html: string): string =>
  withParts(
    api,
    html
      .replaceAll(/<link[^>]+href="https:\/\/fonts\.[^>]*>/g, '')
      .replaceAll(/https:\/\/cdn\.redoc\.ly\/[^"'`\\ ]+/g, redoclyName),
    Object.fromEntries(guidesOf(api, publishedContract(api)).map(({ name, address }) => [name, address])),
  );

const redoclyName = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="52" height="14"><text y="11" font-family="sans-serif" font-size="12" fill="#2467f2">Redocly</text></svg>',
).replaceAll("'", '%27')}`;
