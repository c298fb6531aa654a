import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { builtFile, rootFolder } from '../../src/platform/core/own_files.ts';
import { changelogFeed, changelogPage } from './changelog.ts';
import { consoleFiles, consolePage, consoleSamples, readConsoleFile } from './console.ts';
import { contractFiles, contractList, contractPage } from './contract_files.ts';
import { guidesOf } from './guides.ts';
import { landingPage } from './landing.ts';
import { apis, type Api } from '../../src/platform/http/contract_document.ts';
import { pageAddress } from './links.ts';
import { llmsFullText, llmsText, markdownPages } from './markdown_pages.ts';
import { pageContract } from './page_contract.ts';
import { barHeight, withParts } from './page_parts.ts';
import { languages, publishedContract } from './publish.ts';
import { siteFiles } from './site/site.ts';

/** Texts by the name of their file. `src/programs/docs/serve.ts` says at which address each is served. */
type Texts = Readonly<Record<string, string>>;

/** The settings of the viewer. */
const viewerOptions = {
  // Responses are open down to the attributes of a record.
  jsonSamplesExpandLevel: 3,
  // The bar with links to the other pages.
  scrollYOffset: barHeight,
  codeSamples: { languages: Object.keys(languages).map((name) => ({ lang: name, label: name })) },
};

/** Writes the reference of both APIs to dist/docs. */
export async function writeDocs(): Promise<void> {
  const folder = builtFile('docs');
  mkdirSync(path.dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    const pages = await Promise.all(
      apis.map(async (api) => [`docs/${api}.html`, await viewerPage(api, draft)] as const),
    );
    write(path.join(draft, 'all'), { ...Object.fromEntries(pages), ...textsForAll() });
    write(path.join(draft, 'demo'), textsForDemo());
    // In a container, another user reads it than the one who made it.
    chmodSync(draft, 0o755);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function write(folder: string, texts: Texts): void {
  for (const [name, text] of Object.entries(texts)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const textsForAll = (): Texts => ({
  'docs.html': landingPage(false),
  ...Object.fromEntries(apis.map((api) => [`docs/try/${api}.html`, consolePage(api, false)])),
  ...Object.fromEntries(apis.map((api) => [`docs/try/${api}-samples.json`, consoleSamples(api)])),
  ...Object.fromEntries(consoleFiles.map((name) => [`docs/try/${name}`, readConsoleFile(name)])),
  'docs/changelog.html': changelogPage(),
  'docs/changelog.atom': changelogFeed(),
  'llms.txt': llmsText(),
  'llms-full.txt': llmsFullText(),
  ...Object.fromEntries([...markdownPages()].map(([address, page]) => [address.slice(1), page.text()])),
  ...Object.fromEntries([...siteFiles()].map(([address, text]) => [address.slice(1), text])),
  'openapi.html': contractPage(),
  'openapi.json': contractList(),
  ...Object.fromEntries(contractFiles.map(({ name, text }) => [`openapi/${name}`, text()])),
});

/** What takes the place of the others where the credentials of the demo organisation work. */
const textsForDemo = (): Texts => ({
  'docs.html': landingPage(true),
  ...Object.fromEntries(apis.map((api) => [`docs/try/${api}.html`, consolePage(api, true)])),
  ...Object.fromEntries(
    contractFiles.flatMap(({ name, demoText }) => (demoText ? [[`openapi/${name}`, demoText()]] : [])),
  ),
});

/** The page that Redocly makes of a contract. */
async function viewerPage(api: Api, folder: string): Promise<string> {
  const [contract, settings, page] = ['json', 'yaml', 'html'].map((ending) => path.join(folder, `${api}.${ending}`));
  writeFileSync(contract!, JSON.stringify(pageContract(api)));
  // JSON is YAML too.
  writeFileSync(settings!, JSON.stringify({ telemetry: 'off', openapi: viewerOptions }));
  const cli = path.join(rootFolder, 'node_modules/@redocly/cli/bin/cli.js');
  // --inlineBundle puts the viewer into the page, so that the page fetches nothing.
  const options = ['build-docs', contract!, '--config', settings!, '--inlineBundle', '--output', page!];
  await promisify(execFile)(process.execPath, [cli, ...options], {
    cwd: rootFolder,
    env: builderEnvironment(process.env),
  });
  const html = readFileSync(page!, 'utf8');
  for (const file of [contract!, settings!, page!]) rmSync(file);
  return adapted(api, html);
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
    Object.fromEntries(
      guidesOf(publishedContract(api)).map(({ name }) => [name, `${pageAddress({ api, kind: 'tag', name })}.md`]),
    ),
  );

const redoclyName = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="52" height="14"><text y="11" font-family="sans-serif" font-size="12" fill="#2467f2">Redocly</text></svg>',
).replaceAll("'", '%27')}`;
