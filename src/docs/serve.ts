import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { remember } from '../core/remember.ts';
import { docsFolder } from './build.ts';
import { changelogFeed, changelogPage } from './changelog.ts';
import { consoleFiles, consolePage, readConsoleFile } from './console.ts';
import { contractFiles } from './contract_files.ts';
import { escaped, framed } from './frame.ts';
import { landingPage } from './landing.ts';
import { environmentOf } from './postman/environment.ts';
import { llmsText, markdownPages } from './markdown_pages.ts';
import { sampleOrigin } from './samples.ts';
import { originOf, sendDocument, textDocument } from './text_document.ts';

/** The pages run their own script and show their own images. They fetch nothing from other hosts. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const withPolicy: RequestHandler = (_req, res, next) => {
  res.set('Content-Security-Policy', policy);
  next();
};

interface Options {
  /** The address of the service, if the operator has set one. */
  readonly publicUrl: string | undefined;
  /** Whether the credentials of the demo organisation work here. */
  readonly hasDemo: () => Promise<boolean>;
}

/** Serves the reference, its Markdown, the console, the contracts and their workflows. All of it has entity tags. */
export function docsRouter({ publicUrl, hasDemo }: Options): Router {
  const router = Router();

  /** Serves a text that is made at the first request: strangers may ask, and to make some of them stops everything else. */
  const text = (type: string, make: () => string): RequestHandler => {
    const made = remember({ limit: 2, keyOf: () => type }, () => textDocument(type, make()));
    return (req, res) => sendDocument(req, res, made(), originOf(req, publicUrl));
  };
  const page = (address: string, make: () => string): void => {
    router.get(address, withPolicy, text('text/html', make));
  };

  /** Serves a text that has the credentials of the demo organisation where they work. */
  const demoText = (type: string, make: (showsDemo: boolean) => string): RequestHandler => {
    const [withDemo, withoutDemo] = [text(type, () => make(true)), text(type, () => make(false))];
    return async (req, res, next) => ((await hasDemo()) ? withDemo : withoutDemo)(req, res, next);
  };
  const demoPage = (address: string, make: (showsDemo: boolean) => string): void => {
    router.get(address, withPolicy, demoText('text/html', make));
  };

  for (const api of ['v3', 'public'] as const) demoPage(`/docs/try/${api}`, (showsDemo) => consolePage(api, showsDemo));
  for (const [name, type] of consoleFiles)
    router.get(
      `/docs/try/${name}`,
      text(type, () => readConsoleFile(name)),
    );

  router.get('/', (req, res, next) => (isBrowser(req) ? res.redirect('/docs') : next()));
  demoPage('/docs', (showsDemo) => landingPage(sampleOrigin, showsDemo));
  for (const api of ['v3', 'public'] as const)
    page(`/docs/${api}`, () => readFileSync(path.join(docsFolder, `${api}.html`), 'utf8'));
  page('/docs/changelog', changelogPage);
  router.get('/docs/changelog.atom', text('application/atom+xml', changelogFeed));
  router.get('/llms.txt', text('text/plain', llmsText));
  router.get(/^\/docs(\/.*)?\.md$/, markdown(publicUrl));

  router.get(
    '/openapi/postman/environment.json',
    demoText('application/json', (showsDemo) => JSON.stringify(environmentOf(sampleOrigin, showsDemo))),
  );
  for (const { name, type, text: make } of contractFiles) router.get(`/openapi/${name}`, text(type, make));
  const [asPage, asList] = [text('text/html', contractPage), text('application/json', contractList)];
  router.get('/openapi', withPolicy, (req, res, next) => {
    res.vary('Accept');
    return (isBrowser(req) ? asPage : asList)(req, res, next);
  });
  return router;
}

/** Whether the reader prefers a page to data. */
const isBrowser = (req: Request): boolean => req.accepts(['json', 'html']) === 'html';

function markdown(publicUrl: string | undefined): RequestHandler {
  const made = remember({ limit: 1_000 }, (address: string) =>
    textDocument('text/markdown', markdownPages().get(address)!.text()),
  );
  return (req: Request, res: Response, next) => {
    if (!markdownPages().has(req.path)) return next();
    sendDocument(req, res, made(req.path), originOf(req, publicUrl));
  };
}

const contractList = (): string =>
  JSON.stringify(
    { files: contractFiles.map(({ name, title, type }) => ({ url: `${sampleOrigin}/openapi/${name}`, title, type })) },
    null,
    2,
  );

const contractPage = (): string =>
  framed(
    { title: 'Contracts' },
    `<p>The service validates every request against its contracts. You can generate clients from them.</p>
<table>
${contractFiles.map(({ name, title }) => `<tr><td><a href="/openapi/${name}">${name}</a></td><td>${escaped(title)}</td></tr>`).join('\n')}
</table>
<p>Programs that do not ask for HTML get this list as JSON.</p>`,
  );
