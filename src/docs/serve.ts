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
  const showsDemo = forSomeSeconds(hasDemo);

  /** Serves a text. Anybody may ask for it, and nothing else is answered while a large one is made, so it is made once. */
  const text = (type: string, make: () => string): RequestHandler => {
    const made = remember({ limit: 2, keyOf: () => type }, () => textDocument(type, make()));
    return (req, res) => sendDocument(req, res, made(), originOf(req, publicUrl));
  };
  const page = (address: string, make: () => string): void => {
    router.get(address, withPolicy, text('text/html', make));
  };

  /** Serves a text that has the credentials of the demo organisation where they work. */
  const demoText = (type: string, make: (isDemo: boolean) => string): RequestHandler => {
    const [withDemo, withoutDemo] = [text(type, () => make(true)), text(type, () => make(false))];
    return async (req, res, next) => ((await showsDemo()) ? withDemo : withoutDemo)(req, res, next);
  };
  const demoPage = (address: string, make: (isDemo: boolean) => string): void => {
    router.get(address, withPolicy, demoText('text/html', make));
  };

  for (const api of ['v3', 'public'] as const) demoPage(`/docs/try/${api}`, (isDemo) => consolePage(api, isDemo));
  for (const [name, type] of consoleFiles)
    router.get(
      `/docs/try/${name}`,
      text(type, () => readConsoleFile(name)),
    );

  router.get('/', (req, res, next) => (isBrowser(req) ? res.redirect('/docs') : next()));
  demoPage('/docs', (isDemo) => landingPage(sampleOrigin, isDemo));
  for (const api of ['v3', 'public'] as const)
    page(`/docs/${api}`, () => readFileSync(path.join(docsFolder, `${api}.html`), 'utf8'));
  page('/docs/changelog', changelogPage);
  router.get('/docs/changelog.atom', text('application/atom+xml', changelogFeed));
  router.get('/llms.txt', text('text/plain', llmsText));
  router.get(/^\/docs(\/.*)?\.md$/, markdown(publicUrl));

  for (const { name, type, text: make, showsDemo: isForDemo } of contractFiles)
    router.get(`/openapi/${name}`, isForDemo ? demoText(type, make) : text(type, () => make(false)));
  const [asPage, asList] = [text('text/html', contractPage), text('application/json', contractList)];
  router.get('/openapi', withPolicy, (req, res, next) => {
    res.vary('Accept');
    return (isBrowser(req) ? asPage : asList)(req, res, next);
  });
  return router;
}

/** The answer is used for some seconds: anybody may open these pages, and the database must not work for each of them. */
function forSomeSeconds(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    if (answer === undefined) {
      answer = ask();
      setTimeout(() => (answer = undefined), 5_000).unref();
    }
    return answer;
  };
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
