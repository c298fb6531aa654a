import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router, type Request, type Response } from 'express';
import { builtFile } from '../../platform/core/own_files.ts';
import { remember } from '../../platform/core/remember.ts';

/** The address of a server with default settings. Wherever a file names it, readers see the address of this server. */
export const sampleOrigin = 'http://127.0.0.1:3000';

/** The files of "npm run docs". Those in `demo` take the place of others where the demo credentials work. */
export const docsFolders = { all: builtFile('docs/all'), demo: builtFile('docs/demo') };

/** The pages run their own script and show their own images. They fetch nothing from other hosts. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type WithDates = (text: string, createdAt: Date | undefined) => string;

interface Options {
  /** The address of the service, if the operator has set one. */
  readonly publicUrl: string | undefined;
  /** Whether the credentials of the demo organisation work here. */
  readonly hasDemo: () => Promise<boolean>;
  /** When the demo organisation was created, if there is one. */
  readonly demoCreatedAt: () => Promise<Date | undefined>;
  /** Gives the samples in a text the dates of a demo organisation that was created then. */
  readonly withDates: WithDates;
}

/** Serves the reference, its Markdown, the console, the contracts and their workflows from files. All of it has entity tags. */
export function docsRouter({ publicUrl, hasDemo, demoCreatedAt, withDates }: Options): Router {
  const router = Router();
  const showsDemo = forSomeSeconds(hasDemo);
  const createdAt = forSomeSeconds(demoCreatedAt);
  router.get('/', (req, res, next) => (isBrowser(req) ? res.redirect('/docs') : next()));
  router.use(async (req, res, next) => {
    const name = nameFor(req, res);
    if (name === undefined) return next();
    const isDemo = filesIn(docsFolders.demo).has(name) && (await showsDemo());
    const file = path.join(isDemo ? docsFolders.demo : docsFolders.all, name);
    await send(req, res, documentIn(file), {
      origin: originOf(req, publicUrl),
      createdAt: await createdAt(),
      withDates,
    });
  });
  return router;
}

/** The file at an address. A page has the address of its file without `.html`, or without `.md` for those who ask for Markdown. */
function nameFor(req: Request, res: Response): string | undefined {
  const address = req.path.replace(/^\/|\/$/g, '');
  if (!['GET', 'HEAD'].includes(req.method) || address.endsWith('.html')) return undefined;
  const files = filesIn(docsFolders.all);
  if (address === 'openapi') {
    res.vary('Accept');
    if (!isBrowser(req)) return 'openapi.json';
  }
  if (files.has(`${address}.md`)) {
    res.vary('Accept');
    if (req.accepts(['html', 'text/markdown']) === 'text/markdown') return `${address}.md`;
  }
  return [`${address}.html`, address].find((name) => files.has(name));
}

const filesIn = remember({ limit: 4 }, (folder: string): ReadonlySet<string> => {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile()).map((file) => path.join(file.parentPath, file.name));
  return new Set(files.map((file) => path.relative(folder, file).replaceAll(path.sep, '/')));
});

interface Document {
  readonly type: string;
  readonly hash: string;
  /** The text for a reader, plain and compressed. */
  readonly bytesFor: (reader: Reader) => Buffer;
  readonly compressedFor: (reader: Reader) => Promise<Buffer>;
}

/** What a text depends on beside its file: the address of this server, and the dates of the demo organisation. */
interface Reader {
  readonly origin: string;
  readonly createdAt: Date | undefined;
  readonly withDates: WithDates;
}

const keyOf = ({ origin, createdAt }: Reader): string => `${origin} ${createdAt?.toISOString() ?? ''}`;

const compress = promisify<Buffer, Buffer>(gzip);

/** Anybody may ask for a file, so it is read once, and compressed once for each address of this server. */
const documentIn = remember({ limit: 2_000 }, (file: string): Document => {
  const text = readFileSync(file, 'utf8');
  const ending = path.extname(file).slice(1);
  const bytesFor = remember({ limit: 4, keyOf }, ({ origin, createdAt, withDates }: Reader) =>
    Buffer.from(withDates(text.replaceAll(sampleOrigin, origin), createdAt)),
  );
  return {
    type: ending === 'yaml' ? 'application/yaml' : ending,
    hash: createHash('sha256').update(text).digest('base64url'),
    bytesFor,
    compressedFor: remember({ limit: 4, keyOf }, (reader: Reader) => compress(bytesFor(reader))),
  };
});

/** Sends a document. The entity tag is known without the text for this address, so that most readers get a quick 304. */
async function send(req: Request, res: Response, document: Document, reader: Reader): Promise<void> {
  const { type, hash, bytesFor, compressedFor } = document;
  const tag = createHash('sha256')
    .update(`${hash} ${keyOf(reader)}`)
    .digest('base64url')
    .slice(0, 27);
  res.set({ ETag: `W/"${tag}"`, 'Cache-Control': 'no-cache' }).type(type);
  if (type === 'html') res.set('Content-Security-Policy', policy);
  if (req.fresh) return void res.status(304).end();
  // Another encoding would be computed for each request.
  if (!req.acceptsEncodings('gzip'))
    return void res.set('Cache-Control', 'no-cache, no-transform').send(bytesFor(reader));
  res.set('Content-Encoding', 'gzip').send(await compressedFor(reader));
}

/** PUBLIC_URL, or else the address that the reader used. A Host header that is no valid host is not repeated. */
export function originOf(req: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const host = req.get('host') ?? '';
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? `${req.protocol}://${host}` : sampleOrigin;
}

/** The answer is used for some seconds: anybody may open these pages, and the database must not work for each of them. */
function forSomeSeconds<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
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
